import type { Page } from 'playwright-core';
import type { ConsolePage } from './console-page.ts';
import { untilContent } from './page-functions.js';

/** What it took to open a page that was never opened before. */
export interface PageLoad {
  /** Over the wire, with headers: code and data. */
  readonly bytes: number;
  /** Of these, the answers of the API. */
  readonly dataBytes: number;
  readonly apiRequests: readonly string[];
  /** Of its code, the heaviest first, to say what a page is heavy by. */
  readonly heaviest: readonly string[];
  /** From the start of the navigation until nothing waits for data any more. */
  readonly contentMs: number;
}

const HEAVIEST = 5;
const QUIET_MS = 400;
const LONGEST_MS = 60_000;

/** Opens an address of the console in a tab of its own, signed in as `view` is, with an empty cache. */
export async function measurePageLoad(view: ConsolePage, at: string): Promise<PageLoad> {
  const page = await view.page.context().newPage();
  try {
    return await measured(page, `${view.page.url().split('#', 1)[0]}#${at}`);
  } finally {
    await page.close();
  }
}

async function measured(page: Page, url: string): Promise<PageLoad> {
  const wire = await page.context().newCDPSession(page);
  const asked = new Map<string, { readonly path: string; bytes: number; done: boolean }>();
  let changedAt = performance.now();
  const note = (requestId: string, change: (one: { bytes: number; done: boolean }) => void) => {
    const one = asked.get(requestId);
    if (one) change(one);
    changedAt = performance.now();
  };
  wire.on('Network.requestWillBeSent', ({ requestId, request }) => {
    const { pathname, search } = new URL(request.url);
    asked.set(requestId, { path: pathname + search, bytes: 0, done: false });
    changedAt = performance.now();
  });
  wire.on('Network.loadingFinished', ({ requestId, encodedDataLength }) =>
    note(requestId, (one) => {
      one.bytes = encodedDataLength;
      one.done = true;
    }),
  );
  wire.on('Network.loadingFailed', ({ requestId }) =>
    note(requestId, (one) => {
      one.done = true;
    }),
  );
  await wire.send('Network.enable');
  await wire.send('Network.setCacheDisabled', { cacheDisabled: true });
  await page.goto(url);
  const contentMs = await page
    .waitForFunction(untilContent, undefined, { timeout: LONGEST_MS, polling: 'raf' })
    .then((handle) => handle.jsonValue())
    .catch((error: unknown) => {
      throw new Error(`${url} never showed its content`, { cause: error });
    });
  // What comes after the content counts as well, but not what is asked again every few seconds.
  while (
    [...asked.values()].some(({ done }) => !done) ||
    performance.now() - changedAt < QUIET_MS
  ) {
    if (performance.now() - changedAt > LONGEST_MS) throw new Error(`${url} never came to rest`);
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 20)));
  }
  const all = [...asked.values()];
  const api = all.filter(({ path }) => !path.startsWith('/console'));
  const sum = (some: readonly { readonly bytes: number }[]) =>
    some.reduce((total, { bytes }) => total + bytes, 0);
  return {
    bytes: sum(all),
    dataBytes: sum(api),
    apiRequests: api.map(({ path }) => path),
    heaviest: all
      .toSorted((a, b) => b.bytes - a.bytes)
      .slice(0, HEAVIEST)
      .map(({ path, bytes }) => `${path} (${bytes})`),
    contentMs: contentMs as number,
  };
}
