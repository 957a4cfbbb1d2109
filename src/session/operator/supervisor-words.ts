import type { CallEvent } from '../../engine/machine/events.ts';
import type { Clock, Timer } from '../../ports/clock.ts';
import type { Stt } from '../../ports/stt.ts';
import type { Vad } from '../../ports/vad.ts';
import { Listener } from '../inbound/listener.ts';
import type { RecognitionOptions } from '../inbound/stt-line.ts';

interface Deps {
  readonly clock: Clock;
  readonly vad: Vad;
  readonly stt: Stt;
  readonly recognition: RecognitionOptions;
  readonly emit: (event: CallEvent) => void;
  /** Converts a clock instant to ms since the call began. */
  readonly at: (clockMs: number) => number;
  readonly onUnexpected: (error: unknown) => void;
}

/** What a recogniser still owes of the last words. */
const LAST_WORDS_MS = 3000;
const SILENCE_DB = -120;

/**
 * Y5: writes down what a person says by their microphone, with a recogniser of their own. Only whole texts reach the
 * engine: nothing is decided by them. A recogniser that fails leaves the words unwritten, and the call goes on.
 */
export class SupervisorWords {
  readonly #clock: Clock;
  readonly #listener: Listener;
  #closing: Timer | undefined;

  constructor(deps: Deps, by: string, sampleRateHz: number) {
    const { clock, vad, stt, recognition, emit, at, onUnexpected } = deps;
    this.#clock = clock;
    this.#listener = new Listener({
      ...{ clock, vad, stt, recognition, at, onUnexpected },
      legRateHz: sampleRateHz,
      isTakenOver: false,
      playedDb: () => SILENCE_DB,
      awaitsBeep: false,
      emit(event) {
        if (event.type !== 'stt.final') return;
        const { text, startAt, endAt } = event;
        emit({ type: 'supervisor.said', by, text, startAt, endAt });
      },
    });
  }

  /** Their sound, PCM16, as it came; the array may be reused afterwards. */
  write(pcm: Int16Array): void {
    this.#listener.write(pcm, this.#clock.now());
  }

  /** They say no more: the recogniser gets a moment for the last words. Nothing may be written afterwards. */
  end(): void {
    this.#listener.voice(false);
    this.#closing = this.#clock.setTimeout(() => this.#listener.close(), LAST_WORDS_MS);
  }

  close(): void {
    this.#clock.clearTimeout(this.#closing);
    this.#listener.close();
  }
}
