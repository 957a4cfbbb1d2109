import type { Carrier } from '../../ports/carrier.ts';
import { type AsteriskOptions, asteriskAcknowledgement, openAsteriskAccount } from './account.ts';
import { AsteriskMediaProtocol } from './media-protocol.ts';

/** One's own Asterisk as a carrier: it has events of its own, and no webhooks. */
export function createAsteriskCarrier(options: AsteriskOptions): Carrier<'asterisk'> {
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
      refer: true,
      customBackgroundSound: true,
    },
    createMediaProtocol: () => new AsteriskMediaProtocol(),
    addressee: () => undefined,
    readWebhook: () => [],
    acknowledgement: asteriskAcknowledgement,
    goodbye: asteriskAcknowledgement,
    open: (credentials) => openAsteriskAccount(credentials, options),
  };
}
