import type { CallEvent } from '../../../../src/engine/machine/events.ts';
import type { CallSettings } from '../../../../src/engine/settings/settings.ts';
import type { TextEvent } from './heard-text.ts';
import { type Knowledge, Peer } from './peer.ts';

/*
 * Read from pipecat-ai/pipecat 1.7.0 (commit acead05, 771 after the tag), paths below src/pipecat.
 */

/** audio/vad/vad_analyzer.py: VAD_START_SECS and VAD_STOP_SECS; the second is ours as well. */
const START_MS = 200;
const STOP_MS = 200;
/**
 * audio/vad/vad_analyzer.py: VAD_MIN_VOLUME = 0.6, which audio/utils.py counts from -110 to -10 LUFS; and
 * VAD_CONFIDENCE = 0.7.
 */
export const PIPECAT_EARS = { leastDb: -50, leastConfidence: 0.7 };
/** audio/turn/smart_turn/local_smart_turn_v3.py: a turn is complete above this probability. */
const COMPLETE = 0.5;
/** audio/turn/smart_turn/base_smart_turn.py, STOP_SECS: silence after the stop of the voice that ends any turn. */
const SILENCE_MS = 3000;
/** turns/user_stop/speech_timeout_user_turn_stop_strategy.py, user_speech_timeout. */
const SPEECH_TIMEOUT_MS = 600;
/** turns/user_turn_controller.py, user_turn_stop_timeout: an open turn without voice or text ends. */
const TURN_TIMEOUT_MS = 5000;

interface Options {
  readonly knowledge: Knowledge;
  readonly stretch: number;
  /** turns/user_turn_strategies.py: the analyzer of turns is the default; the other is a plain timer. */
  readonly strategy: 'turn analyzer' | 'speech timeout';
}

/** turns/user_turn_controller.py: a turn that starts takes the floor for good; nothing is resumed. */
export class Pipecat extends Peer {
  readonly #options: Options;
  #turn = false;
  /** The voice has stopped since the turn began. */
  #stopped = false;
  /** A final text has come since the voice stopped. */
  #finalized = false;

  constructor(settings: CallSettings, options: Options) {
    super(settings, options.knowledge);
    this.#options = options;
  }

  // A voice shorter than the start time never was one.
  protected override take(event: CallEvent): void {
    if (event.type === 'vad.start') {
      const { onsetAt } = event;
      this.arm('start', Math.max(this.now, onsetAt + START_MS), () => super.take(event));
    } else if (event.type === 'vad.stop' && this.isArmed('start')) this.disarm('start');
    else super.take(event);
  }

  protected voiceStarted(): void {
    this.#finalized = false;
    this.disarm('turn timeout');
    this.#startTurn();
  }

  protected voiceStopped(): void {
    this.#stopped = true;
    if (this.#options.strategy === 'turn analyzer') this.ask();
    this.#watch();
    this.armEndpoint();
  }

  // vad_user_turn_start_strategy.py and transcription_user_turn_start_strategy.py, then an interruption.
  #startTurn(): void {
    if (this.#turn) return;
    this.#turn = true;
    this.#stopped = false;
    if (this.voice.busy) this.settle(true);
  }

  protected textCame(event: TextEvent): void {
    this.#startTurn();
    this.#finalized = event.type === 'stt.final' && !this.voiced;
    this.#watch();
    this.armEndpoint();
  }

  #watch(): void {
    this.arm('turn timeout', this.now + TURN_TIMEOUT_MS, () => {
      if (!this.#turn || this.voiced) return;
      if (this.heard.final === '') this.#turn = false;
      else this.commit();
    });
  }

  protected endsAt(): number | undefined {
    if (!this.#turn || this.heard.final === '') return undefined;
    // _handle_transcription: text without a voice counts as a whole turn once the recogniser can have no more.
    if (!this.#stopped) return this.textAt + Math.max(0, this.settings.sttP99Ms - STOP_MS);
    const overAt = this.#overAt();
    const textAt = this.#finalized ? this.textAt : this.speechEndAt + this.settings.sttP99Ms;
    return overAt === undefined ? undefined : Math.max(overAt, textAt);
  }

  #overAt(): number | undefined {
    const { strategy, stretch } = this.#options;
    if (strategy === 'speech timeout') return this.stoppedAt + SPEECH_TIMEOUT_MS * stretch;
    this.ask();
    const { unfinished } = this;
    if (unfinished === undefined) return undefined;
    return 1 - unfinished > COMPLETE ? this.stoppedAt : this.stoppedAt + SILENCE_MS * stretch;
  }

  protected override commit(): void {
    this.#turn = false;
    this.disarm('turn timeout');
    super.commit();
  }
}
