import type { Db } from '../../store/db.ts';
import { readVectors } from '../../store/knowledge-vectors.ts';
import { signBits } from './packed-vector.ts';

/** The vectors of one segment's passages, by passage number. */
export interface SegmentVectors {
  readonly packed: readonly (Uint8Array | undefined)[];
  /** The signs of each vector's dimensions. */
  readonly signs: readonly (Uint32Array | undefined)[];
  readonly bytes: number;
}

/** Caches the vectors of the most recently searched segments, which never change. */
export class VectorCache {
  readonly #maxBytes: number;
  readonly #kept = new Map<string, Promise<SegmentVectors>>();
  readonly #sizes = new Map<string, number>();

  /** @param maxBytes @defaultValue 256 MiB */
  constructor(maxBytes: number = 256 * 1024 * 1024) {
    this.#maxBytes = maxBytes;
  }

  async get(
    db: Db,
    segment: { readonly id: string; readonly passages: number },
  ): Promise<SegmentVectors> {
    const { id } = segment;
    const kept = this.#kept.get(id) ?? this.#read(db, segment);
    // Inserted again, so that the least recently used is first.
    this.#kept.delete(id);
    this.#kept.set(id, kept);
    try {
      const vectors = await kept;
      this.#sizes.set(id, vectors.bytes);
      this.#makeRoom(id);
      return vectors;
    } catch (error) {
      this.#kept.delete(id);
      throw error;
    }
  }

  async #read(db: Db, { id, passages }: { readonly id: string; readonly passages: number }) {
    const packed: (Uint8Array | undefined)[] = Array.from({ length: passages });
    const signs: (Uint32Array | undefined)[] = Array.from({ length: passages });
    let bytes = 0;
    for await (const { number, vector } of readVectors(db, { segmentId: id })) {
      packed[number] = vector;
      signs[number] = signBits(vector);
      bytes += vector.length * 1.125;
    }
    return { packed, signs, bytes };
  }

  #makeRoom(newest: string): void {
    let total = [...this.#sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
    for (const id of this.#kept.keys()) {
      if (total <= this.#maxBytes || id === newest) return;
      total -= this.#sizes.get(id) ?? 0;
      this.#sizes.delete(id);
      this.#kept.delete(id);
    }
  }
}
