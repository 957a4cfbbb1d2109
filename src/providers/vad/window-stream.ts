import { createEnergyJudge } from '../../audio/energy-judge.ts';
import type { VadStream } from '../../ports/vad.ts';
import { CONTEXT_SAMPLES, JUDGE_RATE_HZ, WINDOW_SAMPLES } from './judge-message.ts';

/** Where windows go to be judged; `done` gets nothing where they could not be. */
export type SubmitWindow = (
  samples: Int16Array,
  done: (probability: number | undefined) => void,
) => void;

interface Hooks {
  readonly submit: SubmitWindow;
  readonly onFrame: (probability: number, index: number) => void;
  readonly onClose: () => void;
}

/** In a room as quiet as this, a voice stands out by this much at least. */
const QUIET_ROOM_DB = -50;
const VOICE_IN_QUIET = 0.02;
/** In a louder one only what is far below its noise is no voice: a line on which nothing is sent. */
const VOICE_IN_NOISE = 1e-12;
/** Sound keeps the gate open for so long after it: words have quiet parts. */
const GATE_OPEN_MS = 480;
const FRAME_MS = 20;

interface Pending {
  /** Frames that end in this window. */
  readonly frames: number;
  /** By energy, for a window that could not be judged. */
  readonly energy: number;
  probability: number | undefined;
  judged: boolean;
}

/**
 * One caller's frames as the network's windows, and its judgements back as the frames' own. A window of
 * silence is known for one without being judged.
 */
export class WindowStream implements VadStream {
  readonly #hooks: Hooks;
  readonly #energy = createEnergyJudge(JUDGE_RATE_HZ);
  readonly #window = new Int16Array(CONTEXT_SAMPLES + WINDOW_SAMPLES);
  #filled = 0;
  #framesInWindow = 0;
  #loudest = 0;
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
    const least = this.#energy.noiseDb < QUIET_ROOM_DB ? VOICE_IN_QUIET : VOICE_IN_NOISE;
    this.#openMs = energy >= least ? GATE_OPEN_MS : this.#openMs - FRAME_MS;
    for (let at = 0; at < frame.length; ) {
      const taken = frame.subarray(at, at + WINDOW_SAMPLES - this.#filled);
      this.#window.set(taken, CONTEXT_SAMPLES + this.#filled);
      this.#filled += taken.length;
      at += taken.length;
      this.#loudest = Math.max(this.#loudest, energy);
      // A frame is judged by the window that its last sample is in.
      if (at === frame.length) this.#framesInWindow++;
      if (this.#filled === WINDOW_SAMPLES) this.#take();
    }
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#pending.length = 0;
    this.#hooks.onClose();
  }

  #take(): void {
    const isOpen = this.#openMs > 0;
    const pending: Pending = {
      frames: this.#framesInWindow,
      energy: this.#loudest,
      probability: 0,
      judged: !isOpen,
    };
    this.#pending.push(pending);
    if (isOpen) {
      this.#hooks.submit(this.#window.slice(), (probability) => {
        pending.probability = probability;
        pending.judged = true;
        this.#settle();
      });
    }
    this.#window.copyWithin(0, WINDOW_SAMPLES);
    this.#filled = 0;
    this.#framesInWindow = 0;
    this.#loudest = 0;
    this.#settle();
  }

  #settle(): void {
    for (let first = this.#pending[0]; first?.judged; first = this.#pending[0]) {
      this.#pending.shift();
      const { frames, probability, energy } = first;
      for (let n = 0; n < frames; n++) this.#hooks.onFrame(probability ?? energy, this.#index++);
    }
  }
}
