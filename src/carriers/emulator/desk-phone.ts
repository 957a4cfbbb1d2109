import type { EmulatedCall, Unanswered } from './emulated-carrier.ts';
import type { EmulatedPhone } from './twilio-side.ts';

/** The events of a telephone. */
export interface PhoneEvents {
  /** An inbound call rings; answer it with `answer` or `decline`. */
  ringing(from: string): void;
  /** The call is connected. */
  answered(call: EmulatedCall): void;
  /** The call ended or failed, with the carrier's status. */
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
      readonly decide: (decision: 'answer' | Unanswered) => void;
    }
  /** `call` is set once the carrier has accepted it. */
  | { readonly at: 'dialling'; call?: EmulatedCall }
  | { readonly at: 'talking'; readonly call: EmulatedCall };

/** Speech buffered ahead of the line's clock; more would be lasting delay. */
const MAX_LEAD_MS = 400;
/** Silence before speech begins, a cushion against late frames. */
const CUSHION = new Int16Array(480);

/** A telephone at one number of the built-in carrier. It has one call at a time, and is busy for a second caller. */
export class DeskPhone implements EmulatedPhone {
  readonly number: string;
  readonly #events: PhoneEvents;
  readonly #dial: (to: string) => Promise<EmulatedCall>;
  #state: State = { at: 'idle' };
  /** The end of the speech queued for the line, on the call's clock. */
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

  ring(call: EmulatedCall): Promise<'answer' | Unanswered> {
    if (this.#state.at !== 'idle') return Promise.resolve('busy');
    const { promise, resolve } = Promise.withResolvers<'answer' | Unanswered>();
    this.#state = { at: 'ringing', call, decide: resolve };
    this.#events.ringing(call.from);
    this.#follow(call);
    return promise;
  }

  /** Dials; does nothing unless idle. */
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

  /** Goes on with a call that was answered before; hangs it up unless idle. */
  goOn(call: EmulatedCall): void {
    if (this.#state.at === 'idle') {
      this.#state = { at: 'dialling', call };
      this.#follow(call);
    } else call.hangup();
  }

  answer(): void {
    if (this.#state.at === 'ringing') this.#state.decide('answer');
  }

  decline(as: Unanswered = 'busy'): void {
    if (this.#state.at === 'ringing') this.#state.decide(as);
  }

  /** Hangs up, or declines a ringing call. */
  hangup(): void {
    const state = this.#state;
    if (state.at === 'ringing') state.decide('busy');
    else if (state.at === 'dialling' && !state.call) this.#end('canceled');
    else if (state.at !== 'idle') state.call?.hangup();
  }

  press(digit: string): void {
    if (this.#state.at === 'talking') this.#state.call.handset.press(digit);
  }

  /** Speaks PCM16 at 8 kHz; the array may be reused. Ignored without a call. */
  speak(pcm: Int16Array): void {
    if (this.#state.at !== 'talking') return;
    const { handset } = this.#state.call;
    const lead = this.#spokenToMs - handset.elapsedMs;
    if (lead > MAX_LEAD_MS) return;
    if (lead <= 0) handset.say(CUSHION);
    // Copied, since it is queued.
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
      // The call's end reports it.
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
