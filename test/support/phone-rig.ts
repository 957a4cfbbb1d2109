import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseWav } from '../../src/audio/parse-wav.ts';
import { startAsteriskEmulator } from '../../src/carriers/emulator/asterisk-side.ts';
import type {
  DialledBehaviour,
  EmulatedCall,
  EmulatedCarrier,
} from '../../src/carriers/emulator/emulated-carrier.ts';
import { startTelnyxEmulator } from '../../src/carriers/emulator/telnyx-side.ts';
import { startTwilioEmulator } from '../../src/carriers/emulator/twilio-side.ts';
import { parseConfig } from '../../src/config/config.ts';
import { systemClock } from '../../src/lib/system-clock.ts';
import { type App, createApp } from '../../src/service/app.ts';
import { serviceDatabaseUrl } from './postgres.ts';

const KEY = 'phone-rig-key-0123456789';
const ANSWERS: DialledBehaviour = { outcome: 'answer', ringMs: 50 };

/** A telephone that the service may dial. */
interface Telephone {
  /** One after the other; the last is for all further dials. */
  behaviours: readonly DialledBehaviour[];
  readonly answered: PromiseWithResolvers<EmulatedCall>;
  dials: number;
}

/**
 * The whole service with every carrier emulated beside it, over real sockets. Calls of several tests may run at once:
 * each has telephones of its own.
 */
export class PhoneRig implements AsyncDisposable {
  readonly url: string;
  readonly carriers: readonly EmulatedCarrier[];
  readonly #app: App;
  readonly #dir: string;
  readonly #telephones = new Map<string, Telephone>();
  #nextNumber = 15_005_550_190;
  #nextPerson = 15_005_560_000;

  private constructor(app: App, url: string, carriers: readonly EmulatedCarrier[], dir: string) {
    this.#app = app;
    this.url = url;
    this.carriers = carriers;
    this.#dir = dir;
    for (const carrier of carriers) {
      carrier.behaviour = ({ to }) => {
        const telephone = this.#telephone(to);
        const { behaviours } = telephone;
        return behaviours[Math.min(telephone.dials++, behaviours.length - 1)] ?? ANSWERS;
      };
      carrier.onAnswered = (call) => this.#telephone(call.to).answered.resolve(call);
    }
  }

  static async start(env: Readonly<Record<string, string>> = {}): Promise<PhoneRig> {
    const dir = await mkdtemp(join(tmpdir(), 'parley-phone-'));
    const carriers: EmulatedCarrier[] = [
      await startTwilioEmulator('twilio', { clock: systemClock }),
      await startTelnyxEmulator({ clock: systemClock }),
      await startAsteriskEmulator({ clock: systemClock }),
    ] as EmulatedCarrier[];
    const database = await serviceDatabaseUrl();
    const baseUrl = (name: string) => carriers.find((carrier) => carrier.name === name)?.baseUrl;
    const app = await createApp(
      parseConfig({
        DATA_DIR: dir,
        ...(database ? { DATABASE_URL: database } : {}),
        PORT: '0',
        API_KEY: KEY,
        LOG_LEVEL: process.env.RIG_LOG ?? 'silent',
        DRAIN_SECONDS: '0',
        // Other tests may keep the machine busy.
        MAX_LAG_MS: '10000',
        // Where the emulated Asterisk and the scripted models are.
        ALLOW_PRIVATE_TARGETS: 'true',
        TWILIO_BASE_URL: baseUrl('twilio'),
        TELNYX_BASE_URL: baseUrl('telnyx'),
        ...env,
      }),
    );
    const url = await app.listen();
    return new PhoneRig(app, url, carriers, dir);
  }

  async json<Body>(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ readonly status: number; readonly body: Body }> {
    const response = await fetch(this.url + path, {
      method,
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: (text ? JSON.parse(text) : undefined) as Body };
  }

  /** A number that nobody else has. */
  person(): string {
    return `+${this.#nextPerson++}`;
  }

  /** What happens when this number is dialled, the first time and so on. @defaultValue it is answered after 50 ms */
  whenDialled(number: string, ...behaviours: readonly DialledBehaviour[]): void {
    this.#telephone(number).behaviours = behaviours;
  }

  /** Resolves with the first call that is answered at this number. */
  answered(number: string): Promise<EmulatedCall> {
    return this.#telephone(number).answered.promise;
  }

  /** How often the service has dialled this number. */
  timesDialled(number: string): number {
    return this.#telephone(number).dials;
  }

  #telephone(number: string): Telephone {
    const known = this.#telephones.get(number);
    if (known) return known;
    const telephone = {
      behaviours: [],
      answered: Promise.withResolvers<EmulatedCall>(),
      dials: 0,
    };
    this.#telephones.set(number, telephone);
    return telephone;
  }

  carrier(name: EmulatedCarrier['name']): EmulatedCarrier {
    const found = this.carriers.find((carrier) => carrier.name === name);
    if (!found) throw new Error(`there is no ${name} here`);
    return found;
  }

  /** A number of its own at a carrier, imported, with an assistant of its own behind it. */
  async addNumber(
    carrier: EmulatedCarrier,
    assistant: object,
    more: object = {},
  ): Promise<{ readonly id: string; readonly number: string }> {
    const number = `+${this.#nextNumber++}`;
    const at = `${this.url}/carriers/${carrier.name}`;
    carrier.addNumber(number, { voiceUrl: `${at}/voice`, smsUrl: `${at}/sms` });
    const credentials = { ...carrier.credentials, ...more };
    const path = `/assistants/v1/numbers/${carrier.name}`;
    const { _id: id } = await this.ask<{ _id: string }>('POST', path, { number, credentials });
    const { _id: assistantId } = await this.ask<{ _id: string }>(
      'POST',
      '/assistants/v1/assistants',
      { name: 'Phone', ...assistant },
    );
    await this.ask('PUT', `/assistants/v1/numbers/${id}`, { assistantId });
    return { id, number };
  }

  async text(path: string): Promise<string> {
    const headers = { authorization: `Bearer ${KEY}` };
    return (await fetch(this.url + path, { headers })).text();
  }

  /** The caller's channel of a call's recording, and the other. */
  async recording(
    id: string,
  ): Promise<readonly { readonly pcm: Int16Array; readonly rateHz: number }[]> {
    const headers = { authorization: `Bearer ${KEY}` };
    const response = await fetch(`${this.url}/calls/v1/conversations/${id}/recording`, { headers });
    const wav = parseWav(new Uint8Array(await response.arrayBuffer()));
    return wav.channels.map((pcm) => ({ pcm, rateHz: wav.sampleRateHz }));
  }

  /** What must succeed. */
  async ask<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    const answer = await this.json<Body>(method, path, body);
    if (answer.status >= 300)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#app.close();
    for (const carrier of this.carriers) await carrier[Symbol.asyncDispose]();
    await rm(this.#dir, { recursive: true, force: true, maxRetries: 3 });
  }
}
