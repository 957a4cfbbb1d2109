import { DeskPhone, type PhoneEvents } from './desk-phone.ts';
import type { EmulatedCarrier, EmulatedText } from './emulated-carrier.ts';
import type { EmulatedPhone } from './twilio-side.ts';

/** Why a telephone could not do what was asked of it. */
export type PhoneRefusal = 'busy' | 'unknown-number' | 'failed';

interface Owned {
  readonly teamId: string;
  readonly number: string;
}

interface SwitchboardOptions {
  /** Undefined when no number of the built-in carrier is this. */
  readonly ownerOf: (number: string) => Promise<string | undefined>;
}

interface Plugged extends Owned {
  readonly phone: DeskPhone;
  readonly unplug: () => void;
}

/** A telephone in the hands of somebody. */
export interface PluggedPhone
  extends Pick<DeskPhone, 'answer' | 'decline' | 'hangup' | 'press' | 'speak'> {
  /** Undefined: the number is being called. */
  call(to: string): Promise<PhoneRefusal | undefined>;
  /** Undefined: the text is on its way. */
  text(to: string, text: string): Promise<PhoneRefusal | undefined>;
  /** Hangs up, and is no longer called. */
  unplug(): void;
}

/**
 * The telephones at the built-in carrier. A team's numbers and a team's telephones reach each other only:
 * what another team dials never rings here.
 */
export class Switchboard {
  readonly #options: SwitchboardOptions;
  readonly #plugged = new Set<Plugged>();
  #carrier: EmulatedCarrier | undefined;

  constructor(options: SwitchboardOptions) {
    this.#options = options;
  }

  /** The carrier whose telephones these are; once, before any call. */
  serve(carrier: EmulatedCarrier): void {
    this.#carrier = carrier;
  }

  /** A telephone at this number; `replaced` is told when the team plugs in another there. */
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
      decline: () => phone.decline(),
      hangup: () => phone.hangup(),
      press: (digit) => phone.press(digit),
      speak: (pcm) => phone.speak(pcm),
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

  /** The telephone for a call from a number of ours; undefined where none stands at all. */
  phoneAt({ from, to }: { readonly from: string; readonly to: string }): EmulatedPhone | undefined {
    if (![...this.#plugged].some(({ number }) => number === to)) return undefined;
    return {
      ring: async (call) => {
        const teamId = await this.#options.ownerOf(from);
        const found = teamId === undefined ? undefined : this.#find({ teamId, number: to });
        // Another team's: to this one it is like any number without a telephone.
        return found ? found.phone.ring(call) : 'answer';
      },
    };
  }

  /** A text that the service sent. */
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
