import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { uuidv7 } from '../../src/lib/ids.ts';

/** Where `npm run coverage` gathers what was run; absent in all other runs. */
const FOLDER = process.env.COVERAGE_FOLDER;

/** True in `npm run coverage`, where the console is one script and no part of it comes later. */
export const isCounted = FOLDER !== undefined;

/**
 * Counts what the pages of a context run, with the console in one script that has a source map. What it returns writes
 * the counts down, and has to be called while the pages are open.
 */
export async function countPages(context: BrowserContext): Promise<() => Promise<void>> {
  if (!FOLDER) return async () => undefined;
  const pages = new Map<Page, Promise<void>>();
  const count = (page: Page) => {
    pages.set(page, page.coverage.startJSCoverage({ resetOnNavigation: false }));
  };
  const write = async (page: Page) => {
    await pages.get(page);
    const counted = await page.coverage.stopJSCoverage();
    const result = counted.filter(({ url }) => url.endsWith('/console/app.js'));
    await mkdir(join(FOLDER, 'pages'), { recursive: true });
    await writeFile(
      join(FOLDER, 'pages', `${uuidv7()}.json`),
      JSON.stringify({ result: result.map(({ url, functions }) => ({ url, functions })) }),
    );
  };
  context.on('page', (page) => {
    count(page);
    // The browser forgets what a document ran when the next one takes its place.
    const { reload, goto } = page;
    const writeAnd = <Args extends unknown[], Result>(
      leave: (...args: Args) => Promise<Result>,
    ) => {
      return async (...args: Args): Promise<Result> => {
        await write(page);
        count(page);
        return leave.apply(page, args);
      };
    };
    page.reload = writeAnd(reload);
    page.goto = writeAnd(goto);
  });
  await context.route('**/console/app.js', (route) =>
    route.fulfill({ path: join(FOLDER, 'app.js'), contentType: 'text/javascript' }),
  );
  return async () => {
    for (const page of pages.keys()) if (!page.isClosed()) await write(page);
  };
}
