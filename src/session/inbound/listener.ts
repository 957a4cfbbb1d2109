import { createBeepDetector } from '../../audio/beep-detector.ts';
import { createEchoTracker, type EchoTracker } from '../../audio/echo-tracker.ts';
import { createFramer, type Framer } from '../../audio/framer.ts';
import { rmsDb } from '../../audio/level.ts';
import { createResampler, type Resampler } from '../../audio/resampler.ts';
import { createSpeechEdges, type SpeechEdges } from '../../audio/speech-edges.ts';
import { createVoiceLevelMeter, type VoiceLevelMeter } from '../../audio/voice-level.ts';
import type { CallCommand } from '../../engine/machine/commands.ts';
import type { CallEvent } from '../../engine/machine/events.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Stt } from '../../ports/stt.ts';
import type { Vad, VadStream } from '../../ports/vad.ts';
import { AudioTimeline } from './audio-timeline.ts';
import { type RecognitionOptions, SttLine } from './stt-line.ts';

const FRAME_MS = 20;

type StateCommand = Extract<CallCommand, { type: 'state' }>;

interface Deps {
  readonly clock: Clock;
  readonly legRateHz: number;
  readonly vad: Vad;
  readonly stt: Stt;
  readonly recognition: RecognitionOptions;
  readonly isTakenOver: boolean;
  /** Level of the assistant's own sound at a clock instant, dB. */
  readonly playedDb: (clockMs: number) => number;
  /** Detects a mailbox's tone. */
  readonly awaitsBeep: boolean;
  readonly emit: (event: CallEvent) => void;
  /** Converts a clock instant to ms since the call began. */
  readonly at: (clockMs: number) => number;
  readonly onUnexpected: (error: unknown) => void;
}

/** After so many frames of echo in a row, the sound counts as the assistant's own voice. */
const SURE_ECHO_FRAMES = 3;
/** Frames whose probability the detector still owes. */
const MAX_AWAITED = 256;

/**
 * Resamples the caller's audio and gives it to voice activity detection and to the recogniser. Frames stop here: the
 * engine gets only the edges of speech.
 */
export class Listener {
  readonly #deps: Deps;
  readonly #toVad: Resampler;
  readonly #toStt: Resampler;
  readonly #stt: SttLine;
  readonly #framer: Framer;
  readonly #beeps: Framer | undefined;
  readonly #vadStream: VadStream;
  readonly #edges: SpeechEdges;
  readonly #timeline = new AudioTimeline();
  readonly #echo: EchoTracker = createEchoTracker();
  /** By frame index, for frames whose probability is awaited: 1 if the frame is the assistant's own voice. */
  readonly #isEcho = new Uint8Array(MAX_AWAITED);
  /** Their levels, dBFS. */
  readonly #frameDb = new Float64Array(MAX_AWAITED);
  readonly #level: VoiceLevelMeter = createVoiceLevelMeter();
  #frames = 0;
  #replyIsDue = false;
  /** What the recogniser was told last. */
  #sttVoiced = false;
  #echoFrames = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
    const { clock, vad, stt, recognition, isTakenOver, legRateHz, emit, at, onUnexpected } = deps;
    const sttRateHz = pickRate(stt.inputRatesHz, legRateHz);
    const line = { clock, stt, sampleRateHz: sttRateHz, options: recognition, isTakenOver };
    this.#stt = new SttLine({ ...line, emit, at, onUnexpected });
    this.#toVad = createResampler(legRateHz, vad.sampleRateHz);
    this.#toStt =
      sttRateHz === vad.sampleRateHz ? this.#toVad : createResampler(legRateHz, sttRateHz);
    this.#edges = createSpeechEdges(vad.startMs === undefined ? {} : { startMs: vad.startMs });
    this.#vadStream = vad.open((probability, index) => this.#judge(probability, index));
    this.#beeps = deps.awaitsBeep ? this.#createBeeps() : undefined;
    this.#framer = createFramer((vad.sampleRateHz * FRAME_MS) / 1000, (frame) => this.#take(frame));
  }

  /** Level in dB below which a frame cannot start speech; undefined while the caller speaks. */
  get quietBelowDb(): number | undefined {
    return this.#edges.speaking ? undefined : this.#vadStream.quietBelowDb;
  }

  /** How much audio (ms) the detector still needs to complete its window. */
  get undecidedMs(): number {
    return this.#vadStream.undecidedMs ?? 0;
  }

  /** Audio at the leg's rate that ended at this clock instant; the array may be reused afterwards. */
  write(pcm: Int16Array, endedAt: number): void {
    this.#timeline.advance((pcm.length * 1000) / this.#deps.legRateHz, endedAt);
    const forVad = this.#toVad.process(pcm);
    const forStt = this.#toStt === this.#toVad ? forVad : this.#toStt.process(pcm);
    this.#stt.write(forStt, endedAt);
    this.#framer.write(forVad);
    this.#beeps?.write(pcm);
  }

  /** What may become a voice is told only while a reply may be about to begin. */
  follow({ user, assistant }: Pick<StateCommand, 'user' | 'assistant'>): void {
    this.#replyIsDue = assistant === 'thinking' || user === 'pausing';
  }

  /** Tells the recogniser that the caller's voice began or ended. */
  voice(voiced: boolean): void {
    if (voiced === this.#sttVoiced) return;
    this.#sttVoiced = voiced;
    if (voiced) this.#stt.speechStarted();
    else this.#stt.speechEnded();
  }

  /** Asks the recogniser for final text of what it has heard so far. */
  flush(): void {
    this.#stt.flush();
  }

  close(): void {
    this.#vadStream.close();
    this.#toVad.close();
    if (this.#toStt !== this.#toVad) this.#toStt.close();
    this.#stt.close();
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
    this.#frameDb[this.#frames % MAX_AWAITED] = rmsDb(frame);
    this.#isEcho[this.#frames++ % MAX_AWAITED] = isEcho ? 1 : 0;
    this.#vadStream.write(frame);
  }

  #judge(probability: number, index: number): void {
    const isEcho = this.#isEcho[index % MAX_AWAITED] === 1;
    this.#echoFrames = isEcho ? this.#echoFrames + 1 : 0;
    // Speech that proves to be echo ends at once.
    const isOver = this.#echoFrames === SURE_ECHO_FRAMES && this.#edges.speaking;
    const pushed = this.#edges.push(isEcho ? 0 : probability);
    const edge = isOver ? (pushed ?? this.#edges.end()) : pushed;
    const speaking = this.#edges.speaking;
    const level = this.#level.push(this.#frameDb[index % MAX_AWAITED] as number, speaking);
    if (this.#edges.mayBegin && this.#replyIsDue)
      this.#deps.emit({ type: 'vad.maybe', db: Math.round(this.#level.db) });
    switch (edge?.type) {
      case 'speech-started': {
        this.voice(true);
        const db = Math.round(this.#level.db);
        this.#deps.emit({ type: 'vad.start', onsetAt: this.#at(edge.onsetMs), db });
        break;
      }
      case 'speech-ended':
        this.voice(false);
        this.#deps.emit({ type: 'vad.stop', speechEndAt: this.#at(edge.speechEndMs) });
        break;
      case 'speech-lulled':
        if (this.#deps.stt.flushes) this.#deps.emit({ type: 'vad.lull' });
        break;
      case 'speech-resumed':
        this.#stt.speechResumed();
        break;
      case 'speech-alive':
        this.#deps.emit({ type: 'vad.alive' });
        break;
    }
    if (level && edge?.type !== 'speech-started') {
      const db = Math.round(level.db);
      this.#deps.emit({
        type: 'vad.level',
        sinceAt: this.#at((index + 1) * FRAME_MS - level.agoMs),
        db,
      });
    }
  }

  #at(streamMs: number): number {
    return this.#deps.at(this.#timeline.clockAt(streamMs));
  }
}

/** The leg's own rate if the recogniser takes it, else the next lower rate that it takes, else its lowest. */
function pickRate(ratesHz: readonly number[], legRateHz: number): number {
  const sorted = ratesHz.toSorted((a, b) => a - b);
  return sorted.findLast((rate) => rate <= legRateHz) ?? (sorted[0] as number);
}
