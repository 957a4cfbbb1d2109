import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { load } from 'cheerio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addressOf, buildDocsSite } from '../../packaging/docs-site/build.ts';
import { API_PAGE, NAVIGATION } from '../../packaging/docs-site/navigation.ts';
import { openChromium } from '../support/chromium.ts';
import { chromiumPath } from '../support/chromium-flags.ts';
import { isLong } from '../support/effort.ts';
import { axeFaults, overflowing } from '../support/page-functions.js';

const ROOT = join(import.meta.dirname, '../..');
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const PAGES = NAVIGATION.flatMap(({ pages }) => pages);

let out: string;
beforeAll(async () => {
  out = await mkdtemp(join(tmpdir(), 'parley-docs-'));
  await buildDocsSite(out);
});
afterAll(() => rm(out, { recursive: true, force: true }));

const page = (address: string) => load(readFileSync(join(out, address)));

test('every page of docs is in the navigation, once', () => {
  const written = globSync('docs/**/*.md', { cwd: ROOT });
  expect(PAGES.filter((name) => name.startsWith('docs/')).sort()).toEqual(
    [...written, API_PAGE].sort(),
  );
  expect(new Set(PAGES).size).toBe(PAGES.length);
});

test('the navigation of every page leads to every page, by its title', () => {
  for (const source of PAGES) {
    const $ = page(addressOf(source));
    const links = $('nav a').toArray();
    const targets = links.map((link) =>
      resolve(out, dirname(addressOf(source)), $(link).attr('href') ?? ''),
    );
    expect(targets).toEqual(PAGES.map((target) => resolve(out, addressOf(target))));
    expect(links.every((link) => $(link).text().trim() !== '')).toBe(true);
    expect($('nav [aria-current]').length).toBe(1);
    expect($('h1').length).toBe(1);
  }
});

test('no link is broken, nor any anchor or picture', () => {
  const anchors = new Map<string, Set<string>>();
  const anchorsOf = (file: string) => {
    const $ = load(readFileSync(file));
    const known =
      anchors.get(file) ??
      new Set(
        $('[id]')
          .map((_, element) => $(element).attr('id'))
          .get(),
      );
    anchors.set(file, known);
    return known;
  };
  const broken: string[] = [];
  for (const source of PAGES) {
    const address = addressOf(source);
    const $ = page(address);
    const links = $('[href], [src], [srcset]')
      .map((_, element) =>
        $(element).attr(['href', 'src', 'srcset'].find((name) => $(element).attr(name)) ?? ''),
      )
      .get();
    for (const link of links) {
      if (/^(?:https?|mailto|data):/.test(link)) continue;
      const [path = '', anchor] = link.split('#');
      const file = path === '' ? join(out, address) : resolve(out, dirname(address), path);
      const isThere = existsSync(file) && (anchor === undefined || anchorsOf(file).has(anchor));
      if (!isThere) broken.push(`${source}: ${link}`);
    }
  }
  expect(broken).toEqual([]);
});

test('nothing is loaded from another host', () => {
  for (const source of PAGES) {
    const $ = page(addressOf(source));
    const loaded = $('script[src], link[href], img[src]')
      .map((_, element) => $(element).attr('src') ?? $(element).attr('href'))
      .get();
    expect(loaded.filter((address) => /^(?:https?:)?\/\//.test(address))).toEqual([]);
  }
});

const title = chromiumPath
  ? 'the documentation in a browser'
  : 'the documentation in a browser (skipped: no Chromium is installed)';

describe.skipIf(!chromiumPath)(title, () => {
  test.runIf(isLong)('is searched without a server, and fit to be read', async () => {
    await using browser = await openChromium();
    const view = await browser.context.newPage();
    const complaints: string[] = [];
    view.on('pageerror', (error) => complaints.push(String(error)));
    await view.goto(pathToFileURL(join(out, 'decisions/README.html')).href);
    await view.fill('#search', 'barge');
    await view.locator('#results a').first().waitFor();
    await view.fill('#search', 'whsec_ python');
    await view.locator('#results a', { hasText: 'Verifying webhooks' }).first().waitFor();
    await view.press('#search', 'Enter');
    await view.locator('h1', { hasText: /webhooks|Tools/ }).waitFor();
    await view.fill('#search', 'zzzzzzzzzz');
    await view.locator('#found', { hasText: '0 found' }).waitFor();
    const folder = process.env.CONSOLE_SCREENSHOTS;
    for (const address of ['index.html', 'tools.html', 'api.html']) {
      await view.goto(pathToFileURL(join(out, address)).href);
      await view.evaluate(await readFile(AXE, 'utf8'));
      for (const colorScheme of ['light', 'dark'] as const) {
        await view.emulateMedia({ colorScheme });
        for (const width of [1280, 400]) {
          await view.setViewportSize({ width, height: 800 });
          if (folder)
            await view.screenshot({ path: join(folder, `${address}-${width}-${colorScheme}.png`) });
          expect(await view.evaluate<string[]>(overflowing)).toEqual([]);
        }
        // Every rule on the page that is not long.
        const rules = address === 'tools.html' ? 'all' : 'colours';
        if (address !== 'api.html')
          expect(await view.evaluate<string[], string>(axeFaults, rules)).toEqual([]);
      }
    }
    expect(complaints).toEqual([]);
  });
});
