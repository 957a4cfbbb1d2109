import { createEnergyJudge } from '../../audio/energy-judge.ts';
import type { VadStream } from '../../ports/vad.ts';
import { CONTEXT_SAMPLES, VAD_RATE_HZ, WINDOW_SAMPLES } from './vad-message.ts';

/** Submits a window to the network; `done` gets undefined if it could not be processed. */
export type SubmitWindow = (
  samples: Int16Array,
  done: (probability: number | undefined) => void,
) => void;

interface Hooks {
  readonly submit: SubmitWindow;
  readonly onFrame: (probability: number, index: number) => void;
  readonly onClose: () => void;
}

/** Below this noise level, the energy-based probability of speech is at least VOICE_IN_QUIET. */
const QUIET_ROOM_DB = -50;
const VOICE_IN_QUIET = 0.02;
/** In a louder room only audio far below its noise is ruled out: a line on which nothing is sent. */
const VOICE_IN_NOISE = 1e-12;
/**
 * The network's state keeps a voice for about 100 ms after its last sound, with a lower probability. Where the level
 * is as low as between words, only a sure result counts as speech; otherwise every turn would end late.
 */
const NO_LOUDER_THAN_THE_ROOM = 0.05;
const SURE = 0.8;
const UNSURE_SHARE = 0.35 / SURE;
/** Margin for frames whose level was measured after a different filter. */
const MARGIN_DB = 1;
/** Sound keeps the gate open for this long, because words have quiet parts. */
const GATE_OPEN_MS = 480;
const FRAME_MS = 20;
/** Maximum number of frames waiting for a result: five seconds. */
const MAX_AWAITED = 256;

interface Pending {
  /** Frames that end in this window. */
  readonly frames: number;
  probability: number | undefined;
  settled: boolean;
}

/**
 * Packs one caller's frames into the network's windows and maps the results back to frames. Windows of silence are
 * not sent to the network.
 */
export class WindowStream implements VadStream {
  readonly #hooks: Hooks;
  readonly #energy = createEnergyJudge(VAD_RATE_HZ);
  readonly #window = new Int16Array(CONTEXT_SAMPLES + WINDOW_SAMPLES);
  #filled = 0;
  /** Speech probability by energy of each pending frame, indexed by frame number. */
  readonly #energies = new Float64Array(MAX_AWAITED);
  #written = 0;
  #inWindow = 0;
  #openMs = 0;
  #index = 0;
  #closed = false;
  readonly #pending: Pending[] = [];

  constructor(hooks: Hooks) {
    this.#hooks = hooks;
  }

  write(frame: Int16Array): void {
    if (this.#closed) return;
    const energy = this.#energy.judge(frame);
    this.#openMs = energy >= this.#leastVoice ? GATE_OPEN_MS : this.#openMs - FRAME_MS;
    this.#energies[this.#written++ % MAX_AWAITED] = energy;
    const window = this.#window;
    const last = frame.length - 1;
    let filled = this.#filled;
    // A plain loop: `set(subarray())` would allocate a view per frame.
    for (let at = 0; at <= last; at++) {
      window[CONTEXT_SAMPLES + filled++] = frame[at] as number;
      // A frame's result comes from the window that holds its last sample.
      if (at === last) this.#inWindow++;
      if (filled < WINDOW_SAMPLES) continue;
      this.#take();
      filled = 0;
    }
    this.#filled = filled;
  }

  get quietBelowDb(): number | undefined {
    if (this.#openMs > 0 || this.#pending.length > 0) return undefined;
    return this.#energy.levelDbFor(this.#leastVoice) - MARGIN_DB;
  }

  /** Speech is evaluated when a window is full. During silence any frame may start speech. */
  get undecidedMs(): number {
    if (this.#openMs <= 0) return 0;
    return ((WINDOW_SAMPLES - this.#filled) * 1000) / VAD_RATE_HZ;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#pending.length = 0;
    this.#hooks.onClose();
  }

  get #leastVoice(): number {
    return this.#energy.noiseDb < QUIET_ROOM_DB ? VOICE_IN_QUIET : VOICE_IN_NOISE;
  }

  #take(): void {
    const isOpen = this.#openMs > 0;
    const pending: Pending = { frames: this.#inWindow, probability: 0, settled: !isOpen };
    this.#inWindow = 0;
    this.#pending.push(pending);
    if (isOpen) {
      this.#hooks.submit(this.#window.slice(), (probability) => {
        pending.probability = probability;
        pending.settled = true;
        this.#settle();
      });
    }
    this.#window.copyWithin(0, WINDOW_SAMPLES);
    this.#settle();
  }

  #settle(): void {
    for (let first = this.#pending[0]; first?.settled; first = this.#pending[0]) {
      this.#pending.shift();
      for (let n = 0; n < first.frames; n++) {
        const energy = this.#energies[this.#index % MAX_AWAITED] as number;
        this.#hooks.onFrame(probabilityOf(first.probability, energy), this.#index++);
      }
    }
  }
}

/** A frame's probability; by energy alone if its window was not processed. */
function probabilityOf(probability: number | undefined, energy: number): number {
  if (probability === undefined) return energy;
  const isDoubtful = energy < NO_LOUDER_THAN_THE_ROOM && probability < SURE;
  return isDoubtful ? probability * UNSURE_SHARE : probability;
}
