import type { Carrier } from '../../ports/carrier.ts';
import { type AsteriskOptions, asteriskAcknowledgement, openAsteriskAccount } from './account.ts';
import type { Reach } from './guarded-reach.ts';
import { AsteriskMediaProtocol } from './media-protocol.ts';

/** One's own Asterisk as a carrier: it has events of its own, and no webhooks. */
export function createAsteriskCarrier(
  options: AsteriskOptions & {
    /** How the server at an address that somebody named is reached. @defaultValue the platform's ways */
    readonly reach?: (ariUrl: string) => Reach;
  },
): Carrier<'asterisk'> {
  return {
    name: 'asterisk',
    capabilities: {
      dtmfOut: 'command',
      reportsRinging: true,
      reportsEarlyMedia: true,
      returnsMarksOnClear: false,
      texts: false,
      numbers: false,
      machineDetection: false,
      sendsSilence: false,
      needsSilence: true,
      customBackgroundSound: true,
    },
    createMediaProtocol: () => new AsteriskMediaProtocol(),
    addressee: () => undefined,
    readWebhook: () => [],
    acknowledgement: asteriskAcknowledgement,
    goodbye: asteriskAcknowledgement,
    open: (credentials) =>
      openAsteriskAccount(credentials, { ...options, ...options.reach?.(credentials.ariUrl) }),
  };
}
