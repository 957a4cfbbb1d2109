import type { Embedder } from '../../ports/embedder.ts';
import type { Log } from '../../ports/log.ts';
import type { QuestionVector } from './similar-passages.ts';

interface QuestionVectorsDeps {
  readonly embedder: Embedder;
  readonly log: Log;
  /** Deadline of one vector, for which a caller waits. @defaultValue 800 */
  readonly deadlineMs?: number;
}

const KEPT_QUESTIONS = 500;
/** How long a vendor is not asked after it failed. */
const PAUSE_MS = 30_000;

/** Embeds questions; gives no vector while the vendor fails. */
export class QuestionVectors {
  readonly #deps: QuestionVectorsDeps;
  readonly #kept = new Map<string, QuestionVector>();
  #pausedUntil = 0;

  constructor(deps: QuestionVectorsDeps) {
    this.#deps = deps;
  }

  async find(question: string): Promise<QuestionVector | undefined> {
    const kept = this.#kept.get(question);
    if (kept) return kept;
    if (performance.now() < this.#pausedUntil) return undefined;
    const { embedder, log, deadlineMs = 800 } = this.#deps;
    try {
      const [values] = await embedder.embed(
        [question],
        AbortSignal.timeout(deadlineMs),
        'question',
      );
      if (!values) return undefined;
      const vector = { model: `${embedder.provider} ${embedder.model}`, values };
      this.#kept.set(question, vector);
      const oldest = this.#kept.keys().next().value;
      if (this.#kept.size > KEPT_QUESTIONS && oldest !== undefined) this.#kept.delete(oldest);
      return vector;
    } catch (error) {
      this.#pausedUntil = performance.now() + PAUSE_MS;
      log.warn({ err: error }, 'searching by words alone: a question got no vector');
      return undefined;
    }
  }
}
