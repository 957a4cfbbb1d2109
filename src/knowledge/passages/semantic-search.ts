import type { Embedder } from '../../ports/embedder.ts';
import type { Log } from '../../ports/log.ts';
import type { Db } from '../../store/db.ts';
import type { PassageKey, SearchedSegment } from '../../store/knowledge-lookup.ts';
import { cosineWithPacked, signBits } from './packed-vector.ts';
import { VectorCache } from './vector-cache.ts';

/** A passage, and the cosine of its vector with that of a query. */
export interface SimilarPassage extends PassageKey {
  readonly similarity: number;
}

interface SemanticSearchDeps {
  readonly embedder: Embedder;
  readonly log: Log;
  /** For the query's vector: a caller waits for it. @defaultValue 800 */
  readonly deadlineMs?: number;
}

const KEPT_QUERIES = 500;
/** How long a vendor that failed is left alone. */
const PAUSE_MS = 30_000;
/** How many of those closest by their signs are compared in full, for each that is wanted. */
const CLOSER_LOOKS = 8;

/** Finds passages that mean what is asked, by their vectors; without them where the vendor fails. */
export class SemanticSearch {
  readonly #deps: SemanticSearchDeps;
  readonly #shelf = new VectorCache();
  readonly #queries = new Map<string, Float32Array>();
  #pausedUntil = 0;

  constructor(deps: SemanticSearchDeps) {
    this.#deps = deps;
  }

  /** Best first; nothing of segments whose vectors are another model's. */
  async find(
    db: Db,
    params: {
      readonly query: string;
      readonly segments: readonly SearchedSegment[];
      readonly limit: number;
    },
  ): Promise<readonly SimilarPassage[]> {
    const { provider, model } = this.#deps.embedder;
    const segments = params.segments.filter((it) => it.vectorModel === `${provider} ${model}`);
    if (segments.length === 0) return [];
    const vector = await this.#vectorOf(params.query);
    if (!vector) return [];
    const signs = signBits(vector);
    const found: SimilarPassage[] = [];
    for (const segment of segments) {
      const vectors = await this.#shelf.get(db, segment);
      for (const number of closest(signs, vectors.signs, params.limit * CLOSER_LOOKS)) {
        const similarity = cosineWithPacked(vector, vectors.packed[number] as Uint8Array);
        found.push({ segmentId: segment.id, number, similarity });
      }
    }
    return found.sort((a, b) => b.similarity - a.similarity).slice(0, params.limit);
  }

  async #vectorOf(query: string): Promise<Float32Array | undefined> {
    const known = this.#queries.get(query);
    if (known) return known;
    if (performance.now() < this.#pausedUntil) return undefined;
    const { embedder, log, deadlineMs = 800 } = this.#deps;
    try {
      const [vector] = await embedder.embed([query], AbortSignal.timeout(deadlineMs));
      if (!vector) return undefined;
      this.#queries.set(query, vector);
      const oldest = this.#queries.keys().next().value;
      if (this.#queries.size > KEPT_QUERIES && oldest !== undefined) this.#queries.delete(oldest);
      return vector;
    } catch (error) {
      this.#pausedUntil = performance.now() + PAUSE_MS;
      log.warn({ err: error }, 'searching by words alone: a query got no vector');
      return undefined;
    }
  }
}

/** The numbers of those whose signs differ least. */
function closest(
  signs: Uint32Array,
  others: readonly (Uint32Array | undefined)[],
  limit: number,
): number[] {
  const distances: { number: number; distance: number }[] = [];
  for (const [number, other] of others.entries())
    if (other && other.length === signs.length)
      distances.push({ number, distance: differing(signs, other) });
  distances.sort((a, b) => a.distance - b.distance);
  return distances.slice(0, limit).map(({ number }) => number);
}

function differing(a: Uint32Array, b: Uint32Array): number {
  let count = 0;
  for (let i = 0; i < a.length; i++) {
    let bits = (a[i] as number) ^ (b[i] as number);
    bits -= (bits >>> 1) & 0x55555555;
    bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
    count += Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}
