import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type CrawlLimits,
  type CrawlRequest,
  createSiteCrawler,
} from '../../src/knowledge/crawling/crawl-site.ts';
import { createGuardedFetch, type GuardedFetch } from '../../src/lib/guarded-fetch.ts';
import { systemClock } from '../../src/lib/system-clock.ts';
import { openTestFiles, type TestFiles } from '../support/files.ts';

interface Page {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const html = (body: string, head = ''): Page => ({
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: `<!doctype html><html><head>${head}</head><body>${body}</body></html>`,
});

describe('a crawl', () => {
  let server: Server;
  let origin: string;
  let files: TestFiles;
  let guarded: GuardedFetch;
  let strict: GuardedFetch;
  let pages: Record<string, Page> = {};
  let asked: string[] = [];
  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request.url ?? '');
      const page = pages[request.url ?? ''] ?? { status: 404 };
      response.writeHead(page.status ?? 200, page.headers).end(page.body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    files = await openTestFiles();
    guarded = createGuardedFetch({ allowPrivate: true, clock: systemClock });
    strict = createGuardedFetch({ allowPrivate: false, clock: systemClock });
  });
  beforeEach(() => {
    pages = {};
    asked = [];
  });
  afterAll(async () => {
    await guarded.close();
    await strict.close();
    await files.close();
    server.closeAllConnections();
    server.close();
  });

  const crawl = async (
    path: string,
    options: Partial<CrawlRequest['urls_to_include'][number]> & {
      readonly exclude?: readonly string[];
      readonly limits?: Partial<CrawlLimits>;
      readonly fetch?: GuardedFetch['fetch'];
      readonly signal?: AbortSignal;
    } = {},
  ) => {
    const { exclude = [], limits, fetch = guarded.fetch, signal, ...include } = options;
    const crawler = createSiteCrawler({
      fetch,
      fileReader: files.fileReader,
      limits: { delayMs: 0, ...limits },
    });
    const request = {
      urls_to_include: [
        { url: `${origin}${path}`, subpaths_only: false, recursive: false, ...include },
      ],
      urls_to_exclude: exclude.map((it) => `${origin}${it}`),
    };
    const found: string[] = [];
    for await (const source of crawler(request, {
      team: 'ada',
      signal: signal ?? new AbortController().signal,
    }))
      found.push(...source.documents.map(({ url }) => (url ?? '').replace(origin, '')));
    return found;
  };

  const site = () => {
    pages = {
      '/docs': html(
        '<a href="/docs/a">a</a> <a href="/other">o</a> <a href="https://elsewhere.example/">e</a>',
        '<title>Docs</title>',
      ),
      '/docs/a': html(
        '<h1>A</h1><a href="b#top">b</a><a href="/docs">back</a><a href="/logo.png">l</a>',
      ),
      '/docs/b': html('B <a href="/docs/secret/c">c</a>'),
      '/docs/secret/c': html('C'),
      '/other': html('Other'),
    };
  };

  test('without recursion reads the one page', async () => {
    site();
    expect(await crawl('/docs')).toEqual(['/docs']);
    expect(asked).toEqual(['/robots.txt', '/docs']);
  });

  test('follows links on its own host, each once', async () => {
    site();
    const found = await crawl('/docs', { recursive: true });
    expect(found.sort()).toEqual(['/docs', '/docs/a', '/docs/b', '/docs/secret/c', '/other']);
    expect(asked.filter((path) => path === '/docs')).toHaveLength(1);
  });

  test('stays below its start, and out of what is excluded', async () => {
    site();
    const found = await crawl('/docs', {
      recursive: true,
      subpaths_only: true,
      exclude: ['/docs/secret'],
    });
    expect(found).toEqual(['/docs', '/docs/a', '/docs/b']);
  });

  test('keeps to the robots rules of the site and of its pages', async () => {
    site();
    pages['/robots.txt'] = { body: 'User-agent: *\nDisallow: /docs/secret\nDisallow: /other' };
    pages['/docs/b'] = html('B <a href="/docs/d">d</a>', '<meta name="robots" content="noindex">');
    pages['/docs/d'] = html('D <a href="/docs/e" rel="nofollow">e</a>');
    pages['/docs/e'] = html('E');
    const found = await crawl('/docs', { recursive: true });
    expect(found).toEqual(['/docs', '/docs/a', '/docs/d']);
    expect(asked).not.toContain('/other');
  });

  test.each([
    ['is forbidden', { '/robots.txt': { body: 'User-agent: *\nDisallow: /' } }, 'robots.txt'],
    ['is missing', { '/docs': { status: 404 } }, 'answered with status 404'],
    ['is a picture', { '/docs': { headers: { 'content-type': 'image/png' } } }, 'image/png'],
    ['has rules that cannot be read', { '/robots.txt': { status: 503 } }, 'status 503'],
    [
      'leads elsewhere',
      { '/docs': { status: 302, headers: { location: 'http://localhost:1/' } } },
      'cannot be read',
    ],
  ])('fails with a reason when its start %s', async (_, changed, reason) => {
    site();
    Object.assign(pages, changed);
    await expect(crawl('/docs')).rejects.toThrow(reason);
    await expect(crawl('/docs')).rejects.toMatchObject({ name: 'CrawlError' });
  });

  test('leaves out what cannot be had on the way', async () => {
    site();
    pages['/docs/a'] = { status: 500 };
    pages['/other'] = { status: 301, headers: { location: 'http://localhost:1/' } };
    expect(await crawl('/docs', { recursive: true })).toEqual(['/docs']);
  });

  test('reaches no private address', async () => {
    site();
    await expect(crawl('/docs', { fetch: strict.fetch })).rejects.toThrow(
      /private|not public|cannot be read/,
    );
    expect(asked).toEqual([]);
  });

  test('ends at its limits of pages, depth and size', async () => {
    for (let i = 0; i < 30; i++)
      pages[`/p${i}`] = html(
        `Page ${i} <a href="/p${i + 1}">next</a> <a href="/p${i + 2}">skip</a>`,
      );
    expect(await crawl('/p0', { recursive: true, limits: { pages: 7 } })).toHaveLength(7);
    const deep = await crawl('/p0', { recursive: true, limits: { depth: 2 } });
    expect(deep.sort()).toEqual(['/p0', '/p1', '/p2', '/p3', '/p4']);
    pages['/p1'] = html('x'.repeat(20_000));
    const found = await crawl('/p0', { recursive: true, limits: { pageBytes: 10_000, depth: 1 } });
    expect(found).toEqual(['/p0', '/p2']);
  });

  test('stops when it is told to', async () => {
    site();
    const stop = new AbortController();
    const crawling = crawl('/docs', {
      recursive: true,
      limits: { delayMs: 60_000 },
      signal: stop.signal,
    });
    await expect.poll(() => asked).toContain('/docs');
    stop.abort();
    await expect(crawling).rejects.toThrow(/abort/i);
  });
});
