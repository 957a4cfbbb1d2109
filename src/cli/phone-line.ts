import { startAsteriskEmulator } from '../carriers/emulator/asterisk-side.ts';
import type { EmulatedCall, EmulatedCarrier } from '../carriers/emulator/emulated-carrier.ts';
import { startTelnyxEmulator } from '../carriers/emulator/telnyx-side.ts';
import { startTwilioEmulator } from '../carriers/emulator/twilio-side.ts';
import type { CallStatus } from '../contract/call.ts';
import { systemClock } from '../lib/system-clock.ts';
import type { CarrierCredentials } from '../ports/carrier.ts';
import type { Caller, CallerEnd, ConnectCaller } from './caller.ts';
import { CliError } from './cli-error.ts';
import type { ServerFrame } from './server-frame.ts';
import type { ServiceClient } from './service-client.ts';

export type PhoneCarrier = 'twilio' | 'telnyx' | 'asterisk';

/** From the range that is kept for fiction. */
const OUR_NUMBER = '+15005550199';
const USER_NUMBER = '+15005550100';
const ANSWER_MS = 20_000;
const LOOK_MS = 300;
/** After the end, until the record has everything. */
const LAST_LOOKS = 20;
/** A person takes this long to pick up. */
const RING_MS = 1500;

/** A carrier on this machine, with one number of ours and one caller. */
export class PhoneLine implements AsyncDisposable {
  readonly #carrier: EmulatedCarrier;

  private constructor(carrier: EmulatedCarrier) {
    this.#carrier = carrier;
  }

  static async start(via: PhoneCarrier): Promise<PhoneLine> {
    const clock = systemClock;
    const start = {
      twilio: () => startTwilioEmulator('twilio', { clock }),
      telnyx: () => startTelnyxEmulator({ clock }),
      asterisk: () => startAsteriskEmulator({ clock }),
    };
    return new PhoneLine((await start[via]()) as unknown as EmulatedCarrier);
  }

  /** What points the service at this carrier. */
  get environment(): Readonly<Record<string, string>> {
    const { name, baseUrl, credentials } = this.#carrier;
    if (name !== 'asterisk') return { [`${name.toUpperCase()}_BASE_URL`]: baseUrl };
    // The operator's own may be on this machine.
    const { ariUrl, user, password } = credentials as CarrierCredentials['asterisk'];
    return { ASTERISK_ARI_URL: ariUrl, ASTERISK_ARI_USER: user, ASTERISK_ARI_PASSWORD: password };
  }

  /** Calls the assistant, or is called by it. */
  caller(
    client: ServiceClient,
    options: { readonly assistantId: string; readonly outbound: boolean },
  ): ConnectCaller {
    return async (onFrame) => {
      const carrier = this.#carrier;
      const at = `${client.url}/carriers/${carrier.name}`;
      carrier.addNumber(OUR_NUMBER, { voiceUrl: `${at}/voice`, smsUrl: `${at}/sms` });
      const numberId = await client.importNumber(carrier.name, {
        number: OUR_NUMBER,
        credentials: carrier.credentials,
      });
      await client.attachNumber(numberId, options.assistantId);
      const call = options.outbound
        ? await this.#receive(client, numberId)
        : await carrier.call({ from: USER_NUMBER, to: OUR_NUMBER });
      await connected(call);
      return PhoneCaller.follow(call, client, onFrame);
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#carrier[Symbol.asyncDispose]();
  }

  async #receive(client: ServiceClient, numberId: string): Promise<EmulatedCall> {
    const carrier = this.#carrier;
    const answered = Promise.withResolvers<EmulatedCall>();
    carrier.behaviour = () => ({ outcome: 'answer', ringMs: RING_MS });
    carrier.onAnswered = answered.resolve;
    await client.dial(numberId, USER_NUMBER);
    return answered.promise;
  }
}

async function connected(call: EmulatedCall): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = systemClock.setTimeout(
    () => late.reject(new CliError('the call was not answered in time')),
    ANSWER_MS,
  );
  try {
    await Promise.race([call.connected, late.promise]);
  } catch (error) {
    throw error instanceof CliError ? error : new CliError((error as Error).message);
  } finally {
    systemClock.clearTimeout(timer);
  }
}

/** A phone shows nothing: what was said is read from the call's record, as it grows. */
class PhoneCaller implements Caller {
  readonly callId: string;
  /** Once everything said is shown. */
  readonly ended: Promise<CallerEnd>;
  readonly #call: EmulatedCall;
  readonly #client: ServiceClient;
  readonly #onFrame: (frame: ServerFrame, atMs: number) => void;
  readonly #shown = new Map<string, string>();
  #status: CallStatus | undefined;
  #closed = false;
  #watching: Promise<void> | undefined;

  private constructor(
    callId: string,
    call: EmulatedCall,
    client: ServiceClient,
    onFrame: (frame: ServerFrame, atMs: number) => void,
  ) {
    this.callId = callId;
    this.#call = call;
    this.#client = client;
    this.#onFrame = onFrame;
    this.ended = call.ended.then(async (reason) => {
      await this.#watching;
      return { reason };
    });
  }

  static async follow(
    call: EmulatedCall,
    client: ServiceClient,
    onFrame: (frame: ServerFrame, atMs: number) => void,
  ): Promise<PhoneCaller> {
    const callId = await client.findCall(USER_NUMBER);
    if (callId === undefined) throw new CliError('the service has no record of the call');
    const caller = new PhoneCaller(callId, call, client, onFrame);
    caller.#watching = caller.#watch();
    return caller;
  }

  get elapsedMs(): number {
    return this.#call.handset.elapsedMs;
  }

  get sampleRateHz(): number {
    return this.#call.handset.sampleRateHz;
  }

  get tracks() {
    return this.#call.handset.tracks;
  }

  say(pcm: Int16Array) {
    return this.#call.handset.say(pcm);
  }

  hangup(): void {
    this.#call.hangup();
  }

  close(): void {
    this.#call.hangup();
  }

  async #watch(): Promise<void> {
    let lastLooks = LAST_LOOKS;
    void this.#call.ended.then(() => {
      this.#closed = true;
    });
    while (this.#status !== 'finished' && lastLooks > 0) {
      if (this.#closed) lastLooks--;
      try {
        this.#show(await this.#client.getCall(this.callId));
      } catch {
        // The report reads the record again, and says what is wrong with it.
      }
      await new Promise<void>((resolve) => {
        systemClock.setTimeout(resolve, LOOK_MS);
      });
    }
  }

  #show({ messages, status }: Awaited<ReturnType<ServiceClient['getCall']>>): void {
    if (status !== this.#status) this.#onFrame({ type: 'status', status }, this.elapsedMs);
    this.#status = status;
    for (const [i, { messageId, role, text }] of messages.entries()) {
      if (role !== 'user' && role !== 'assistant') continue;
      // The last one may still grow.
      const isFinal = i < messages.length - 1 || status === 'finished';
      const shown = `${isFinal} ${text}`;
      if (this.#shown.get(messageId) === shown) continue;
      this.#shown.set(messageId, shown);
      this.#onFrame({ type: 'transcript', role, text, final: isFinal }, this.elapsedMs);
    }
  }
}
