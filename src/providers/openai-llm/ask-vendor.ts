import { abortError } from '../../lib/abort.ts';
import { ProviderError } from '../../lib/errors.ts';
import type { OutboundFetch } from '../../lib/guarded-fetch.ts';
import { readStart } from '../../lib/read-start.ts';
import type { Clock } from '../../ports/clock.ts';
import { httpError } from './error-protocol.ts';

/** One request whose whole answer is needed. */
export interface VendorQuestion<T> {
  readonly provider: string;
  readonly url: string;
  readonly apiKey: string;
  readonly contentType: string;
  readonly body: Uint8Array | string;
  readonly fetch: OutboundFetch;
  readonly clock: Clock;
  /** From the request to the end of the answer. */
  readonly deadlineMs: number;
  readonly maxAnswerBytes: number;
  readonly signal: AbortSignal;
  /** Undefined for a malformed answer. */
  readonly parse: (body: string) => T | undefined;
  /** Description of the expected answer, for the error. */
  readonly wanted: string;
}

/**
 * Sends a request to an OpenAI-compatible server; rejects with a {@link ProviderError}, an outbound error, or the
 * abort.
 */
export async function askVendor<T>(question: VendorQuestion<T>): Promise<T> {
  const { clock, deadlineMs, signal } = question;
  const exchange = new AbortController();
  const onAbort = (): void => exchange.abort();
  let late = false;
  const timer = clock.setTimeout(() => {
    late = true;
    exchange.abort();
  }, deadlineMs);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await exchangeOnce(question, exchange.signal);
  } catch (error) {
    if (signal.aborted) throw abortError(signal);
    if (late)
      throw failed(question, 'timeout', 'too_late', `did not answer within ${deadlineMs} ms`);
    throw error;
  } finally {
    clock.clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

async function exchangeOnce<T>(question: VendorQuestion<T>, signal: AbortSignal): Promise<T> {
  const { provider, apiKey, contentType, maxAnswerBytes } = question;
  const response = await question.fetch(question.url, {
    method: 'POST',
    headers: { 'content-type': contentType, authorization: `Bearer ${apiKey}` },
    body: question.body,
    signal,
    maxResponseBytes: maxAnswerBytes,
  });
  const { status, headers } = response;
  const body = await readStart(response, maxAnswerBytes);
  if (status !== 200) throw httpError({ provider, status, headers, body, secrets: [apiKey] });
  const answer = question.parse(body);
  if (answer !== undefined) return answer;
  throw failed(
    question,
    'protocol',
    'bad_answer',
    `answered with something other than ${question.wanted}`,
  );
}

function failed(
  { provider }: Pick<VendorQuestion<unknown>, 'provider'>,
  failureClass: 'timeout' | 'protocol',
  code: string,
  what: string,
): ProviderError {
  return new ProviderError({
    class: failureClass,
    provider,
    code,
    message: `${provider} ${what}`,
  });
}
