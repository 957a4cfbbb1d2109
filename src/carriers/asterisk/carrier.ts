import type { Carrier } from '../../ports/carrier.ts';
import { type AsteriskOptions, asteriskAcknowledgement, openAsteriskAccount } from './account.ts';
import type { Reach } from './guarded-reach.ts';
import { AsteriskMediaProtocol } from './media-protocol.ts';

/** A self-hosted Asterisk as a carrier: it has an event stream and no webhooks. */
export function createAsteriskCarrier(
  options: AsteriskOptions & {
    /** How to reach the server at this URL. @defaultValue the platform's `fetch` and `WebSocket` */
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
