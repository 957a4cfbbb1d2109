import { DeskPhone, type PhoneEvents } from './desk-phone.ts';
import type { EmulatedText, HeldCall } from './emulated-carrier.ts';
import type { EmulatedPhone, TwilioEmulator } from './twilio-side.ts';

/** Why a telephone's request failed. */
export type PhoneRefusal = 'busy' | 'unknown-number' | 'failed';

interface Owned {
  readonly teamId: string;
  readonly number: string;
}

interface SwitchboardOptions {
  /** The team that owns a number; undefined if the built-in carrier has no such number. */
  readonly ownerOf: (number: string) => Promise<string | undefined>;
}

interface Plugged extends Owned {
  readonly phone: DeskPhone;
  readonly unplug: () => void;
}

/** A telephone in use. */
export interface PluggedPhone
  extends Pick<DeskPhone, 'answer' | 'decline' | 'hangup' | 'press' | 'speak'> {
  /** Dials. Resolves with undefined, or with the reason why it could not. */
  call(to: string): Promise<PhoneRefusal | undefined>;
  /** Sends a text. Resolves with undefined, or with the reason why it could not. */
  text(to: string, text: string): Promise<PhoneRefusal | undefined>;
  /** Has a call, or rings for one, as in a process that ended. */
  goOn(held: HeldCall): void;
  /** Hangs up and removes the telephone. */
  unplug(): void;
}

/**
 * The telephones at the built-in carrier. A team's numbers and telephones reach only each other: calls of another team
 * never ring here.
 */
export class Switchboard {
  readonly #options: SwitchboardOptions;
  readonly #plugged = new Set<Plugged>();
  #carrier: TwilioEmulator | undefined;

  constructor(options: SwitchboardOptions) {
    this.#options = options;
  }

  /** Sets the carrier. To be called once, before any call. */
  serve(carrier: TwilioEmulator): void {
    this.#carrier = carrier;
  }

  /** False in a process that does not run the carrier. */
  get isServing(): boolean {
    return this.#carrier !== undefined;
  }

  /** Adds a telephone at this number; `replaced` is called when the team plugs in another one there. */
  plug(owned: Owned, events: PhoneEvents & { replaced(): void }): PluggedPhone {
    const { teamId, number } = owned;
    const before = this.#find(owned);
    before?.unplug();
    const carrier = this.#carrier;
    if (!carrier) throw new Error('the switchboard serves no carrier yet');
    const phone = new DeskPhone({
      number,
      events,
      dial: (to) => carrier.call({ from: number, to }),
    });
    const plugged: Plugged = {
      ...owned,
      phone,
      unplug: () => {
        this.#plugged.delete(plugged);
        phone.hangup();
        events.replaced();
      },
    };
    this.#plugged.add(plugged);
    const isOurs = async (to: string) => (await this.#options.ownerOf(to)) === teamId;
    return {
      answer: () => phone.answer(),
      decline: (as) => phone.decline(as),
      hangup: () => phone.hangup(),
      press: (digit) => phone.press(digit),
      speak: (pcm) => phone.speak(pcm),
      goOn: (held) => {
        const call = carrier.goOn(held, phone);
        if (held.ringSeconds === undefined) phone.goOn(call);
      },
      call: async (to) => {
        if (!phone.isIdle) return 'busy';
        if (!(await isOurs(to))) return 'unknown-number';
        void phone.call(to);
        return undefined;
      },
      text: async (to, text) => {
        if (!(await isOurs(to))) return 'unknown-number';
        try {
          await carrier.text({ from: number, to, text });
          return undefined;
        } catch {
          return 'failed';
        }
      },
      unplug: () => {
        this.#plugged.delete(plugged);
        phone.hangup();
      },
    };
  }

  /** The telephone that a call from one of the service's numbers rings; undefined if there is none. */
  phoneAt({ from, to }: { readonly from: string; readonly to: string }): EmulatedPhone | undefined {
    if (![...this.#plugged].some(({ number }) => number === to)) return undefined;
    return {
      ring: async (call) => {
        const teamId = await this.#options.ownerOf(from);
        const found = teamId === undefined ? undefined : this.#find({ teamId, number: to });
        // To other teams a number looks like one without a telephone.
        return found ? found.phone.ring(call) : 'answer';
      },
    };
  }

  /** Delivers a text that the service sent. */
  async deliver({ from, to, text }: Pick<EmulatedText, 'from' | 'to' | 'text'>): Promise<void> {
    if (![...this.#plugged].some(({ number }) => number === to)) return;
    const teamId = await this.#options.ownerOf(from);
    if (teamId !== undefined) this.#find({ teamId, number: to })?.phone.hear(from, text);
  }

  #find({ teamId, number }: Owned): Plugged | undefined {
    return [...this.#plugged].find(
      (plugged) => plugged.teamId === teamId && plugged.number === number,
    );
  }
}
