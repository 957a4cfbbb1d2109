import { hash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { KnowledgeBaseConfig } from '../../contract/knowledge-base.ts';
import type { OutboundFetch } from '../../lib/guarded-fetch.ts';
import { OutboundError } from '../../lib/outbound-error.ts';
import type { FileReader, ReadOptions } from '../reading/file-reader.ts';
import type { IndexableDocument } from '../reading/messages.ts';
import { UnreadableError } from '../reading/unreadable-error.ts';
import type { Source } from '../training/sources.ts';
import { CrawlError } from './crawl-error.ts';
import { type FetchedPage, fetchPage } from './fetch-page.ts';
import { type RobotRules, readRobots } from './robots.ts';
import { createSiteScope, type SiteScope } from './site-scope.ts';

/** The start page and the scope of one crawl. */
export type CrawlRequest = KnowledgeBaseConfig['docs'][number]['payload'];

/** Crawls from each address to include and yields one source for each. Throws {@link CrawlError}. */
export type SiteCrawler = (request: CrawlRequest, options: ReadOptions) => AsyncIterable<Source>;

export interface CrawlLimits {
  /** @defaultValue 500 */
  readonly pages: number;
  /** Addresses known at most; links beyond are not followed. @defaultValue 10,000 */
  readonly addresses: number;
  /** Links away from the start. @defaultValue 5 */
  readonly depth: number;
  /** @defaultValue 5 MiB */
  readonly pageBytes: number;
  /** @defaultValue 100 MiB */
  readonly totalBytes: number;
  /** Deadline of one page, redirects and body included. @defaultValue 20 s */
  readonly pageMs: number;
  /** @defaultValue 15 minutes */
  readonly totalMs: number;
  /** Least time between two requests to a site. @defaultValue 250 */
  readonly delayMs: number;
}

export const crawlLimits = {
  pages: 500,
  addresses: 10_000,
  depth: 5,
  pageBytes: 5 * 1024 * 1024,
  totalBytes: 100 * 1024 * 1024,
  pageMs: 20_000,
  totalMs: 15 * 60_000,
  delayMs: 250,
} as const satisfies CrawlLimits;

export interface CrawlerDeps {
  /** Must be guarded, since users choose the addresses. */
  readonly fetch: OutboundFetch;
  readonly fileReader: Pick<FileReader, 'links'>;
  readonly limits?: Partial<CrawlLimits>;
}

/** Crawls politely: obeys robots.txt, waits between requests, stays on one host, and within the limits. */
export function createSiteCrawler(deps: CrawlerDeps): SiteCrawler {
  const limits = { ...crawlLimits, ...deps.limits };
  return async function* crawl({ urls_to_include, urls_to_exclude }, options) {
    for (const { url, subpaths_only, recursive } of urls_to_include) {
      const folder = await mkdtemp(join(tmpdir(), 'parley-crawl-'));
      try {
        const scope = createSiteScope({
          start: url,
          subpathsOnly: subpaths_only,
          exclude: urls_to_exclude,
        });
        const depth = recursive ? limits.depth : 0;
        const walk = new SiteWalk(deps, { ...limits, depth }, scope, folder);
        yield await walk.run(url, options);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    }
  };
}

interface Waiting {
  readonly address: string;
  readonly depth: number;
}

/** One crawl from one address. */
class SiteWalk {
  readonly #deps: CrawlerDeps;
  readonly #limits: CrawlLimits;
  readonly #scope: SiteScope;
  readonly #folder: string;
  readonly #documents: IndexableDocument[] = [];
  readonly #hashes: string[] = [];
  readonly #known = new Set<string>();
  #bytes = 0;

  constructor(deps: CrawlerDeps, limits: CrawlLimits, scope: SiteScope, folder: string) {
    this.#deps = deps;
    this.#limits = limits;
    this.#scope = scope;
    this.#folder = folder;
  }

  /** Fetches the start page, which must succeed, and the pages it leads to, which may fail. */
  async run(start: string, options: ReadOptions): Promise<Source> {
    const { signal } = options;
    const address = this.#scope.admit(start);
    if (address === undefined) throw new CrawlError(`${start} is excluded.`);
    const rules = await this.#failing(start, signal, () =>
      readRobots(this.#deps.fetch, start, { deadlineMs: this.#limits.pageMs, signal }),
    );
    const endsAt = performance.now() + this.#limits.totalMs;
    const waiting: Waiting[] = [{ address, depth: 0 }];
    this.#known.add(address);
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (this.#isFull() || performance.now() > endsAt) break;
      if (this.#known.size > 1) await delay(this.#pauseMs(rules), undefined, { signal });
      for (const link of await this.#visit(next, rules, options)) {
        const admitted = this.#scope.admit(link);
        if (admitted === undefined || this.#known.has(admitted)) continue;
        if (this.#known.size >= this.#limits.addresses) break;
        this.#known.add(admitted);
        waiting.push({ address: admitted, depth: next.depth + 1 });
      }
    }
    if (this.#documents.length === 0) throw new CrawlError(`${start}: no readable page was found.`);
    return {
      name: `url:${start}`,
      title: this.#documents[0]?.title || start,
      contentHash: hash('sha256', this.#hashes.join('\n')),
      documents: this.#documents,
    };
  }

  #isFull(): boolean {
    return this.#documents.length >= this.#limits.pages || this.#bytes >= this.#limits.totalBytes;
  }

  #pauseMs({ delayMs }: RobotRules): number {
    return Math.max(delayMs, this.#limits.delayMs);
  }

  /** Fetches and stores a page; returns its links if they are to be followed. */
  async #visit(
    { address, depth }: Waiting,
    rules: RobotRules,
    options: ReadOptions,
  ): Promise<readonly string[]> {
    const isStart = depth === 0;
    const refuse = (reason: string): readonly string[] => {
      if (isStart) throw new CrawlError(`${address} ${reason}.`);
      return [];
    };
    if (!rules.allows(address)) return refuse('may not be read according to robots.txt');
    const path = join(this.#folder, String(this.#documents.length));
    const page = await this.#fetched(address, path, isStart, options.signal);
    if (page.outcome === 'skipped') return refuse(page.reason);
    const url = this.#scope.admit(page.url);
    if (url === undefined) return refuse(`leads to ${page.url}, which is another site or excluded`);
    if (url !== address && (this.#known.has(url) || !rules.allows(url))) return [];
    this.#known.add(url);
    this.#bytes += page.sizeBytes;
    const { title, links, noindex } = await this.#linksOf(page, path, options);
    if (!noindex) {
      this.#documents.push({ path, format: page.format, title, url });
      this.#hashes.push(`${url} ${page.sha256}`);
    } else if (isStart && this.#limits.depth === 0) return refuse('asks not to be read');
    return depth < this.#limits.depth ? links : [];
  }

  async #fetched(
    address: string,
    path: string,
    isStart: boolean,
    signal: AbortSignal,
  ): Promise<FetchedPage> {
    const { pageBytes: maxBytes, pageMs: deadlineMs } = this.#limits;
    const options = { path, maxBytes, deadlineMs, signal };
    const attempt = () => fetchPage(this.#deps.fetch, address, options);
    if (isStart) return this.#failing(address, signal, attempt);
    try {
      return await attempt();
    } catch (error) {
      signal.throwIfAborted();
      // Any page but the first may fail and is left out.
      return { outcome: 'skipped', reason: error instanceof Error ? error.message : 'failed' };
    }
  }

  async #linksOf(page: FetchedPage & { outcome: 'page' }, path: string, options: ReadOptions) {
    if (page.format !== 'html') return { title: page.url, links: [], noindex: false };
    try {
      return await this.#deps.fileReader.links(path, page.url, options);
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      return { title: '', links: [], noindex: true };
    }
  }

  async #failing<T>(address: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof OutboundError)
        throw new CrawlError(`${address} cannot be read: ${error.message}.`, { cause: error });
      if (error instanceof Error && error.name === 'AbortError' && !signal.aborted)
        throw new CrawlError(`${address} did not answer in time.`, { cause: error });
      throw error;
    }
  }
}
