import type { Clock } from '../../ports/clock.ts';
import { signTwilio } from '../twilio/signature.ts';
import type { EmulatedCall, EmulatorFaults } from './emulated-carrier.ts';
import { Handset } from './handset.ts';
import { createTwilioWire } from './twilio-wire.ts';
import { parseTwiml, type TwimlVerb } from './twiml.ts';

export interface TwilioCallOptions {
  readonly clock: Clock;
  readonly accountSid: string;
  readonly authToken: string;
  readonly sid: string;
  readonly from: string;
  readonly to: string;
  readonly callerName?: string;
  readonly direction: 'inbound' | 'outbound-api';
  readonly voiceUrl: string;
  readonly statusUrl?: string;
  /** Its status at a carrier that ended; absent for a call that begins here. */
  readonly held?: 'ringing' | 'in-progress' | undefined;
  readonly faults: EmulatorFaults;
  /** Maps the service's public URL to one that is reachable from here. */
  readonly reach: (url: string) => string;
}

/** Deadline of a webhook's answer. */
export const WEBHOOK_MS = 15_000;
const MAX_DOCUMENTS = 20;

/** One call at the emulated Twilio: runs TwiML documents and reports its status. */
export class TwilioCall implements EmulatedCall {
  readonly carrierCallId: string;
  readonly from: string;
  readonly to: string;
  readonly handset: Handset;
  readonly #options: TwilioCallOptions;
  readonly #connected = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<string>();
  readonly #over = new AbortController();
  readonly #statuses: (() => Promise<void>)[] = [];
  readonly #posts = new Set<Promise<void>>();
  /** Codes of Twilio's error dictionary for faulty documents. */
  readonly errors: string[] = [];
  #status: string;
  #sockets = 0;
  #sequence = 0;
  #answered = false;

  constructor(options: TwilioCallOptions) {
    this.#options = options;
    this.carrierCallId = options.sid;
    this.from = options.from;
    this.to = options.to;
    this.#answered = options.held === 'in-progress';
    this.#status = options.held ?? (options.direction === 'inbound' ? 'ringing' : 'queued');
    // Above what the carrier that ended had reported.
    if (options.held) this.#sequence = options.clock.now();
    this.handset = new Handset(options.clock);
    this.#connected.promise.catch(() => undefined);
  }

  get connected(): Promise<void> {
    return this.#connected.promise;
  }

  get ended(): Promise<string> {
    return this.#ended.promise;
  }

  get sockets(): number {
    return this.#sockets;
  }

  get isOver(): boolean {
    return this.#over.signal.aborted;
  }

  get isAnswered(): boolean {
    return this.#answered;
  }

  /** The far end hangs up. */
  hangup(): void {
    this.handset.stop();
    this.end(this.#answered ? 'completed' : 'canceled', this.#answered ? '200' : '487');
  }

  /** Sends a status callback, if one was requested. */
  report(status: string, fields: Readonly<Record<string, string>> = {}): void {
    this.#status = status;
    const { statusUrl, faults } = this.#options;
    if (!statusUrl) return;
    const all = {
      ...this.#fields(),
      CallStatus: status,
      Timestamp: new Date(this.#options.clock.now()).toUTCString(),
      CallbackSource: 'call-progress-events',
      SequenceNumber: String(this.#sequence++),
      ...fields,
    };
    const post = async () => void (await this.#post(statusUrl, all));
    if (faults.deliver) this.#statuses.push(post);
    else this.#track(post());
  }

  /** Runs an answered call: requests the document, runs it, and goes on to the next until there is none. */
  async run(): Promise<void> {
    let url: string | undefined = this.#options.voiceUrl;
    for (let documents = 0; url !== undefined && !this.isOver; documents++) {
      if (documents >= MAX_DOCUMENTS) {
        this.errors.push('too-many-documents');
        break;
      }
      const verbs: readonly TwimlVerb[] | string = await this.#document(url);
      if (typeof verbs === 'string') {
        this.errors.push(verbs);
        break;
      }
      url = await this.#runVerbs(verbs, url);
    }
    this.end(this.#answered ? 'completed' : 'no-answer');
  }

  /** Breaks off without a word, as the carrier's process does when it dies. */
  abandon(): void {
    if (this.isOver) return;
    this.#over.abort();
    this.handset.drop();
    this.handset.close();
    this.#connected.reject(new Error('the carrier ended'));
  }

  end(status: string, sipCode = '200'): void {
    if (this.isOver) return;
    this.#over.abort();
    this.report(status, {
      SipResponseCode: sipCode,
      ...(this.#answered ? { CallDuration: '1' } : {}),
    });
    this.handset.close();
    this.#connected.reject(new Error(`the call ended (${status}) before it had a media socket`));
    void this.#settle().then(() => this.#ended.resolve(status));
  }

  async #settle(): Promise<void> {
    const { faults } = this.#options;
    if (faults.deliver) await faults.deliver(this.#statuses);
    await Promise.allSettled(this.#posts);
  }

  /** Runs the verbs. Resolves with the URL of the next document, if any. */
  async #runVerbs(verbs: readonly TwimlVerb[], base: string): Promise<string | undefined> {
    for (const verb of verbs) {
      if (this.isOver) return undefined;
      switch (verb.verb) {
        case 'redirect':
          return new URL(verb.url, base).href;
        case 'reject':
          this.end(verb.reason === 'busy' ? 'busy' : 'failed');
          return undefined;
        case 'hangup':
          return undefined;
        case 'connect-stream':
          this.#answer();
          await this.#stream(verb.url, verb.parameters);
      }
    }
    return undefined;
  }

  #answer(): void {
    if (this.#answered) return;
    this.#answered = true;
    if (this.#options.direction === 'inbound') this.#status = 'in-progress';
  }

  /** The dialled party answers. */
  pickedUp(): void {
    this.#answered = true;
    this.report('in-progress');
  }

  async #stream(url: string, parameters: Readonly<Record<string, string>>): Promise<void> {
    const { accountSid, authToken, sid } = this.#options;
    // Twilio drops the query of a media URL, or fails the handshake.
    const target = new URL(url);
    if (target.search !== '' || !target.protocol.startsWith('ws')) {
      this.errors.push('31920');
      return;
    }
    const streamSid = `MZ${crypto.randomUUID().replaceAll('-', '')}`;
    const wire = createTwilioWire({ streamSid, accountSid, callSid: sid, parameters });
    this.#sockets++;
    try {
      const done = this.handset.link({
        url: this.#options.reach(url),
        wire,
        headers: { 'x-twilio-signature': signTwilio(authToken, url, []) },
      });
      this.#connected.resolve();
      await done;
    } catch {
      this.errors.push('31902');
    }
  }

  async #document(url: string): Promise<readonly TwimlVerb[] | string> {
    const overrides = new URLSearchParams(new URL(url).hash.slice(1));
    const repeatsAll = overrides.get('rp')?.split(',').includes('all') ?? false;
    const fields = { ...this.#fields(), CallStatus: this.#status };
    const ask = async () => {
      const answer = await this.#post(url, fields);
      return this.#options.faults.losesAnswer?.(url) ? undefined : answer;
    };
    let response = await ask();
    // By default Twilio repeats only what could not be connected.
    for (let left = Number(overrides.get('rc')); repeatsAll && left > 0 && !response?.ok; left--)
      response = await ask();
    if (!response?.ok) return '11200';
    if (!/^(text|application)\/xml/.test(response.headers.get('content-type') ?? ''))
      return '12300';
    return parseTwiml(await response.text());
  }

  /** Posts a signed form. Resolves with undefined if there was no answer. */
  async #post(
    url: string,
    fields: Readonly<Record<string, string>>,
  ): Promise<Response | undefined> {
    const body = new URLSearchParams(fields);
    const [signed = ''] = url.split('#');
    try {
      return await fetch(this.#options.reach(signed), {
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'x-twilio-signature': signTwilio(this.#options.authToken, signed, [...body]),
        },
        body: body.toString(),
        signal: AbortSignal.timeout(WEBHOOK_MS),
      });
    } catch {
      return undefined;
    }
  }

  #track(post: Promise<void>): void {
    const done = post.finally(() => this.#posts.delete(done));
    this.#posts.add(done);
  }

  #fields(): Record<string, string> {
    const { accountSid, sid, from, to, direction, callerName } = this.#options;
    return {
      AccountSid: accountSid,
      ApiVersion: '2010-04-01',
      CallSid: sid,
      Called: to,
      Caller: from,
      Direction: direction,
      From: from,
      FromCity: '',
      To: to,
      ...(callerName ? { CallerName: callerName } : {}),
    };
  }
}
