import { beforeAll, describe, expect, test } from 'vitest';
import type { ConsoleFile } from '../../src/api/console-file.ts';
import { loadPage } from '../../src/api/console-files.ts';

const MOST_BYTES = 200_000;
/** Nobody loads all of them at once: this one notices a library that came in unseen. */
const MOST_IN_ALL_BYTES = 300_000;
const STATIC_IMPORT = /(?:import|from)\s*"\.\/([^"]+)"/g;
const DYNAMIC_IMPORT = /import\("\.\/([^"]+)"\)/g;

describe('the page is small', () => {
  let files: ReadonlyMap<string, ConsoleFile>;

  /** Bytes of each file, compressed. */
  let sizes: ReadonlyMap<string, number>;

  beforeAll(async () => {
    files = await loadPage('console');
    const measured = [...files].map(
      async ([name, { brotli }]) => [name, (await brotli()).length] as const,
    );
    sizes = new Map(await Promise.all(measured));
  });

  /** A file, and all that has to be there before it runs. */
  function closure(name: string, found = new Set<string>()): Set<string> {
    if (found.has(name)) return found;
    found.add(name);
    const code = Buffer.from(files.get(name)?.body ?? []).toString();
    for (const [, next] of code.matchAll(STATIC_IMPORT)) closure(next ?? '', found);
    return found;
  }

  function compressed(names: Iterable<string>): number {
    return [...names].reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0);
  }

  function pageChunks(): string[] {
    const app = Buffer.from(files.get('app.js')?.body ?? []).toString();
    return [...app.matchAll(DYNAMIC_IMPORT)].map(([, name]) => name ?? '');
  }

  test('the first load, and the first load of any one page, are under 200 KB compressed', () => {
    const first = new Set(['index.html', 'app.css', 'icon.svg', ...closure('app.js')]);
    const pages = pageChunks();
    expect(pages.length).toBeGreaterThan(10);
    const loads = pages.map((name) => [name, compressed(closure(name, new Set(first)))] as const);
    // Nothing was counted that is not there.
    for (const name of pages.flatMap((page) => [...closure(page)]))
      expect(files.has(name)).toBe(true);
    expect(loads.filter(([, bytes]) => bytes >= MOST_BYTES)).toEqual([]);
    expect(compressed(first)).toBeGreaterThan(10_000);
  });

  test('no page is loaded in more than sixteen scripts', () => {
    const counts = pageChunks().map((name) => [name, closure(name).size] as const);
    expect(counts.filter(([, scripts]) => scripts > 16)).toEqual([]);
  });

  test('all pages together are under 300 KB compressed', () => {
    const everything = new Set(['index.html', 'app.css', 'icon.svg', ...closure('app.js')]);
    for (const page of pageChunks()) closure(page, everything);
    expect(compressed(everything)).toBeLessThan(MOST_IN_ALL_BYTES);
  });
});
