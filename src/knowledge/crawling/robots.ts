import robots from 'robots-parser';
import type { OutboundFetch } from '../../lib/guarded-fetch.ts';
import { readStart } from '../../lib/read-start.ts';
import { CrawlError } from './crawl-error.ts';

/** The crawler's user agent. */
export const USER_AGENT = 'ParleyBot/1.0 (knowledge base crawler)';

/** A site's rules for the crawler. */
export interface RobotRules {
  allows(address: string): boolean;
  /** The `crawl-delay` between two requests. */
  readonly delayMs: number;
}

const ROBOTS_BYTES = 500 * 1024;
/** The name of {@link USER_AGENT} in rules. */
const OWN_NAME = 'parleybot';
const MAX_RULES = 5_000;
/** Characters of the rules times those of an address; bounds one comparison to some 50 ms. */
const MAX_COMPARISONS = 10_000_000;
const MAX_DELAY_MS = 10_000;
// The types are wrong: the module itself is the function.
const parseRobots = robots as unknown as typeof robots.default;

const MAX_REDIRECTS = 5;

/** Fetches a site's `robots.txt`. Without one, everything is allowed. Throws {@link CrawlError}. */
export async function readRobots(
  fetch: OutboundFetch,
  start: string,
  { deadlineMs, signal }: { readonly deadlineMs: number; readonly signal: AbortSignal },
): Promise<RobotRules> {
  const address = new URL('/robots.txt', start).href;
  const response = await fetch(address, {
    headers: { 'user-agent': USER_AGENT },
    signal: AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]),
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
  return readRules(address, await readStart(response, ROBOTS_BYTES));
}

/**
 * The rules of a `robots.txt` for this crawler. Bounded in computing time: an address that would take too long to
 * compare with the rules is not allowed. Throws {@link CrawlError} if there are too many rules.
 */
export function readRules(address: string, text: string): RobotRules {
  const { lines, ruleCount, patternChars } = ownLines(text);
  if (ruleCount > MAX_RULES)
    throw new CrawlError(
      `${address} has more than ${MAX_RULES} rules for crawlers: no page may be read.`,
    );
  const rules = parseRobots(address, lines.join('\n'));
  const delaySeconds = rules.getCrawlDelay(USER_AGENT) ?? 0;
  return {
    allows: (page) =>
      (patternChars + ruleCount) * page.length <= MAX_COMPARISONS &&
      rules.isAllowed(page, USER_AGENT) !== false,
    delayMs: Math.min(MAX_DELAY_MS, delaySeconds * 1000),
  };
}

/**
 * The lines that apply to this crawler, by its name or by `*`. Filtered first, since the parser stores each rule once for
 * each crawler of its group: 10,000 rules for 20,000 names would fill the memory.
 */
function ownLines(text: string) {
  const lines: string[] = [];
  let names = new Set<string>();
  let areNames = false;
  let ruleCount = 0;
  let patternChars = 0;
  for (const raw of text.split(/\r\n|\r|\n/)) {
    const [line = ''] = raw.split('#', 1);
    const colon = line.indexOf(':');
    if (colon < 0) continue;
    const key = line.slice(0, colon).trim().toLowerCase();
    const value = line.slice(colon + 1).trim();
    if (key === 'user-agent') {
      if (!areNames) names = new Set();
      areNames = true;
      const [name = ''] = value.toLowerCase().split('/', 1);
      if (name.trim() === OWN_NAME || name.trim() === '*') names.add(name.trim());
      continue;
    }
    if (areNames) for (const name of names) lines.push(`user-agent: ${name}`);
    areNames = false;
    if (names.size === 0) continue;
    if (key === 'crawl-delay') lines.push(`${key}: ${value}`);
    if (key !== 'allow' && key !== 'disallow') continue;
    lines.push(`${key}: ${value}`);
    ruleCount++;
    // A rule without a wildcard is compared only once.
    if (value.includes('*')) patternChars += value.length;
  }
  return { lines, ruleCount, patternChars };
}
