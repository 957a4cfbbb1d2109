import type { Db } from '../../store/db.ts';
import { addIndexBlock, addPassages } from '../../store/knowledge-index.ts';
import { INDEX_FORMAT } from '../indexing/index-format.ts';
import type { IndexedPassages } from '../indexing/segment-builder.ts';
import { packVector } from '../search/packed-vector.ts';

/** Passages of a segment, with vectors if there are some. */
export interface KeptPassages extends IndexedPassages {
  readonly segmentId: string;
  /** One for each passage, in order. */
  readonly vectors?: readonly Float32Array[] | undefined;
}

/** Stores passages of a segment that is being built. */
export type KeepPassages = (kept: KeptPassages) => Promise<void>;

/** Stores them on the current thread. */
export async function keepPassages(
  db: Db,
  { segmentId, passages, block, vectors }: KeptPassages,
): Promise<void> {
  const packed = vectors && { vectors: vectors.map(packVector) };
  await addPassages(db, { segmentId, passages, ...packed });
  const first = passages[0]?.number ?? 0;
  await addIndexBlock(db, { segmentId, first, format: INDEX_FORMAT, bytes: block });
}
