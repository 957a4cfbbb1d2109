import type { TtsPart } from '../../ports/tts.ts';

export interface VoiceCacheOptions {
  /** Maximum total size of the cached audio. @defaultValue 64 MiB */
  readonly maxBytes?: number;
  /** Longer utterances are not repeated often enough to be cached. @defaultValue 1 MiB */
  readonly maxUtteranceBytes?: number;
}

interface Entry {
  readonly parts: readonly TtsPart[];
  readonly bytes: number;
}

/** Estimated size of the words and the key. */
const OVERHEAD_BYTES = 1024;

/** Spoken utterances by key, with least-recently-used eviction. */
export class VoiceCache {
  readonly maxUtteranceBytes: number;
  readonly #maxBytes: number;
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  constructor(options: VoiceCacheOptions = {}) {
    this.#maxBytes = options.maxBytes ?? 64 * 1024 * 1024;
    this.maxUtteranceBytes = options.maxUtteranceBytes ?? 1024 * 1024;
  }

  get bytes(): number {
    return this.#bytes;
  }

  find(key: string): readonly TtsPart[] | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.parts;
  }

  keep(key: string, parts: readonly TtsPart[]): void {
    const audioBytes = parts.reduce((sum, part) => sum + bytesOf(part), 0);
    if (audioBytes === 0 || audioBytes > this.maxUtteranceBytes) return;
    this.#remove(key);
    const bytes = audioBytes + OVERHEAD_BYTES;
    this.#entries.set(key, { parts, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#bytes -= entry.bytes;
  }
}

/** The size of a part: its audio. */
export function bytesOf(part: TtsPart): number {
  return part.type === 'audio' ? part.pcm.byteLength : 0;
}
