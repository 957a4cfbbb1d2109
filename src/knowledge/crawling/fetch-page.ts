import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { FileFormat } from '../../contract/file.ts';
import type { OutboundFetch } from '../../lib/guarded-fetch.ts';
import { formatsOfType } from '../formats.ts';
import { USER_AGENT } from './robots.ts';

/** The result of fetching a page. */
export type FetchedPage =
  | {
      readonly outcome: 'page';
      /** The final URL, after redirects. */
      readonly url: string;
      readonly format: FileFormat;
      readonly sizeBytes: number;
      readonly sha256: string;
    }
  | { readonly outcome: 'skipped'; readonly reason: string };

const MAX_REDIRECTS = 5;
const ACCEPT =
  'text/html, application/xhtml+xml, text/plain;q=0.9, application/pdf;q=0.8, */*;q=0.1';

/** Fetches one page into a file. Throws the errors of `fetch` and the signal's reason. */
export async function fetchPage(
  fetch: OutboundFetch,
  address: string,
  options: {
    readonly path: string;
    readonly maxBytes: number;
    readonly deadlineMs: number;
    readonly signal: AbortSignal;
  },
): Promise<FetchedPage> {
  const { path, maxBytes } = options;
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(options.deadlineMs)]);
  const response = await fetch(address, {
    headers: { 'user-agent': USER_AGENT, accept: ACCEPT },
    signal,
    maxRedirects: MAX_REDIRECTS,
    maxResponseBytes: maxBytes,
  });
  const skip = (reason: string): FetchedPage => {
    response.cancel();
    return { outcome: 'skipped', reason };
  };
  if (response.status !== 200) return skip(`answered with status ${response.status}`);
  const type = response.headers['content-type'] ?? '';
  const format = formatOfPage(type);
  if (!format) return skip(`has an unsupported type: ${type.slice(0, 100)}`);
  if (/\bnoindex\b/i.test(response.headers['x-robots-tag'] ?? ''))
    return skip('asks not to be read');
  const file = await open(path, 'w', 0o600);
  const hash = createHash('sha256');
  let sizeBytes = 0;
  try {
    for await (const chunk of response.body) {
      hash.update(chunk);
      sizeBytes += chunk.length;
      await file.write(chunk);
    }
  } finally {
    await file.close();
  }
  return { outcome: 'page', url: response.url, format, sizeBytes, sha256: hash.digest('hex') };
}

function formatOfPage(type: string): FileFormat | undefined {
  if (/^text\/plain\b/i.test(type.trim())) return 'txt';
  const formats = formatsOfType(type);
  return formats === 'any' ? undefined : formats[0];
}
