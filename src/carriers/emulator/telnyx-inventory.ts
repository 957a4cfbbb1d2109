import { asRecords, asText } from '../../lib/json-frame.ts';
import type { EmulatorAnswer, EmulatorRequest } from './emulator-server.ts';

const FIRST_FREE = 15_005_550_170;
const FREE = 20;

/** The numbers, application and messaging profile of an emulated Telnyx account. */
export class TelnyxInventory {
  webhookUrl = '';
  textUrl = '';
  readonly #owned = new Map<string, string>();
  /** The applications of the numbers, by the numbers' ids. */
  readonly #connections = new Map<string, string>();
  /** Pending orders: each is completed when it is first read. */
  readonly #orders = new Map<string, string>();
  readonly #account: { readonly connectionId: string; readonly messagingProfileId: string };
  #count = 0;

  constructor(account: { readonly connectionId: string; readonly messagingProfileId: string }) {
    this.#account = account;
  }

  has(number: string): boolean {
    return this.#owned.has(number);
  }

  add(number: string, webhookUrl: string, textUrl: string): void {
    this.#connections.set(this.#own(number), this.#account.connectionId);
    this.webhookUrl = webhookUrl;
    this.textUrl = textUrl;
  }

  /** Answers a request; undefined if the path is another resource's. */
  serve({ method, path, query, json }: EmulatorRequest): EmulatorAnswer | undefined {
    const { connectionId, messagingProfileId } = this.#account;
    if (path === '/available_phone_numbers') return this.#available(query);
    if (path === '/number_orders' && method === 'POST') return this.#order(json);
    const order = /^\/number_orders\/(.+)$/.exec(path)?.[1];
    if (order !== undefined) return this.#finishOrder(order);
    if (path === '/phone_numbers') return this.#list(query);
    const id = /^\/phone_numbers\/(.+)$/.exec(path)?.[1];
    if (id !== undefined) return this.#one(method, id, json);
    if (path === `/call_control_applications/${connectionId}`) {
      this.webhookUrl = asText(json.webhook_event_url) || this.webhookUrl;
      const data = { id: connectionId, active: true, webhook_event_url: this.webhookUrl };
      return { status: 200, json: { data } };
    }
    if (path === `/messaging_profiles/${messagingProfileId}`) {
      this.textUrl = asText(json.webhook_url) || this.textUrl;
      return { status: 200, json: { data: { id: messagingProfileId } } };
    }
    return undefined;
  }

  #own(number: string): string {
    const id = this.#owned.get(number) ?? `number-${++this.#count}`;
    this.#owned.set(number, id);
    return id;
  }

  #available(query: URLSearchParams): EmulatorAnswer {
    const limit = Number(query.get('filter[limit]') ?? 10);
    const code = query.get('filter[national_destination_code]') ?? '';
    const contains = query.get('filter[phone_number][contains]') ?? '';
    const numbers = Array.from({ length: FREE }, (_, i) => `+${FIRST_FREE + i}`)
      .filter((number) => !this.#owned.has(number))
      .filter((number) => number.startsWith(`+1${code}`) && number.includes(contains))
      .slice(0, limit);
    const features = [{ name: 'voice' }, { name: 'sms' }];
    return {
      status: 200,
      json: { data: numbers.map((phone_number) => ({ phone_number, features })) },
    };
  }

  #order(json: EmulatorRequest['json']): EmulatorAnswer {
    const number = asText(asRecords(json.phone_numbers)[0]?.phone_number);
    const isFree = Number(number) >= FIRST_FREE && Number(number) < FIRST_FREE + FREE;
    if (!isFree || this.#owned.has(number)) {
      const errors = [{ code: '10027', title: 'Number is no longer available' }];
      return { status: 422, json: { errors } };
    }
    const id = `order-${++this.#count}`;
    this.#orders.set(id, number);
    return { status: 200, json: { data: { id, status: 'pending' } } };
  }

  #finishOrder(id: string): EmulatorAnswer {
    const number = this.#orders.get(id);
    if (number === undefined) return notFound;
    this.#own(number);
    return { status: 200, json: { data: { id, status: 'success' } } };
  }

  #list(query: URLSearchParams): EmulatorAnswer {
    const wanted = query.get('filter[phone_number]') ?? '';
    const data = [...this.#owned]
      .filter(([number]) => number.includes(wanted))
      .map(([phone_number, id]) => ({
        id,
        phone_number,
        connection_id: this.#connections.get(id) ?? '',
      }));
    return { status: 200, json: { data } };
  }

  #one(method: string, id: string, json: EmulatorRequest['json']): EmulatorAnswer {
    const owned = [...this.#owned].find(([, candidate]) => candidate === id);
    if (!owned) return notFound;
    if (method === 'DELETE') this.#owned.delete(owned[0]);
    if (method === 'PATCH') this.#connections.set(id, asText(json.connection_id));
    return { status: 200, json: { data: { id, phone_number: owned[0] } } };
  }
}

const notFound: EmulatorAnswer = {
  status: 404,
  json: { errors: [{ code: '10005', title: 'Resource not found' }] },
};
