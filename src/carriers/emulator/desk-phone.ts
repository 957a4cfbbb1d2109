import type { EmulatedCall } from './emulated-carrier.ts';
import type { EmulatedPhone } from './twilio-side.ts';

/** What happens at a telephone, for whoever holds it. */
export interface PhoneEvents {
  /** Somebody calls; `answer` or `decline`. */
  ringing(from: string): void;
  /** Both parties hear each other. */
  answered(call: EmulatedCall): void;
  /** The call is over, or never came about: the carrier's word for how. */
  ended(reason: string): void;
  /** PCM16 at 8 kHz, every 20 ms while a call is answered. */
  audio(frame: Int16Array): void;
  text(from: string, text: string): void;
}

type State =
  | { readonly at: 'idle' }
  | {
      readonly at: 'ringing';
      readonly call: EmulatedCall;
      readonly decide: (decision: 'answer' | 'busy') => void;
    }
  /** `call` once the carrier has taken it. */
  | { readonly at: 'dialling'; call?: EmulatedCall }
  | { readonly at: 'talking'; readonly call: EmulatedCall };

/** Ahead of the line's clock: more than this would only ever be delay. */
const MAX_LEAD_MS = 400;
/** Kept in front of speech that begins, for frames that come late. */
const CUSHION = new Int16Array(480);

/** A telephone at one number of the built-in carrier. It holds one call at a time; a second caller finds it busy. */
export class DeskPhone implements EmulatedPhone {
  readonly number: string;
  readonly #events: PhoneEvents;
  readonly #dial: (to: string) => Promise<EmulatedCall>;
  #state: State = { at: 'idle' };
  /** Until when there is speech for the line, on the call's clock. */
  #spokenToMs = 0;

  constructor(options: {
    readonly number: string;
    readonly events: PhoneEvents;
    readonly dial: (to: string) => Promise<EmulatedCall>;
  }) {
    this.number = options.number;
    this.#events = options.events;
    this.#dial = options.dial;
  }

  get isIdle(): boolean {
    return this.#state.at === 'idle';
  }

  ring(call: EmulatedCall): Promise<'answer' | 'busy'> {
    if (this.#state.at !== 'idle') return Promise.resolve('busy');
    const { promise, resolve } = Promise.withResolvers<'answer' | 'busy'>();
    this.#state = { at: 'ringing', call, decide: resolve };
    this.#events.ringing(call.from);
    this.#follow(call);
    return promise;
  }

  /** Does nothing unless it is idle. */
  async call(to: string): Promise<void> {
    if (this.#state.at !== 'idle') return;
    const dialling: State = { at: 'dialling' };
    this.#state = dialling;
    try {
      const call = await this.#dial(to);
      if (this.#state !== dialling) return call.hangup();
      dialling.call = call;
      this.#follow(call);
    } catch {
      if (this.#state === dialling) this.#end('failed');
    }
  }

  answer(): void {
    if (this.#state.at === 'ringing') this.#state.decide('answer');
  }

  decline(): void {
    if (this.#state.at === 'ringing') this.#state.decide('busy');
  }

  /** Declines what only rings. */
  hangup(): void {
    const state = this.#state;
    if (state.at === 'ringing') state.decide('busy');
    else if (state.at === 'dialling' && !state.call) this.#end('canceled');
    else if (state.at !== 'idle') state.call?.hangup();
  }

  press(digit: string): void {
    if (this.#state.at === 'talking') this.#state.call.handset.press(digit);
  }

  /** Speech at 8 kHz, in an array that may be reused; there is nobody to hear it without a call. */
  speak(pcm: Int16Array): void {
    if (this.#state.at !== 'talking') return;
    const { handset } = this.#state.call;
    const lead = this.#spokenToMs - handset.elapsedMs;
    if (lead > MAX_LEAD_MS) return;
    if (lead <= 0) handset.say(CUSHION);
    // A copy: it waits to be heard.
    this.#spokenToMs = handset.say(pcm.slice()).fromMs + pcm.length / 8;
  }

  hear(from: string, text: string): void {
    this.#events.text(from, text);
  }

  #follow(call: EmulatedCall): void {
    const own = () => this.#state.at !== 'idle' && this.#state.call === call;
    call.connected.then(
      () => {
        if (!own()) return;
        this.#state = { at: 'talking', call };
        this.#spokenToMs = 0;
        call.handset.listen((frame) => this.#events.audio(frame));
        this.#events.answered(call);
      },
      // Told by its end.
      () => undefined,
    );
    void call.ended.then((reason) => {
      if (own()) this.#end(reason);
    });
  }

  #end(reason: string): void {
    this.#state = { at: 'idle' };
    this.#events.ended(reason);
  }
}
