import type { Db } from '../../store/db.ts';
import type { PassageKey, SearchedSegment } from '../../store/knowledge-lookup.ts';
import { cosineWithPacked, signBits } from './packed-vector.ts';
import type { SegmentVectors, VectorCache } from './vector-cache.ts';

/** A passage with the cosine of its vector and the question's. */
export interface SimilarPassage extends PassageKey {
  readonly similarity: number;
}

/** A question's vector. */
export interface QuestionVector {
  /** The embedding model; only vectors of the same model can be compared. */
  readonly model: string;
  readonly values: Float32Array;
}

/** For each wanted passage, so many candidates (closest by signs) are compared in full. */
const CLOSER_LOOKS = 8;

/** The passages closest to the question by their vectors, best first. */
export async function findSimilarPassages(
  { db, vectors }: { readonly db: Db; readonly vectors: VectorCache },
  params: {
    readonly vector: QuestionVector;
    readonly segments: readonly SearchedSegment[];
    readonly limit: number;
  },
): Promise<readonly SimilarPassage[]> {
  const { model, values } = params.vector;
  const found: SimilarPassage[] = [];
  for (const segment of params.segments) {
    if (segment.vectorModel !== model) continue;
    const kept = await vectors.get(db, segment);
    for (const passage of closestPassages(values, kept, params.limit))
      found.push({ segmentId: segment.id, ...passage });
  }
  return found.sort((a, b) => b.similarity - a.similarity).slice(0, params.limit);
}

/** The passages of one segment that are closest to a vector, best first. */
export function closestPassages(
  values: Float32Array,
  { packed, signs }: Pick<SegmentVectors, 'packed' | 'signs'>,
  limit: number,
): readonly Omit<SimilarPassage, 'segmentId'>[] {
  return withClosestSigns(signBits(values), signs, limit * CLOSER_LOOKS)
    .map((number) => ({
      number,
      similarity: cosineWithPacked(values, packed[number] as Uint8Array),
    }))
    .sort((a, b) => b.similarity - a.similarity)
    .slice(0, limit);
}

/** The numbers of the passages whose signs differ least. */
function withClosestSigns(
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
