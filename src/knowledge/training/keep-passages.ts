import type { Db } from '../../store/db.ts';
import { addIndexBlock, addPassages } from '../../store/knowledge-index.ts';
import { INDEX_FORMAT } from '../indexing/index-format.ts';
import type { IndexedPassages } from '../indexing/segment-builder.ts';
import { packVector } from '../search/packed-vector.ts';

/** Passages of a segment, with their vectors where there are some. */
export interface KeptPassages extends IndexedPassages {
  readonly segmentId: string;
  /** In the order of the passages. */
  readonly vectors?: readonly Float32Array[] | undefined;
}

/** Keeps passages of a segment that is being made. */
export type KeepPassages = (kept: KeptPassages) => Promise<void>;

/** Keeps them from the thread that it is called on. */
export async function keepPassages(
  db: Db,
  { segmentId, passages, block, vectors }: KeptPassages,
): Promise<void> {
  const packed = vectors && { vectors: vectors.map(packVector) };
  await addPassages(db, { segmentId, passages, ...packed });
  const first = passages[0]?.number ?? 0;
  await addIndexBlock(db, { segmentId, first, format: INDEX_FORMAT, bytes: block });
}
