import { ProviderError } from '../../src/lib/errors.ts';
import type {
  AvailableNumber,
  Carrier,
  CarrierAccount,
  CarrierCapabilities,
  CarrierCredentials,
  CarrierName,
  CarrierNumbers,
  NumberWebhooks,
} from '../../src/ports/carrier.ts';
import type { Carriers } from '../../src/ports/carriers.ts';

const unasked = (): never => {
  throw new Error('this test asks a carrier for numbers only');
};

/** Carriers that keep what they were asked: `twilio` has numbers, texts and any sound, `asterisk` none of them. */
export class ScriptedCarriers implements Carriers {
  /** Every request, with the account it came from. */
  readonly asked: { readonly what: string; readonly by: unknown; readonly of: unknown }[] = [];
  readonly offered: AvailableNumber[] = [];
  /** Carriers' ids of the numbers that the accounts have; each has every other number too, under `PN` and the number. */
  readonly owned = new Map<string, string>();
  /** Numbers that no account has. */
  readonly foreign = new Set<string>();
  readonly webhooks = new Map<string, NumberWebhooks>();
  /** What the next requests of a kind fail with. */
  readonly failures = new Map<string, Error>();
  own: Partial<CarrierCredentials> = {
    asterisk: { ariUrl: 'http://pbx.example/ari', user: 'u', password: 'p' },
  };

  find<Name extends CarrierName>(name: Name): Carrier<Name> | undefined {
    if (name === 'telnyx') return undefined;
    return {
      name,
      capabilities: { customBackgroundSound: name !== 'asterisk' } as CarrierCapabilities,
      createMediaProtocol: unasked,
      addressee: unasked,
      readWebhook: unasked,
      acknowledgement: { status: 204, contentType: 'text/plain', body: '' },
      goodbye: { status: 204, contentType: 'text/plain', body: '' },
      open: (credentials) => this.#account(name, credentials),
    };
  }

  ownCredentials<Name extends CarrierName>(name: Name): CarrierCredentials[Name] | undefined {
    return this.own[name] as CarrierCredentials[Name] | undefined;
  }

  /** A refusal in the carrier's words. */
  fail(what: string, message: string): void {
    const reason = { class: 'invalid', provider: 'twilio', code: 'http_400', message } as const;
    this.failures.set(what, new ProviderError(reason));
  }

  #account(carrier: CarrierName, by: unknown): CarrierAccount {
    const sendText: CarrierAccount['sendText'] = async (message) => {
      this.#note('sendText', by, message);
      return 'SM1';
    };
    return {
      carrier,
      verifyWebhook: unasked,
      connectMedia: unasked,
      refuse: unasked,
      dial: unasked,
      hangup: unasked,
      ...(carrier === 'asterisk'
        ? { eventSource: JSON.stringify(by) }
        : { numbers: this.#numbers(by), sendText }),
    };
  }

  #note(what: string, by: unknown, of: unknown): void {
    this.asked.push({ what, by, of });
    const failure = this.failures.get(what);
    if (failure) throw failure;
  }

  #numbers(by: unknown): CarrierNumbers {
    const note = (what: string, of: unknown) => this.#note(what, by, of);
    return {
      available: async ({ signal: _, ...query }) => {
        note('available', query);
        return this.offered;
      },
      purchase: async (number) => {
        note('purchase', number);
        this.owned.set(number, `PN${number}`);
        return `PN${number}`;
      },
      find: async (number) => {
        note('find', number);
        return this.foreign.has(number) ? undefined : (this.owned.get(number) ?? `PN${number}`);
      },
      inspect: async (number) => {
        note('inspect', number);
        if (this.foreign.has(number)) return undefined;
        return { voiceUrl: this.webhooks.get(`PN${number}`)?.voiceUrl ?? '' };
      },
      configureWebhooks: async (id, webhooks) => {
        note('configureWebhooks', id);
        this.webhooks.set(id, webhooks);
      },
      release: async (id) => {
        note('release', id);
      },
    };
  }
}
