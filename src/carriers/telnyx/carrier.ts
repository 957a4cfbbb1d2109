import type { Carrier } from '../../ports/carrier.ts';
import { openTelnyxAccount, type TelnyxOptions, telnyxAcknowledgement } from './account.ts';
import { TelnyxMediaProtocol } from './media-protocol.ts';
import { readTelnyxWebhook, telnyxAddressee } from './webhooks.ts';

/** Telnyx, used through Call Control and its media streaming. */
export function createTelnyxCarrier(options: TelnyxOptions): Carrier<'telnyx'> {
  return {
    name: 'telnyx',
    capabilities: {
      dtmfOut: 'command',
      reportsRinging: false,
      reportsEarlyMedia: false,
      returnsMarksOnClear: true,
      texts: true,
      numbers: true,
      machineDetection: true,
      // Telnyx's `refer` accepts SIP addresses only.
      sendsSilence: true,
      needsSilence: false,
      customBackgroundSound: true,
    },
    createMediaProtocol: () => new TelnyxMediaProtocol(),
    addressee: telnyxAddressee,
    readWebhook: readTelnyxWebhook,
    acknowledgement: telnyxAcknowledgement,
    goodbye: telnyxAcknowledgement,
    open: (credentials) => openTelnyxAccount(credentials, options),
  };
}
