import robots from 'robots-parser';
import type { OutboundFetch } from '../../lib/guarded-fetch.ts';
import { readStart } from '../../lib/read-start.ts';
import { CrawlError } from './crawl-error.ts';

/** How the crawler names itself. */
export const USER_AGENT = 'ParleyBot/1.0 (knowledge base crawler)';

/** What a site lets the crawler do. */
export interface RobotRules {
  allows(address: string): boolean;
  /** As the site asks between two requests. */
  readonly delayMs: number;
}

const ROBOTS_BYTES = 500 * 1024;
const MAX_DELAY_MS = 10_000;
// Its types say otherwise, but the module is the function.
const parseRobots = robots as unknown as typeof robots.default;

const DEADLINE_MS = 20_000;
const MAX_REDIRECTS = 5;

/** Reads a site's `robots.txt`; where it has none, everything is allowed. Throws {@link CrawlError}. */
export async function readRobots(
  fetch: OutboundFetch,
  start: string,
  signal: AbortSignal,
): Promise<RobotRules> {
  const address = new URL('/robots.txt', start).href;
  const response = await fetch(address, {
    headers: { 'user-agent': USER_AGENT },
    signal: AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]),
    maxRedirects: MAX_REDIRECTS,
    maxResponseBytes: ROBOTS_BYTES + 1,
  });
  if (response.status >= 500) {
    response.cancel();
    throw new CrawlError(
      `${address} answered with status ${response.status}: no page may be read.`,
    );
  }
  if (response.status !== 200) {
    response.cancel();
    return { allows: () => true, delayMs: 0 };
  }
  const rules = parseRobots(address, await readStart(response, ROBOTS_BYTES));
  const delaySeconds = rules.getCrawlDelay(USER_AGENT) ?? 0;
  return {
    allows: (page) => rules.isAllowed(page, USER_AGENT) !== false,
    delayMs: Math.min(MAX_DELAY_MS, delaySeconds * 1000),
  };
}
