import type { CallSettings } from '../../../../src/engine/settings/settings.ts';
import type { Senses } from '../engine.ts';
import type { TextEvent } from './heard-text.ts';
import { type Knowledge, Peer } from './peer.ts';

/*
 * Read from livekit/agents 1.7.0 (commit da6af86), paths below livekit-agents/livekit/agents.
 */

/** voice/turn.py, _STREAMING_ENDPOINTING_DEFAULTS: min_delay and max_delay beside the default detector of turns. */
const MIN_DELAY_MS = 300;
const MAX_DELAY_MS = 2500;
/** inference/eot/languages.py, LOCAL_LANGUAGES: below this probability of an end, the long delay. */
const UNLIKELY: Readonly<Record<string, number>> = { en: 0.36, de: 0.245, es: 0.35, fr: 0.285 };
/** inference/vad.py, VAD(min_silence_duration=0.25): the end of speech is told so much after our own 0.2 s. */
const END_OF_SPEECH_LAG_MS = 50;
/** voice/turn.py, _INTERRUPTION_DEFAULTS: min_duration, false_interruption_timeout, backchannel_boundary. */
const INTERRUPTION_MS = 500;
const FALSE_INTERRUPTION_MS = 2000;
const BOUNDARY_MS = 1000;
/** voice/turn.py, _PREEMPTIVE_GENERATION_DEFAULTS: max_retries, max_speech_duration. */
const DRAFTS = 3;
const DRAFT_SPEECH_MS = 10_000;
/** voice/agent_session.py, _DEFAULT_AEC_WARMUP_DURATION: from the first sound of the agent. */
const WARM_UP_MS = 3000;
/**
 * Adaptive interruption runs in LiveKit's cloud; its model is closed. livekit.com/blog/adaptive-interruption-handling
 * gives it after 500 ms of overlap every true interruption, and half (51 %) of the false ones rejected.
 */
const VERDICT_MS = 500;
const FALSE_SHARE = 0.49;

interface Options {
  readonly knowledge: Knowledge;
  /** Its delays, stretched. */
  readonly stretch: number;
  /** As deployed to LiveKit's cloud; elsewhere voice activity alone decides about interruptions. */
  readonly adaptive: boolean;
}

/** voice/agent_activity.py and voice/audio_recognition.py, without what only realtime models and tools use. */
export class LiveKit extends Peer {
  readonly #options: Options;
  readonly #senses: Senses;
  readonly #threshold: number;
  /** `_paused_speech`: the output is paused, and resumes so long after the end of speech if no final text comes. */
  #timeoutMs: number | undefined;
  #warmUntil: number | undefined;
  #soundsSince = 0;
  /** Text that waits for the verdict about the sound over the reply. */
  #held: TextEvent[] = [];
  #drafts = 0;
  /** `_turn_detector_flushed`: text that comes after the commit, without a new voice, gets no prediction. */
  #flushed = false;

  constructor(settings: CallSettings, senses: Senses, options: Options) {
    super(settings, options.knowledge);
    this.#options = options;
    this.#senses = senses;
    this.#threshold = UNLIKELY[this.language.tag] ?? 0.36;
  }

  get #speaking(): boolean {
    return this.voice.sounding && !this.voice.paused;
  }

  // on_start_of_speech: what does not sound yet is paused at the first voice; what sounds goes on for now.
  protected voiceStarted(): void {
    this.disarm('resume', 'end of speech');
    this.#flushed = false;
    if (!this.#speaking) {
      if (this.voice.busy && this.#timeoutMs === undefined) this.#pause(0);
      return;
    }
    this.#listenToOverlap(this.onsetAt);
  }

  #listenToOverlap(onsetAt: number): void {
    const byVoice = () => !this.#options.adaptive || this.now < this.#soundsSince + BOUNDARY_MS;
    this.arm('interruption', Math.max(this.now, onsetAt + INTERRUPTION_MS), () => {
      if (byVoice()) this.#interruptByVoice();
    });
    if (this.#options.adaptive) {
      this.arm('verdict', Math.max(this.now, onsetAt + VERDICT_MS), () => this.#judgeOverlap());
    }
  }

  // on_interruption: the words that made the overlap are let through.
  #judgeOverlap(): void {
    if (!this.#speaking || !this.#senses.meansToInterrupt(FALSE_SHARE)) return;
    this.#interruptByVoice();
    if (this.#timeoutMs !== undefined) this.#releaseText(this.onsetAt);
  }

  // _interrupt_by_audio_activity
  #interruptByVoice(): void {
    if (!this.voice.busy || (this.#warmUntil !== undefined && this.now < this.#warmUntil)) return;
    this.#pause(FALSE_INTERRUPTION_MS);
  }

  #pause(timeoutMs: number): void {
    this.disarm('resume');
    this.#timeoutMs = timeoutMs;
    this.pauseOutput();
  }

  protected voiceStopped(): void {
    this.disarm('interruption');
    if (this.isArmed('verdict')) {
      this.disarm('verdict');
      this.#judgeOverlap();
    }
    this.ask();
    this.arm('end of speech', this.now + END_OF_SPEECH_LAG_MS, () => this.#speechEnded());
  }

  // on_end_of_speech
  #speechEnded(): void {
    if (this.#timeoutMs !== undefined) this.#resumeIn(this.#timeoutMs);
    this.armEndpoint();
  }

  #resumeIn(ms: number): void {
    this.arm('resume', this.now + ms, () => {
      this.#timeoutMs = undefined;
      this.resumeOutput();
      this.#soundsSince = this.now;
    });
  }

  protected textCame(event: TextEvent): void {
    // push_audio: while the echo canceller warms up the recogniser gets silence.
    const warm = this.#warmUntil !== undefined && event.endAt < this.#warmUntil;
    if (warm && this.#speaking && event.startAt >= this.#soundsSince) {
      this.heard.drop(event.segId);
      return;
    }
    if (this.#options.adaptive && this.#speaking) {
      this.heard.drop(event.segId);
      this.#held.push(event);
      return;
    }
    if (event.type === 'stt.final') this.#finalCame();
  }

  // on_final_transcript: pauses what voice activity did not, and ends what is paused.
  #finalCame(): void {
    this.#interruptByVoice();
    if (this.#timeoutMs !== undefined && this.voice.busy) this.settle(true);
    const short = this.now - this.onsetAt <= DRAFT_SPEECH_MS;
    if (!this.voice.busy && short && this.#drafts < DRAFTS && this.draftReply(this.heard.final)) {
      this.#drafts++;
    }
    if (!this.voiced && !this.isArmed('end of speech')) this.armEndpoint();
  }

  // _on_end_of_agent_speech: words said a second or more before the agent's end were a backchannel.
  #releaseText(ignoreUntil: number): void {
    const held = this.#held;
    this.#held = [];
    for (const event of held) {
      if (event.endAt < ignoreUntil - BOUNDARY_MS && event.startAt > this.#soundsSince) continue;
      this.take(event);
    }
  }

  protected override replyStarted(): void {
    this.#soundsSince = this.now;
    this.#warmUntil ??= this.now + WARM_UP_MS;
    if (this.voiced) this.#listenToOverlap(this.now);
  }

  protected override replyEnded(): void {
    this.disarm('resume', 'verdict', 'interruption');
    this.#timeoutMs = undefined;
    this.#releaseText(this.now);
  }

  // _run_eou_detection: from the end of speech, once there is final text and the detector has spoken.
  protected endsAt(): number | undefined {
    if (this.heard.final === '' || this.isArmed('end of speech')) return undefined;
    if (!this.#flushed) this.ask();
    const unfinished = this.#flushed ? 0 : this.unfinished;
    if (unfinished === undefined) return undefined;
    const delayMs = 1 - unfinished < this.#threshold ? MAX_DELAY_MS : MIN_DELAY_MS;
    return Math.max(this.now, this.speechEndAt + this.#options.stretch * delayMs);
  }

  protected override commit(): void {
    this.#drafts = 0;
    this.#flushed = true;
    super.commit();
  }
}
