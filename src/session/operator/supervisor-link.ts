import { createResampler, type Resampler } from '../../audio/resampler.ts';
import type { ControlEvent } from '../../contract/control.ts';
import type { ControlOutcome } from '../../ports/call-control.ts';
import type { Microphone, TakenOver, TakeOverRefusal } from '../../ports/call-take-over.ts';
import type { Clock } from '../../ports/clock.ts';
import type { MediaLeg } from '../../ports/media.ts';
import type { SupervisorCommand } from '../command-owners.ts';
import type { Playout } from '../outbound/playout.ts';
import type { Ticker } from '../ticker.ts';
import { BridgeLane } from './bridge-lane.ts';
import type { SupervisorWords } from './supervisor-words.ts';

interface Deps {
  readonly clock: Clock;
  readonly ticker: Ticker;
  readonly caller: MediaLeg;
  readonly playout: Pick<Playout, 'attach' | 'detach'>;
  readonly control: (event: ControlEvent) => Promise<ControlOutcome>;
  /** Gets the person's sound as it is sent to the caller. */
  readonly tap: (pcm: Int16Array, atMs: number) => void;
  /** Begins to write down what the person of this name says. */
  readonly transcribe: (by: string, sampleRateHz: number) => SupervisorWords;
}

interface Offer {
  readonly microphone: Microphone;
  readonly by: string;
}

interface Link {
  readonly microphone: Microphone;
  readonly toCaller: BridgeLane;
  readonly toPerson: Resampler;
  readonly words: SupervisorWords;
}

const REFUSALS = {
  'not-live': 'the call is not live',
  unreachable: 'the call cannot be reached',
} as const;

/** Y5, Y6: lets a person speak with the caller, while the machine says so. */
export class SupervisorLink {
  readonly #deps: Deps;
  /** Asks to take over; the machine has not said so yet. */
  #offered: Offer | undefined;
  #link: Link | undefined;
  /** Of the person who gave the call back last: the end of it may still come. */
  #lastWords: SupervisorWords | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  get isOn(): boolean {
    return this.#link !== undefined;
  }

  async offer(microphone: Microphone, by: string): Promise<TakenOver | TakeOverRefusal> {
    if (this.#offered || this.#link) return { refusal: 'somebody else speaks with the caller' };
    this.#offered = { microphone, by };
    const answer = await this.#deps.control({ type: 'control.takeOver', by });
    this.#offered = undefined;
    if (answer.outcome === 'refused') return { refusal: answer.reason };
    if (answer.outcome !== 'accepted') return { refusal: REFUSALS[answer.outcome] };
    const isOwn = () => this.#link?.microphone === microphone;
    return {
      write: (pcm) => {
        if (!isOwn()) return;
        this.#link?.toCaller.write(pcm);
        this.#link?.words.write(pcm);
      },
      giveBack: () => {
        if (isOwn()) void this.#deps.control({ type: 'control.giveBack' });
      },
    };
  }

  carryOut(command: SupervisorCommand): void {
    if (command.type === 'supervisor.join') this.#join();
    else this.#leave('given-back');
  }

  /** The caller's sound; dropped unless a person speaks with them. */
  hear(pcm: Int16Array): void {
    if (this.#link) this.#link.microphone.audio(this.#link.toPerson.process(pcm));
  }

  close(reason: string): void {
    this.#leave(reason);
    this.#lastWords?.close();
  }

  #leave(reason: string): void {
    if (!this.#link) return;
    const { microphone, toCaller, toPerson, words } = this.#link;
    this.#link = undefined;
    words.end();
    this.#lastWords = words;
    toCaller.close();
    toPerson.close();
    microphone.over(reason);
    this.#deps.playout.attach(this.#deps.caller);
  }

  #join(): void {
    // Restored from the journal of another process: nobody is at the microphone.
    if (!this.#offered) return;
    const { microphone, by } = this.#offered;
    const { clock, ticker, caller, playout, tap, transcribe } = this.#deps;
    playout.detach();
    this.#lastWords?.close();
    this.#link = {
      microphone,
      words: transcribe(by, microphone.sampleRateHz),
      toPerson: createResampler(caller.sampleRateHz, microphone.sampleRateHz),
      toCaller: new BridgeLane({ clock, ticker, fromHz: microphone.sampleRateHz, to: caller, tap }),
    };
  }
}
