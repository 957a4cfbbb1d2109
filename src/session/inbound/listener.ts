import { createBeepDetector } from '../../audio/beep-detector.ts';
import { createEchoTracker, type EchoTracker } from '../../audio/echo-tracker.ts';
import { createFramer, type Framer } from '../../audio/framer.ts';
import { createResampler, type Resampler } from '../../audio/resampler.ts';
import { createSpeechEdges, type SpeechEdges } from '../../audio/speech-edges.ts';
import type { CallEvent } from '../../engine/machine/events.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Vad, VadStream } from '../../ports/vad.ts';
import { AudioTimeline } from '../outbound/audio-timeline.ts';
import type { SttLine } from './stt-line.ts';

const FRAME_MS = 20;

interface Deps {
  readonly clock: Clock;
  readonly legRateHz: number;
  readonly vad: Vad;
  readonly stt: SttLine;
  readonly sttRateHz: number;
  /** How loud what we say was at a clock instant, dB. */
  readonly playedDb: (clockMs: number) => number;
  /** Listens for the tone of a mailbox. */
  readonly awaitsBeep: boolean;
  readonly emit: (event: CallEvent) => void;
  /** A clock instant on the call's own scale. */
  readonly at: (clockMs: number) => number;
}

const SURE_ECHO_FRAMES = 3;
/** Judgements that may be on their way at once. */
const MAX_AWAITED = 256;

/**
 * The caller's sound on its way to voice activity and recogniser. Frames stop here: only edges go on to the
 * machine.
 */
export class Listener {
  readonly #deps: Deps;
  readonly #toVad: Resampler;
  readonly #toStt: Resampler;
  readonly #framer: Framer;
  readonly #beeps: Framer | undefined;
  readonly #vadStream: VadStream;
  readonly #edges: SpeechEdges;
  readonly #timeline = new AudioTimeline();
  readonly #echo: EchoTracker = createEchoTracker();
  /** For each frame whose judgement is awaited, from its index: whether it is our own voice. */
  readonly #isEcho = new Uint8Array(MAX_AWAITED);
  #frames = 0;
  #echoFrames = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
    const { vad, legRateHz, sttRateHz } = deps;
    this.#toVad = createResampler(legRateHz, vad.sampleRateHz);
    this.#toStt =
      sttRateHz === vad.sampleRateHz ? this.#toVad : createResampler(legRateHz, sttRateHz);
    this.#edges = createSpeechEdges(vad.startMs === undefined ? {} : { startMs: vad.startMs });
    this.#vadStream = vad.open((probability, index) => this.#judge(probability, index));
    this.#beeps = deps.awaitsBeep ? this.#createBeeps() : undefined;
    this.#framer = createFramer((vad.sampleRateHz * FRAME_MS) / 1000, (frame) => this.#take(frame));
  }

  /** While nobody speaks: what is quieter than this, dB, will not be taken for a voice. */
  get quietBelowDb(): number | undefined {
    return this.#edges.speaking ? undefined : this.#vadStream.quietBelowDb;
  }

  /** Audio that may come now before anything can be judged by it, ms. */
  get undecidedMs(): number {
    return this.#vadStream.undecidedMs ?? 0;
  }

  /** Audio at the leg's rate that ended at this clock instant; the array may be reused afterwards. */
  hear(pcm: Int16Array, endedAt: number): void {
    this.#timeline.advance((pcm.length * 1000) / this.#deps.legRateHz, endedAt);
    const forVad = this.#toVad.process(pcm);
    const forStt = this.#toStt === this.#toVad ? forVad : this.#toStt.process(pcm);
    this.#deps.stt.write(forStt, endedAt);
    this.#framer.write(forVad);
    this.#beeps?.write(pcm);
  }

  close(): void {
    this.#vadStream.close();
    this.#toVad.close();
    if (this.#toStt !== this.#toVad) this.#toStt.close();
    this.#deps.stt.close();
  }

  #createBeeps(): Framer {
    const { legRateHz, emit } = this.#deps;
    const detector = createBeepDetector(legRateHz);
    return createFramer((legRateHz * FRAME_MS) / 1000, (frame) => {
      if (detector.hear(frame)) emit({ type: 'beep' });
    });
  }

  #take(frame: Int16Array): void {
    const clockMs = this.#timeline.clockAt(this.#frames * FRAME_MS);
    const isEcho = this.#echo.judge(frame, this.#deps.playedDb(clockMs));
    this.#isEcho[this.#frames++ % MAX_AWAITED] = isEcho ? 1 : 0;
    this.#vadStream.write(frame);
  }

  #judge(probability: number, index: number): void {
    const isEcho = this.#isEcho[index % MAX_AWAITED] === 1;
    this.#echoFrames = isEcho ? this.#echoFrames + 1 : 0;
    // What turns out to be our own voice need not be waited for to end.
    const isOver = this.#echoFrames === SURE_ECHO_FRAMES && this.#edges.speaking;
    const pushed = this.#edges.push(isEcho ? 0 : probability);
    const edge = isOver ? (pushed ?? this.#edges.end()) : pushed;
    switch (edge?.type) {
      case 'speech-started':
        this.#deps.stt.speechStarted();
        this.#deps.emit({ type: 'vad.start', onsetAt: this.#at(edge.onsetMs) });
        break;
      case 'speech-ended':
        this.#deps.stt.speechEnded();
        this.#deps.emit({ type: 'vad.stop', speechEndAt: this.#at(edge.speechEndMs) });
        break;
      case 'speech-alive':
        this.#deps.emit({ type: 'vad.alive' });
        break;
    }
  }

  #at(streamMs: number): number {
    return this.#deps.at(this.#timeline.clockAt(streamMs));
  }
}
