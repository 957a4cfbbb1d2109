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
  /** Who had it spoken. */
  readonly team: string;
}

interface Share {
  bytes: number;
  /** Least recently used first. */
  readonly keys: Set<string>;
}

/** Estimated size of the words and the key. */
const OVERHEAD_BYTES = 1024;

/**
 * Spoken utterances by key. Where there is no room, the team that has the most of it loses what it has not used for the
 * longest time: a team that speaks a lot takes no room from the others.
 */
export class VoiceCache {
  readonly maxUtteranceBytes: number;
  readonly #maxBytes: number;
  readonly #entries = new Map<string, Entry>();
  readonly #shares = new Map<string, Share>();
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
    const keys = this.#shares.get(entry.team)?.keys;
    keys?.delete(key);
    keys?.add(key);
    return entry.parts;
  }

  keep(key: string, parts: readonly TtsPart[], team: string): void {
    const audioBytes = parts.reduce((sum, part) => sum + bytesOf(part), 0);
    if (audioBytes === 0 || audioBytes > this.maxUtteranceBytes) return;
    this.#remove(key);
    const bytes = audioBytes + OVERHEAD_BYTES;
    this.#entries.set(key, { parts, bytes, team });
    const share = this.#shares.get(team) ?? { bytes: 0, keys: new Set() };
    this.#shares.set(team, share);
    share.keys.add(key);
    share.bytes += bytes;
    this.#bytes += bytes;
    while (this.#bytes > this.#maxBytes) this.#makeRoom();
  }

  #makeRoom(): void {
    const [first, ...others] = this.#shares.values();
    const largest = others.reduce(
      (most, one) => (one.bytes > most.bytes ? one : most),
      first as Share,
    );
    const [oldest] = largest.keys;
    this.#remove(oldest as string);
  }

  #remove(key: string): void {
    const entry = this.#entries.get(key);
    const share = entry && this.#shares.get(entry.team);
    if (!share) return;
    this.#entries.delete(key);
    this.#bytes -= entry.bytes;
    share.bytes -= entry.bytes;
    share.keys.delete(key);
    if (share.keys.size === 0) this.#shares.delete(entry.team);
  }
}

/** The size of a part: its audio. */
export function bytesOf(part: TtsPart): number {
  return part.type === 'audio' ? part.pcm.byteLength : 0;
}
