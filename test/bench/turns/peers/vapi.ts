import type { CallSettings } from '../../../../src/engine/settings/settings.ts';
import type { TextEvent } from './heard-text.ts';
import { type Knowledge, Peer } from './peer.ts';

/*
 * Vapi's engine is closed. Read from what it publishes: VapiAI/server-sdk-python 1.11.0 (commit 72303d1), paths
 * below src/vapi/types, and VapiAI/docs (commit eabfa53), fern/customization/voice-pipeline-configuration.mdx.
 */

/** transcription_endpointing_plan.py: on_punctuation_seconds, on_no_punctuation_seconds, on_number_seconds. */
const ON_PUNCTUATION_MS = 100;
const ON_NO_PUNCTUATION_MS = 1500;
const ON_NUMBER_MS = 500;
/** livekit_smart_endpointing_plan.py, wait_function, its default; x: the caller goes on. */
const waitFunctionMs = (x: number) => 20 + 500 * Math.sqrt(x) + 2500 * x ** 3;
/** start_speaking_plan.py, wait_seconds: audio this long after the endpoint, at the earliest. */
const WAIT_MS = 400;
/** stop_speaking_plan.py: voice_seconds and backoff_seconds; num_words is 0. */
const VOICE_MS = 200;
const BACKOFF_MS = 1000;
/** stop_speaking_plan.py, num_words: "Words like "okay", "yeah", "right" will never interrupt." */
const ACKNOWLEDGEMENT = /^(okay|yeah|right)[.,!?]*$/i;

interface Options {
  readonly knowledge: Knowledge;
  readonly stretch: number;
  /** Rules on the transcript apply where no smart endpointing is set; the wait function where it is. */
  readonly endpointing: 'rules' | 'wait function';
}

/** Vapi's plans for starting and for stopping to speak. */
export class Vapi extends Peer {
  readonly #options: Options;

  constructor(settings: CallSettings, options: Options) {
    super(settings, options.knowledge);
    this.#options = options;
  }

  protected voiceStarted(): void {
    this.arm('voice', Math.max(this.now, this.onsetAt + VOICE_MS), () => this.#takeFloor());
  }

  protected voiceStopped(): void {
    this.disarm('voice');
    if (this.#asks) this.ask();
    this.armEndpoint();
  }

  protected textCame({ text }: TextEvent): void {
    if (!ACKNOWLEDGEMENT.test(text.trim())) this.#takeFloor();
    this.armEndpoint();
  }

  // The pipeline is cleared, and nothing is said for a while.
  #takeFloor(): void {
    if (!this.voice.busy) return;
    this.settle(true);
    this.voice.notBefore = this.now + BACKOFF_MS;
  }

  // "LiveKit endpointing is not supported in other languages, yet" (start_speaking_plan.py); words are read in all.
  get #asks(): boolean {
    const { endpointing, knowledge } = this.#options;
    return endpointing === 'wait function' && (knowledge !== 'sound' || this.language.tag === 'en');
  }

  protected override get turnText(): string {
    return this.heard.all;
  }

  protected endsAt(): number | undefined {
    if (this.heard.all === '') return undefined;
    const { stretch } = this.#options;
    if (!this.#asks) {
      return Math.max(this.stoppedAt, this.textAt) + stretch * this.#ruleMs();
    }
    this.ask();
    const { unfinished } = this;
    if (unfinished === undefined) return undefined;
    return Math.max(this.stoppedAt + stretch * waitFunctionMs(unfinished), this.textAt);
  }

  #ruleMs(): number {
    if (/\d[.,!?]*$/.test(this.heard.all)) return ON_NUMBER_MS;
    return /[.!?]$/.test(this.heard.all) ? ON_PUNCTUATION_MS : ON_NO_PUNCTUATION_MS;
  }

  protected override commit(): void {
    super.commit(WAIT_MS);
  }
}
