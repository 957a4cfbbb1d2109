import PQueue from 'p-queue';
import type { SoundLoop } from '../audio/sound-loop.ts';
import type { OutboundFetch } from '../lib/guarded-fetch.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Sounds } from '../ports/sounds.ts';
import { makeLoop } from './sound-thread.ts';
import type { SoundRequest } from './sound-worker.ts';

interface Deps {
  /** Fetches URLs given by users. */
  readonly fetch: OutboundFetch;
  readonly clock: Clock;
  readonly log: Log;
}

interface CachedSound {
  readonly loop: Promise<SoundLoop | undefined>;
  /** Loading failed; the next attempt is not made before this time. */
  retryAt?: number;
}

const DEADLINE_MS = 10_000;
const MAX_BYTES = 10 * 1024 * 1024;
const MAX_REDIRECTS = 3;
const RETRY_AFTER_MS = 60_000;
/** Limit on cached user sounds, counting each sample rate; each is at most two minutes long. */
const MAX_KEPT = 12;
const MAX_LOADING = 2;
const MAX_WAITING = 32;

/** Background sounds and hold music of calls: made or fetched on first use, then cached. */
export class SoundLibrary implements Sounds {
  readonly #deps: Deps;
  readonly #builtIn = new Map<string, CachedSound>();
  readonly #own = new Map<string, CachedSound>();
  readonly #loading = new PQueue({ concurrency: MAX_LOADING });
  readonly #closed = new AbortController();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  ambience(sampleRateHz: number): Promise<SoundLoop | undefined> {
    return this.#once(this.#builtIn, `ambience ${sampleRateHz}`, (signal) =>
      makeLoop({ source: 'ambience', sampleRateHz }, signal),
    );
  }

  holdMusic(sampleRateHz: number): Promise<SoundLoop | undefined> {
    return this.#once(this.#builtIn, `hold-music ${sampleRateHz}`, (signal) =>
      makeLoop({ source: 'hold-music', sampleRateHz }, signal),
    );
  }

  fromUrl(url: string, sampleRateHz: number): Promise<SoundLoop | undefined> {
    return this.#once(this.#own, `${url} ${sampleRateHz}`, async (signal) => {
      const file = await this.#download(url, signal);
      return makeLoop({ source: { file }, sampleRateHz } satisfies SoundRequest, signal);
    });
  }

  /** Aborts loading. */
  close(): void {
    this.#closed.abort();
    this.#loading.clear();
  }

  #once(
    kept: Map<string, CachedSound>,
    key: string,
    load: (signal: AbortSignal) => Promise<SoundLoop>,
  ): Promise<SoundLoop | undefined> {
    const known = kept.get(key);
    kept.delete(key);
    const usable = known && (known.retryAt ?? Number.POSITIVE_INFINITY) > this.#deps.clock.now();
    const entry = usable ? known : this.#load(key, load);
    kept.set(key, entry);
    // Drops the least recently used sound.
    if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value as string);
    return entry.loop;
  }

  #load(key: string, load: (signal: AbortSignal) => Promise<SoundLoop>): CachedSound {
    const { clock, log } = this.#deps;
    const loop = this.#queued(load).catch((error: unknown) => {
      entry.retryAt = clock.now() + RETRY_AFTER_MS;
      if (!this.#closed.signal.aborted) {
        log.warn(
          { sound: key.slice(0, key.lastIndexOf(' ')), err: error },
          'a sound is not played',
        );
      }
      return undefined;
    });
    const entry: CachedSound = { loop };
    return entry;
  }

  async #queued(load: (signal: AbortSignal) => Promise<SoundLoop>): Promise<SoundLoop> {
    this.#closed.signal.throwIfAborted();
    if (this.#loading.size >= MAX_WAITING) throw new Error('too many sounds are being loaded');
    return this.#loading.add(() =>
      load(AbortSignal.any([this.#closed.signal, AbortSignal.timeout(DEADLINE_MS)])),
    );
  }

  async #download(url: string, signal: AbortSignal): Promise<Uint8Array> {
    const response = await this.#deps.fetch(url, {
      signal,
      maxRedirects: MAX_REDIRECTS,
      maxResponseBytes: MAX_BYTES,
    });
    if (response.status !== 200) {
      response.cancel();
      throw new Error(`the sound's address answered ${response.status}`);
    }
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body) chunks.push(chunk);
    return Buffer.concat(chunks);
  }
}
