import { ProviderError } from '../../lib/errors.ts';
import { asRecord, asRecords, asText, type JsonObject } from '../../lib/json-frame.ts';
import type { AvailableNumber, CarrierNumbers } from '../../ports/carrier.ts';
import type { Clock } from '../../ports/clock.ts';
import { type CarrierHttp, refusedWith } from '../http.ts';

interface TelnyxNumbersOptions {
  readonly connectionId: string;
  readonly messagingProfileId?: string;
  readonly clock: Clock;
}

const ORDER_POLL_MS = 1000;
const ORDER_POLLS = 20;

/** The numbers of a Telnyx account. Calls and texts arrive through its application's webhook. */
export function createTelnyxNumbers(
  http: CarrierHttp,
  options: TelnyxNumbersOptions,
): CarrierNumbers {
  const read = async (number: string, signal: AbortSignal) => {
    const query = new URLSearchParams({ 'filter[phone_number]': number });
    const path = `/phone_numbers?${query}`;
    const body = await http.request({ method: 'GET', path, signal, repeatable: true });
    return dataOf(body).find((candidate) => candidate.phone_number === number);
  };
  const find = async (number: string, signal: AbortSignal) => {
    const found = await read(number, signal);
    return found && asText(found.id);
  };

  return {
    find,

    async inspect(number, signal) {
      const found = await read(number, signal);
      if (!found) return undefined;
      const path = `/call_control_applications/${encodeURIComponent(options.connectionId)}`;
      const body = await http.request({ method: 'GET', path, signal, repeatable: true });
      const application = asRecord(asRecord(body)?.data);
      const obstacle =
        asText(found.connection_id) !== options.connectionId
          ? 'belongs to another application'
          : application?.active === false
            ? 'belongs to an application that is switched off'
            : undefined;
      return {
        voiceUrl: asText(application?.webhook_event_url),
        ...(obstacle === undefined ? {} : { obstacle }),
      };
    },

    async available({ country, areaCode, contains, limit, signal }) {
      const query = new URLSearchParams({
        'filter[country_code]': country,
        'filter[features][]': 'voice',
        'filter[limit]': String(limit),
      });
      if (areaCode) query.set('filter[national_destination_code]', areaCode);
      if (contains) query.set('filter[phone_number][contains]', contains);
      const path = `/available_phone_numbers?${query}`;
      const body = await http.request({ method: 'GET', path, signal, repeatable: true });
      return dataOf(body).map((found) => toAvailable(found, country));
    },

    async purchase(number, signal) {
      const { connectionId, messagingProfileId } = options;
      const order = await http.request({
        method: 'POST',
        path: '/number_orders',
        json: {
          phone_numbers: [{ phone_number: number }],
          connection_id: connectionId,
          ...(messagingProfileId ? { messaging_profile_id: messagingProfileId } : {}),
        },
        signal,
      });
      await settled(http, asRecord(asRecord(order)?.data), options.clock, signal);
      const id = await find(number, signal);
      if (id !== undefined) return id;
      throw orderFailed('was ordered but does not appear in the account');
    },

    async configureWebhooks(numberId, { voiceUrl, smsUrl }, signal) {
      const { connectionId, messagingProfileId } = options;
      if (messagingProfileId) {
        await http.request({
          method: 'PATCH',
          path: `/messaging_profiles/${encodeURIComponent(messagingProfileId)}`,
          json: { webhook_url: smsUrl },
          signal,
          repeatable: true,
        });
      }
      const number = `/phone_numbers/${encodeURIComponent(numberId)}`;
      await http.request({
        method: 'PATCH',
        path: number,
        json: { connection_id: connectionId },
        signal,
        repeatable: true,
      });
      await http.request({
        method: 'PATCH',
        path: `/call_control_applications/${encodeURIComponent(connectionId)}`,
        json: { webhook_event_url: voiceUrl, webhook_api_version: '2' },
        signal,
        repeatable: true,
      });
    },

    async release(numberId, signal) {
      const path = `/phone_numbers/${encodeURIComponent(numberId)}`;
      try {
        await http.request({ method: 'DELETE', path, signal, repeatable: true });
      } catch (error) {
        if (refusedWith(error) !== 404) throw error;
      }
    },
  };
}

/** Waits for an order, which Telnyx processes in the background. */
async function settled(
  http: CarrierHttp,
  order: JsonObject | undefined,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  let current = order;
  for (let poll = 0; poll < ORDER_POLLS; poll++) {
    if (current?.status === 'success') return;
    if (current?.status === 'failure') throw orderFailed('could not be ordered');
    await new Promise<void>((resolve) => {
      clock.setTimeout(resolve, ORDER_POLL_MS);
    });
    const path = `/number_orders/${encodeURIComponent(asText(order?.id))}`;
    const body = await http.request({ method: 'GET', path, signal, repeatable: true });
    current = asRecord(asRecord(body)?.data);
  }
  throw orderFailed('is still being ordered; import it when the order is done');
}

function orderFailed(why: string): ProviderError {
  return new ProviderError({
    class: 'invalid',
    provider: 'telnyx',
    code: 'order-failed',
    message: `telnyx: the number ${why}`,
  });
}

function dataOf(body: unknown): readonly JsonObject[] {
  return asRecords(asRecord(body)?.data);
}

function toAvailable(found: JsonObject, country: string): AvailableNumber {
  const features = asRecords(found.features).map(({ name }) => asText(name));
  const places = asRecords(found.region_information);
  const place = (type: string) =>
    asText(places.find(({ region_type }) => region_type === type)?.region_name);
  const region = place('state');
  const locality = place('rate_center') || place('location');
  return {
    number: asText(found.phone_number),
    country,
    ...(region ? { region } : {}),
    ...(locality ? { locality } : {}),
    capabilities: { voice: features.includes('voice'), sms: features.includes('sms') },
  };
}
