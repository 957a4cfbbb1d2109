import type { RedactionSettings } from '../../contract/redaction.ts';
import type { OutboundFetch } from '../../lib/guarded-fetch.ts';
import { OutboundError } from '../../lib/outbound-error.ts';
import { withoutEndSlashes } from '../../lib/without-end-slashes.ts';
import type { Span } from '../span.ts';
import { parseAnalyze, serializeAnalyze } from './protocol.ts';

const MAX_RESPONSE_BYTES = 1024 * 1024;
const MAX_TEXT_CHARS = 50_000;

/** Asks a server with the API of Presidio's analyzer. Rejects if it gives no usable answer in time. */
export function createPresidio(
  { service, kinds }: RedactionSettings,
  { fetch, team }: { readonly fetch: OutboundFetch; readonly team: string },
) {
  return async (
    texts: readonly string[],
    language: string,
  ): Promise<readonly (readonly Span[])[]> => {
    const isWorthAsking = (text: string) => /\p{L}{2}|\d{3}/u.test(text);
    const asked = [...new Set(texts.filter(isWorthAsking))];
    if (asked.length === 0) return texts.map(() => []);
    const chars = asked.reduce((sum, text) => sum + text.length, 0);
    if (chars > MAX_TEXT_CHARS)
      throw new OutboundError(
        'response_too_large',
        'The texts are too long for the redaction service',
      );
    const { body, cancel, status } = await fetch(`${withoutEndSlashes(service.url)}/analyze`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: serializeAnalyze(asked, { language, minScore: service.minScore }),
      signal: AbortSignal.timeout(service.timeoutSeconds * 1000),
      maxResponseBytes: MAX_RESPONSE_BYTES,
      team,
    });
    if (status !== 200) {
      cancel();
      throw new Error(`the redaction service answered ${status}`);
    }
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    const found = parseAnalyze(Buffer.concat(chunks).toString('utf8'), asked, kinds);
    const byText = new Map(asked.map((text, i) => [text, found[i] ?? []]));
    return texts.map((text) => byText.get(text) ?? []);
  };
}
