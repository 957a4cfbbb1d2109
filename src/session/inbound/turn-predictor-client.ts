import { RecentAudio } from '../../audio/recent-audio.ts';
import { createResampler, type Resampler } from '../../audio/resampler.ts';
import type { CallCommand } from '../../engine/machine/commands.ts';
import type { CallEvent } from '../../engine/machine/events.ts';
import { CONSTANTS } from '../../engine/settings/constants.ts';
import type { Clock } from '../../ports/clock.ts';
import type { TurnPredictor } from '../../ports/predictor.ts';

interface Deps {
  readonly clock: Clock;
  readonly predictor: TurnPredictor;
  readonly languages: readonly string[];
  readonly legRateHz: number;
  readonly emit: (event: CallEvent) => void;
  readonly onUnexpected: (error: unknown) => void;
}

const TOO_LATE = new DOMException('The judgement comes too late', 'TimeoutError');

/** Asks an external turn predictor, sending the words and the latest audio. A new question cancels the one before. */
export class TurnPredictorClient {
  readonly #deps: Deps;
  readonly #toPredictor: Resampler;
  readonly #audio: RecentAudio;
  #asking: AbortController | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    const { sampleRateHz, audioMs } = deps.predictor;
    this.#toPredictor = createResampler(deps.legRateHz, sampleRateHz);
    this.#audio = new RecentAudio(Math.ceil((sampleRateHz * audioMs) / 1000));
  }

  /** Audio at the leg's rate that ends now. */
  write(pcm: Int16Array): void {
    this.#audio.push(this.#toPredictor.process(pcm));
  }

  ask({ rev, text, lastAssistantText }: Extract<CallCommand, { type: 'predict' }>): void {
    this.#asking?.abort();
    const controller = new AbortController();
    this.#asking = controller;
    const { clock, predictor, languages, emit, onUnexpected } = this.#deps;
    const { signal } = controller;
    const timer = clock.setTimeout(() => controller.abort(TOO_LATE), CONSTANTS.predictTimeoutMs);
    predictor
      .predict({ text, lastAssistantText, languages, pcm: this.#audio.read(), signal })
      .then(
        (p) => {
          if (p !== undefined && !signal.aborted) emit({ type: 'predict.result', rev, p });
        },
        (error: unknown) => {
          if (!signal.aborted) onUnexpected(error);
        },
      )
      .finally(() => clock.clearTimeout(timer));
  }

  /** A reply begins to play: what the caller said before it is no part of the turn that follows. */
  replyStarts(): void {
    this.#audio.clear();
  }

  close(): void {
    this.#asking?.abort();
    this.#toPredictor.close();
  }
}
