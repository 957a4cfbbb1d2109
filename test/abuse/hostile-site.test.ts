import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CrawlLimits, createSiteCrawler } from '../../src/knowledge/crawling/crawl-site.ts';
import { readRules } from '../../src/knowledge/crawling/robots.ts';
import { createGuardedFetch, type GuardedFetch } from '../../src/lib/guarded-fetch.ts';
import { systemClock } from '../../src/lib/system-clock.ts';
import { cpuMsOf } from '../support/cpu-time.ts';
import { isLong } from '../support/effort.ts';
import { openTestFiles, type TestFiles } from '../support/files.ts';

const HTML = { 'content-type': 'text/html; charset=utf-8' };
const ROBOTS = 'https://shop.example/robots.txt';

/** What it came to, and how long the thread that carries sound computed. */
function timed<T>(work: () => T): { readonly ms: number; readonly result: T } {
  let result: { readonly value: T } | undefined;
  const ms = cpuMsOf(() => {
    result = { value: work() };
  });
  return { ms, result: (result as { readonly value: T }).value };
}

describe('a hostile robots.txt', () => {
  const longest = `https://shop.example/${'a'.repeat(2000)}`;

  test.each([
    ['slow patterns', 'Disallow: /*a*a*a*a*a*a*a*ab$\n'.repeat(4999)],
    ['one endless pattern', `Disallow: /${'*a'.repeat(240_000)}b$\n`],
  ])('%s: what would take too long to compare may not be read', (_, rules) => {
    const { ms, result } = timed(() =>
      readRules(ROBOTS, `User-agent: *\n${rules}`).allows(longest),
    );
    expect(result).toBe(false);
    expect(ms).toBeLessThan(1000);
  });

  test('the slowest rules that are compared take a fraction of a second', () => {
    const rules = readRules(ROBOTS, `User-agent: *\n${'Disallow: /*a*a*ab$\n'.repeat(310)}`);
    const { ms, result } = timed(() => rules.allows(longest));
    expect(result).toBe(true);
    expect(ms).toBeLessThan(500);
  });

  test('rules for thousands of other crawlers cost no memory', () => {
    const names = Array.from({ length: 20_000 }, (_, i) => `User-agent: bot${i}\n`).join('');
    const text = `${names}User-agent: *\n${'Disallow: /a\n'.repeat(4000)}`;
    const { ms, result } = timed(() => readRules(ROBOTS, text));
    expect(ms).toBeLessThan(1000);
    expect(result.allows('https://shop.example/a')).toBe(false);
    expect(result.allows('https://shop.example/b')).toBe(true);
  });

  test('more rules than are kept: the site is left alone, with the reason', () => {
    const text = `User-agent: *\n${'Allow: /a\n'.repeat(6000)}`;
    expect(() => readRules(ROBOTS, text)).toThrow('more than 5000 rules for crawlers');
  });

  test('groups are kept as they stand: the crawler by its name, all others by the star', () => {
    const rules = readRules(
      ROBOTS,
      `User-agent: other\nDisallow: /\n\nUser-Agent: * # all\nDisallow: /all
user-agent: Third\nUser-agent: ParleyBot/2.0\nCrawl-delay: 2\nDisallow: /own\nAllow: /own/open`,
    );
    const allowed = ['/', '/all', '/own', '/own/open'].map((path) =>
      rules.allows(`https://shop.example${path}`),
    );
    expect(allowed).toEqual([true, true, false, true]);
    expect(rules.delayMs).toBe(2000);
  });
});

describe('a hostile site', () => {
  let server: Server;
  let origin: string;
  let files: TestFiles;
  let guarded: GuardedFetch;
  let asked: string[] = [];
  let answer: RequestListener;
  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request.url ?? '');
      if (request.url === '/robots.txt' && !answer.name.startsWith('robots'))
        response.writeHead(404).end();
      else answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    files = await openTestFiles();
    guarded = createGuardedFetch({ allowPrivate: true, clock: systemClock });
  });
  afterAll(async () => {
    await guarded.close();
    await files.close();
    server.closeAllConnections();
    server.close();
  });

  async function crawl(listener: RequestListener, limits: Partial<CrawlLimits>) {
    answer = listener;
    asked = [];
    const crawler = createSiteCrawler({
      fetch: guarded.fetch,
      fileReader: files.fileReader,
      limits: { delayMs: 0, ...limits },
    });
    const include = { url: `${origin}/`, subpaths_only: false, recursive: true };
    const request = { urls_to_include: [include], urls_to_exclude: [] };
    const found: string[] = [];
    const { signal } = new AbortController();
    for await (const source of crawler(request, { team: 'ada', signal }))
      found.push(...source.documents.map(({ url }) => (url ?? '').replace(origin, '')));
    return found;
  }

  const drip: RequestListener = (_, response) => {
    response.writeHead(200, HTML);
    const timer = setInterval(() => response.write('x'), 20);
    response.on('close', () => clearInterval(timer));
  };
  const flood: RequestListener = (_, response) => {
    response.writeHead(200, HTML);
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    };
    response.on('drain', more);
    more();
  };
  const loop: RequestListener = (request, response) => {
    response.writeHead(302, { location: `${request.url}x` }).end();
  };

  test.runIf(isLong)('links without end: the crawl ends at its pages', async () => {
    const found = await crawl(
      (request, response) => {
        const links = Array.from({ length: 400 }, (_, i) => `<a href="${request.url}x${i}">n</a>`);
        response.writeHead(200, HTML).end(`<p>Page</p>${links.join('')}`);
      },
      { pages: 4 },
    );
    expect(found).toHaveLength(4);
  });

  test('links to nothing without end: the crawl ends at its addresses', async () => {
    const found = await crawl(
      (request, response) => {
        const links = Array.from({ length: 400 }, (_, i) => `<a href="/${i}">n</a>`);
        const status = request.url === '/' ? 200 : 404;
        response.writeHead(status, HTML).end(`<p>Page</p>${links.join('')}`);
      },
      { addresses: 20 },
    );
    expect(found).toEqual(['/']);
    expect(asked).toHaveLength(21);
  });

  test('pages that each take their time: the crawl ends at its time', async () => {
    const found = await crawl(
      (request, response) => {
        const body = `<p>Page</p><a href="${request.url}x">n</a>`;
        setTimeout(() => response.writeHead(200, HTML).end(body), 100);
      },
      { totalMs: 500, depth: 100 },
    );
    expect(found.length).toBeLessThan(6);
  });

  test.each([
    ['a body that drips', drip, 'did not answer in time', 400],
    ['a body without end', flood, 'sent more than the 1000000 bytes allowed', 60_000],
    ['redirects without end', loop, 'answered with a redirect', 60_000],
    [
      'rules that drip',
      function robotsDrip(...it) {
        drip(...it);
      } satisfies RequestListener,
      'did not answer in time',
      400,
    ],
  ])('%s: the start fails with the reason', async (_, listener, reason, pageMs) => {
    const limits = { pageMs, pageBytes: 1_000_000 };
    await expect(crawl(listener, limits)).rejects.toMatchObject({
      name: 'CrawlError',
      message: expect.stringContaining(reason),
    });
  });

  test('what is hostile on the way is left out', async () => {
    const hostile = [drip, flood, loop];
    const found = await crawl(
      (request, response) => {
        const path = request.url ?? '';
        const other = hostile[Number(path.slice(1, 2))];
        if (path !== '/' && path !== '/good' && other) return other(request, response);
        const links = hostile.map((_, i) => `<a href="/${i}">n</a>`).join('');
        response.writeHead(200, HTML).end(`<p>Page</p>${links}<a href="/good">g</a>`);
      },
      { pageMs: 3000, pageBytes: 1_000_000 },
    );
    expect(found.sort()).toEqual(['/', '/good']);
  });
});
