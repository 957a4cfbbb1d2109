import { ProviderError } from '../../lib/errors.ts';
import { asRecord, asRecords, asText } from '../../lib/json-frame.ts';
import type { AvailableNumber, CarrierName, CarrierNumbers } from '../../ports/carrier.ts';
import { type CarrierHttp, refusedWith } from '../http.ts';

/** Settings of a number that Twilio heeds before its webhook. */
const OTHER_ROUTES = [
  ['trunk_sid', 'a SIP trunk'],
  ['voice_application_sid', 'a TwiML application'],
] as const;

/** The numbers of a Twilio account. */
export function createTwilioNumbers(
  http: CarrierHttp,
  root: string,
  carrier: CarrierName,
): CarrierNumbers {
  const read = async (number: string, signal: AbortSignal) => {
    const query = new URLSearchParams({ PhoneNumber: number });
    const path = `${root}/IncomingPhoneNumbers.json?${query}`;
    const body = await http.request({ method: 'GET', path, signal, repeatable: true });
    return asRecords(asRecord(body)?.incoming_phone_numbers).find(
      (candidate) => candidate.phone_number === number,
    );
  };
  const numberPath = (id: string) => `${root}/IncomingPhoneNumbers/${encodeURIComponent(id)}.json`;
  return {
    async available({ country, areaCode, contains, limit, signal }) {
      const query = new URLSearchParams({ PageSize: String(limit), VoiceEnabled: 'true' });
      if (areaCode) query.set('AreaCode', areaCode);
      if (contains) query.set('Contains', contains);
      const path = `${root}/AvailablePhoneNumbers/${country}/Local.json?${query}`;
      const body = await http.request({ method: 'GET', path, signal, repeatable: true });
      return asRecords(asRecord(body)?.available_phone_numbers).map(toAvailable);
    },

    async purchase(number, signal) {
      const body = await http.request({
        method: 'POST',
        path: `${root}/IncomingPhoneNumbers.json`,
        form: [['PhoneNumber', number]],
        signal,
      });
      return sidOf(body, carrier);
    },

    async find(number, signal) {
      const found = await read(number, signal);
      return found && asText(found.sid);
    },

    async inspect(number, signal) {
      const found = await read(number, signal);
      if (!found) return undefined;
      const other = OTHER_ROUTES.find(([field]) => asText(found[field]) !== '');
      return {
        voiceUrl: asText(found.voice_url),
        ...(other ? { obstacle: `is set to ${other[1]} instead of a webhook` } : {}),
      };
    },

    async configureWebhooks(numberId, { voiceUrl, smsUrl, statusUrl }, signal) {
      await http.request({
        method: 'POST',
        path: numberPath(numberId),
        form: [
          ['VoiceUrl', voiceUrl],
          ['VoiceMethod', 'POST'],
          ['StatusCallback', statusUrl],
          ['StatusCallbackMethod', 'POST'],
          ['SmsUrl', smsUrl],
          ['SmsMethod', 'POST'],
        ],
        signal,
        repeatable: true,
      });
    },

    async release(numberId, signal) {
      try {
        const path = numberPath(numberId);
        await http.request({ method: 'DELETE', path, signal, repeatable: true });
      } catch (error) {
        if (refusedWith(error) !== 404) throw error;
      }
    },
  };
}

/** The `sid` of the created resource. */
export function sidOf(body: unknown, carrier: CarrierName): string {
  const sid = asText(asRecord(body)?.sid);
  if (sid !== '') return sid;
  throw new ProviderError({
    class: 'protocol',
    provider: carrier,
    code: 'no-sid',
    message: `${carrier}: the answer has no id`,
  });
}

function toAvailable(found: Readonly<Record<string, unknown>>): AvailableNumber {
  // The keys occur in both cases.
  const flags = Object.entries(asRecord(found.capabilities) ?? {});
  const can = (name: string) =>
    flags.some(([key, on]) => key.toLowerCase() === name && on === true);
  const region = asText(found.region);
  const locality = asText(found.locality);
  return {
    number: asText(found.phone_number),
    country: asText(found.iso_country),
    ...(region ? { region } : {}),
    ...(locality ? { locality } : {}),
    capabilities: { voice: can('voice'), sms: can('sms') },
  };
}
