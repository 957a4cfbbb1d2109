import type { Db } from '../../store/db.ts';
import { addIndexBlock } from '../../store/knowledge-index.ts';
import {
  readIndexBlocks,
  readPassages,
  type SearchedSegment,
} from '../../store/knowledge-lookup.ts';
import {
  buildIndexBlock,
  type IndexBlock,
  parseIndexBlock,
  serializeIndexBlock,
} from '../indexing/index-block.ts';
import { INDEX_FORMAT } from '../indexing/index-format.ts';
import { BLOCK_PASSAGES } from '../indexing/segment-builder.ts';
import { SearchIndex } from './search-index.ts';

interface KeptIndex {
  /** Identifies the segments in the index. */
  readonly key: string;
  readonly index: Promise<SearchIndex>;
  bytes: number;
}

const MAX_BYTES = 256 * 1024 * 1024;

/** Keeps the indexes of the most recently searched bases in memory. */
export class IndexCache {
  readonly #db: Db;
  readonly #maxBytes: number;
  readonly #kept = new Map<string, KeptIndex>();

  /** @param maxBytes of all indexes together; a larger one is kept alone @defaultValue 256 MiB */
  constructor(db: Db, maxBytes: number = MAX_BYTES) {
    this.#db = db;
    this.#maxBytes = maxBytes;
  }

  /** The index of a base's current segments. */
  async get(knowledgeBaseId: string, segments: readonly SearchedSegment[]): Promise<SearchIndex> {
    const ids = segments.map(({ id }) => id).sort();
    const key = ids.join();
    const known = this.#kept.get(knowledgeBaseId);
    const kept = known?.key === key ? known : { key, index: this.#load(ids), bytes: 0 };
    // Inserted again, so that the least recently used is first.
    this.#kept.delete(knowledgeBaseId);
    this.#kept.set(knowledgeBaseId, kept);
    try {
      const index = await kept.index;
      kept.bytes = index.bytes;
      this.#makeRoom(knowledgeBaseId);
      return index;
    } catch (error) {
      this.#kept.delete(knowledgeBaseId);
      throw error;
    }
  }

  async #load(segmentIds: readonly string[]): Promise<SearchIndex> {
    const blocks = new Map<string, IndexBlock[]>();
    const outdated = new Set<string>();
    for await (const { segmentId, format, bytes } of readIndexBlocks(this.#db, { segmentIds })) {
      if (format !== INDEX_FORMAT) outdated.add(segmentId);
      else blocks.set(segmentId, [...(blocks.get(segmentId) ?? []), parseIndexBlock(bytes)]);
    }
    for (const id of segmentIds)
      if (outdated.has(id) || !blocks.has(id)) blocks.set(id, await indexSegment(this.#db, id));
    return new SearchIndex(segmentIds.map((id) => ({ id, blocks: blocks.get(id) ?? [] })));
  }

  #makeRoom(newest: string): void {
    let total = [...this.#kept.values()].reduce((sum, { bytes }) => sum + bytes, 0);
    for (const [id, { bytes }] of this.#kept) {
      if (total <= this.#maxBytes || id === newest) return;
      total -= bytes;
      this.#kept.delete(id);
    }
  }
}

/** Rebuilds a segment's index from its passages and stores it; needed after a change of the format. */
export async function indexSegment(db: Db, segmentId: string): Promise<IndexBlock[]> {
  const blocks: IndexBlock[] = [];
  for (let from = 0; ; from += BLOCK_PASSAGES) {
    const passages = await readPassages(db, { segmentId, from, limit: BLOCK_PASSAGES });
    if (passages.length === 0) return blocks;
    const block = buildIndexBlock(passages);
    blocks.push(block);
    const bytes = serializeIndexBlock(block);
    await addIndexBlock(db, { segmentId, first: block.first, format: INDEX_FORMAT, bytes });
  }
}
