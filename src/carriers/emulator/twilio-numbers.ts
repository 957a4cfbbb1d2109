import type { EmulatorAnswer, EmulatorRequest } from './emulator-server.ts';

/** The service's webhooks of a number. */
export interface NumberWebhooks {
  readonly voiceUrl: string;
  readonly smsUrl: string;
}

interface Owned {
  readonly sid: string;
  readonly number: string;
  voiceUrl: string;
  smsUrl: string;
}

/** The first number that can be bought, in a range reserved for fiction. */
const FIRST_FREE = 15_005_550_130;
const FREE = 40;

/** The numbers of an emulated Twilio account, and those it may buy. */
export class TwilioNumbers {
  readonly #owned = new Map<string, Owned>();
  readonly #any: (() => NumberWebhooks) | undefined;
  #count = 0;

  /** With `any`, every number belongs to the account and has these webhooks. */
  constructor(any?: () => NumberWebhooks) {
    this.#any = any;
  }

  has(number: string): boolean {
    return this.#any !== undefined || this.#owned.has(number);
  }

  webhooksOf(number: string): NumberWebhooks {
    const owned = this.#owned.get(number);
    const webhooks = owned?.voiceUrl ? owned : (this.#any?.() ?? owned);
    if (!webhooks) throw new Error(`the emulated account has no number ${number}`);
    return webhooks;
  }

  add(number: string, { voiceUrl, smsUrl }: NumberWebhooks): Owned {
    const sid = `PN${String(++this.#count).padStart(32, '0')}`;
    const owned = { sid, number, voiceUrl, smsUrl };
    this.#owned.set(number, owned);
    return owned;
  }

  /** Answers a request; undefined if the path is another resource's. */
  serve(method: string, path: string, request: EmulatorRequest): EmulatorAnswer | undefined {
    if (/^\/AvailablePhoneNumbers\/[A-Z]{2}\/Local\.json$/.test(path))
      return this.#available(request.query);
    if (path === '/IncomingPhoneNumbers.json')
      return method === 'POST' ? this.#buy(request.form) : this.#list(request.query);
    const sid = /^\/IncomingPhoneNumbers\/(PN\w+)\.json$/.exec(path)?.[1];
    if (sid === undefined) return undefined;
    const owned = [...this.#owned.values()].find((candidate) => candidate.sid === sid);
    if (!owned) return { status: 404, json: { code: 20_404, message: 'not found', status: 404 } };
    if (method === 'DELETE') {
      this.#owned.delete(owned.number);
      return { status: 204 };
    }
    owned.voiceUrl = request.form.get('VoiceUrl') ?? owned.voiceUrl;
    owned.smsUrl = request.form.get('SmsUrl') ?? owned.smsUrl;
    return { status: 200, json: view(owned) };
  }

  #available(query: URLSearchParams): EmulatorAnswer {
    const contains = (query.get('Contains') ?? '').replaceAll('*', '');
    const numbers = Array.from({ length: FREE }, (_, i) => `+${FIRST_FREE + i}`)
      .filter((number) => !this.#owned.has(number) && number.includes(contains))
      .filter((number) => number.startsWith(`+1${query.get('AreaCode') ?? ''}`))
      .slice(0, Number(query.get('PageSize') ?? 50));
    return {
      status: 200,
      json: {
        available_phone_numbers: numbers.map((number) => ({
          friendly_name: number,
          phone_number: number,
          iso_country: 'US',
          locality: 'Springfield',
          region: 'IL',
          capabilities: { voice: true, SMS: true, MMS: true },
        })),
      },
    };
  }

  #buy(form: URLSearchParams): EmulatorAnswer {
    const number = form.get('PhoneNumber') ?? '';
    const isFree = Number(number) >= FIRST_FREE && Number(number) < FIRST_FREE + FREE;
    if (!isFree || this.#owned.has(number)) {
      const message = `${number} is not available`;
      return { status: 400, json: { code: 21_422, message, status: 400 } };
    }
    return { status: 201, json: view(this.add(number, { voiceUrl: '', smsUrl: '' })) };
  }

  #list(query: URLSearchParams): EmulatorAnswer {
    const wanted = query.get('PhoneNumber')?.replaceAll('*', '') ?? '';
    if (this.#any && wanted !== '' && !this.#owned.has(wanted))
      this.add(wanted, { voiceUrl: '', smsUrl: '' });
    const found = [...this.#owned.values()].filter(({ number }) => number.includes(wanted));
    return { status: 200, json: { incoming_phone_numbers: found.map(view) } };
  }
}

function view({ sid, number, voiceUrl, smsUrl }: Owned) {
  return { sid, phone_number: number, voice_url: voiceUrl, sms_url: smsUrl };
}
