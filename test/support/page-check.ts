import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { ConsolePage } from './console-page.ts';
import { isLong } from './effort.ts';
import {
  axeFaults,
  hasAxe,
  overflowing,
  stickAgain,
  unstick,
  untilContent,
} from './page-functions.js';

const WIDTHS = { wide: { width: 1280, height: 800 }, narrow: { width: 400, height: 800 } } as const;
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** The browser says so of every input that is refused, or changed by others meanwhile, which is no fault of the page. */
const REFUSED =
  /^Failed to load resource: the server responded with a status of (?:400|404|409|412|422) /;

interface PageCheckOptions {
  /** Begins the names of the screenshots. */
  readonly name: string;
  /** It shows what a page looks like while it loads, and always will. @defaultValue false */
  readonly alwaysLoads?: boolean;
}

/** The theme in which every rule is tried; the other one differs in its colours alone. */
const WHOLE = { wide: 'light', narrow: 'dark' } as const;
/** What axe looks at, in either theme, wide or on a telephone; `npm test` has it look at half of the pages each way. */
const axeRules = (name: string, shape: keyof typeof WHOLE, colorScheme: 'light' | 'dark') => {
  const isWhole = colorScheme === WHOLE[shape];
  if (isLong) return isWhole ? 'all' : 'colours';
  return isWhole && (shape === 'wide') === (name.length % 2 === 0) ? 'all' : 'none';
};

/**
 * Whether what is shown is fit to be seen: axe finds nothing, nothing sticks out at the side wide or on a telephone,
 * nothing was asked of another origin and the browser has no complaint. Where `CONSOLE_SCREENSHOTS` names a folder, what
 * was seen is kept there.
 */
export async function checkPage(
  view: ConsolePage,
  { name, alwaysLoads = false }: PageCheckOptions,
): Promise<void> {
  const { page } = view;
  const before = page.viewportSize() ?? WIDTHS.wide;
  if (!alwaysLoads) await page.waitForFunction(untilContent, undefined, { polling: 'raf' });
  // Evaluated by the browser's debugger, which the page's policy does not bind.
  if (!(await page.evaluate(hasAxe))) await page.evaluate(await readFile(AXE, 'utf8'));
  // A bar that sticks to an edge covers some control wherever the page is scrolled to; that is no fault.
  await page.evaluate(unstick);
  const faults: string[] = [];
  for (const shape of ['wide', 'narrow'] as const) {
    await page.setViewportSize(WIDTHS[shape]);
    for (const colorScheme of ['light', 'dark'] as const) {
      const label = `${name}-${shape}-${colorScheme}`;
      const rules = axeRules(name, shape, colorScheme);
      if (rules === 'none' && !process.env.CONSOLE_SCREENSHOTS) continue;
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await keepScreenshot(view, label);
      if (rules === 'none') continue;
      const found = await page.evaluate<string[], string>(axeFaults, rules);
      faults.push(...found.map((fault) => `${label}: ${fault}`));
    }
    faults.push(
      ...(await page.evaluate<string[]>(overflowing)).map((what) => `${name}-${shape}: ${what}`),
    );
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: null });
  await page.setViewportSize(before);
  await page.evaluate(stickAgain);
  expect(faults).toEqual([]);
  expectQuiet(view);
}

/** Nothing was asked of another origin, and the browser has no complaint. */
export function expectQuiet(view: ConsolePage): void {
  const { host } = new URL(view.page.url());
  expect(view.requests.filter((url) => !isOf(url, host))).toEqual([]);
  expect(view.complaints.filter((complaint) => !REFUSED.test(complaint))).toEqual([]);
}

function isOf(url: string, host: string): boolean {
  const { protocol, host: asked } = new URL(url);
  return asked === host || protocol === 'blob:' || protocol === 'data:';
}

async function keepScreenshot({ page }: ConsolePage, label: string): Promise<void> {
  const folder = process.env.CONSOLE_SCREENSHOTS;
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${label}.png`) });
}
