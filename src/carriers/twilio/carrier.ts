import type { Carrier, CarrierCapabilities } from '../../ports/carrier.ts';
import { openTwilioAccount, type TwilioOptions } from './account.ts';
import { emptyMarkup, hangupMarkup } from './markup.ts';
import { TwilioMediaProtocol } from './media-protocol.ts';
import { readTwilioWebhook, twilioAddressee } from './webhooks.ts';

const capabilities: CarrierCapabilities = {
  // Twilio's only command for tones ends the media stream.
  dtmfOut: 'in-band',
  reportsRinging: true,
  reportsEarlyMedia: false,
  returnsMarksOnClear: true,
  texts: true,
  numbers: true,
  machineDetection: true,
  sendsSilence: true,
  needsSilence: false,
  customBackgroundSound: true,
};

/** Twilio, or the built-in carrier, which has the same API. */
export function createTwilioCarrier<Name extends 'twilio' | 'emulator'>(
  options: TwilioOptions & { readonly name: Name },
): Carrier<Name> {
  return {
    name: options.name,
    capabilities,
    createMediaProtocol: () => new TwilioMediaProtocol(),
    addressee: twilioAddressee,
    readWebhook: readTwilioWebhook,
    acknowledgement: emptyMarkup,
    goodbye: hangupMarkup,
    open: (credentials) => openTwilioAccount(credentials, options),
  };
}
