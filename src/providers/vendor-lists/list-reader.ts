import { createHash } from 'node:crypto';
import { throwIfAborted } from '../../lib/abort.ts';
import { ProviderError } from '../../lib/errors.ts';
import type { OutboundFetch } from '../../lib/guarded-fetch.ts';
import { readStart } from '../../lib/read-start.ts';
import type { Clock } from '../../ports/clock.ts';
import { httpError } from '../openai-llm/error-protocol.ts';
import { requestFailure } from '../openai-llm/failure.ts';
import type { ListAccess, VendorListProtocol } from './protocol.ts';

const DEADLINE_MS = 10_000;
const MAX_PAGES = 10;
const MAX_ENTRIES = 1000;
const MAX_PAGE_BYTES = 4 * 1024 * 1024;
const MAX_ERROR_BYTES = 64 * 1024;
const KEPT_MS = 10 * 60_000;
const MAX_KEPT = 200;

interface Kept {
  readonly entries: readonly unknown[];
  readonly until: number;
}

/** Reads what vendors list, and keeps it for ten minutes by account. */
export class VendorListReader {
  readonly #fetch: OutboundFetch;
  readonly #clock: Clock;
  readonly #kept = new Map<string, Kept>();

  constructor(fetch: OutboundFetch, clock: Clock) {
    this.#fetch = fetch;
    this.#clock = clock;
  }

  /** Throws ProviderError, or AbortError. `kind`: of what the list is. */
  async read<Entry>(
    kind: 'models' | 'voices',
    protocol: VendorListProtocol<Entry>,
    access: ListAccess,
    signal: AbortSignal,
  ): Promise<readonly Entry[]> {
    const { vendor } = protocol;
    // No key is kept beside the list, nor in the name of it.
    const key = createHash('sha256')
      .update(JSON.stringify([kind, vendor, access.apiKey, access.baseUrl]))
      .digest('hex');
    const known = this.#kept.get(key);
    if (known && known.until > this.#clock.now()) return known.entries as readonly Entry[];
    const entries = await this.#readPages(protocol, access, signal);
    this.#kept.delete(key);
    this.#kept.set(key, { entries, until: this.#clock.now() + KEPT_MS });
    const oldest = this.#kept.keys().next().value;
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return entries;
  }

  async #readPages<Entry>(
    protocol: VendorListProtocol<Entry>,
    access: ListAccess,
    signal: AbortSignal,
  ): Promise<readonly Entry[]> {
    const { vendor } = protocol;
    const controller = new AbortController();
    const abort = (): void => controller.abort();
    signal.addEventListener('abort', abort, { once: true });
    const timer = this.#clock.setTimeout(abort, DEADLINE_MS);
    const entries: Entry[] = [];
    let after: string | undefined;
    try {
      for (let page = 0; page < MAX_PAGES && entries.length < MAX_ENTRIES; page++) {
        const read = protocol.parse(
          await this.#readPage(protocol, access, after, controller.signal),
        );
        entries.push(...read.entries);
        after = read.after;
        if (after === undefined) break;
      }
      return entries.slice(0, MAX_ENTRIES);
    } catch (error) {
      throwIfAborted(signal);
      if (controller.signal.aborted)
        throw new ProviderError({
          class: 'timeout',
          provider: vendor,
          code: 'list_timeout',
          message: `${vendor} sent no list within ${DEADLINE_MS / 1000} s`,
        });
      throw error instanceof ProviderError ? error : requestFailure(vendor, error);
    } finally {
      this.#clock.clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
  }

  async #readPage<Entry>(
    { vendor, request }: VendorListProtocol<Entry>,
    access: ListAccess,
    after: string | undefined,
    signal: AbortSignal,
  ): Promise<unknown> {
    const { url, headers } = request(access, after);
    const response = await this.#fetch(url, {
      headers,
      signal,
      maxResponseBytes: MAX_PAGE_BYTES,
    });
    const { status } = response;
    if (status !== 200)
      throw httpError({
        provider: vendor,
        status,
        headers: response.headers,
        body: await readStart(response, MAX_ERROR_BYTES),
        secrets: [access.apiKey],
      });
    const body = await readStart(response, MAX_PAGE_BYTES);
    try {
      return JSON.parse(body);
    } catch (cause) {
      throw new ProviderError({
        class: 'protocol',
        provider: vendor,
        code: 'bad_list',
        message: `${vendor} sent a list that cannot be read`,
        cause,
      });
    }
  }
}
