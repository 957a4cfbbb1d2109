import { abortError, throwIfAborted } from '../../lib/abort.ts';
import { ProviderError } from '../../lib/errors.ts';
import type { OutboundFetch } from '../../lib/guarded-fetch.ts';
import { OutboundError } from '../../lib/outbound-error.ts';
import { readStart } from '../../lib/read-start.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Embedder } from '../../ports/embedder.ts';
import { httpError } from '../openai-llm/error-protocol.ts';
import { outboundFailure } from '../openai-llm/failure.ts';
import { parseEmbeddings, serializeEmbeddings } from './protocol.ts';

export interface OpenAiEmbeddingsOptions {
  readonly apiKey: string;
  /** @defaultValue `https://api.openai.com/v1` */
  readonly baseUrl?: string;
  /** @defaultValue `text-embedding-3-small` */
  readonly model?: string;
  /** Shortens the vectors of models that can. */
  readonly dimensions?: number;
  readonly fetch: OutboundFetch;
  readonly clock: Clock;
  /** For one request. @defaultValue 15000 */
  readonly deadlineMs?: number;
}

const PROVIDER = 'openai';
/** A request takes 2048; fewer come back sooner, and lose less when one fails. */
const BATCH_TEXTS = 128;
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
const RETRY_MS = [250, 1000] as const;
const LONGEST_WAIT_MS = 10_000;

/** Vectors from OpenAI's `/embeddings`, or a compatible server's. */
export function createOpenAiEmbedder(options: OpenAiEmbeddingsOptions): Embedder {
  return {
    provider: PROVIDER,
    model: options.model ?? 'text-embedding-3-small',
    async embed(texts, signal) {
      throwIfAborted(signal);
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += BATCH_TEXTS)
        vectors.push(...(await embedBatch(options, texts.slice(at, at + BATCH_TEXTS), signal)));
      return vectors;
    },
  };
}

async function embedBatch(
  options: OpenAiEmbeddingsOptions,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Float32Array[]> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await ask(options, texts, signal);
    } catch (error) {
      if (signal.aborted) throw abortError(signal);
      const failure = failureOf(error);
      const delayMs = RETRY_MS[attempt];
      if (delayMs === undefined || !failure.retryable) throw failure;
      await pause(options.clock, Math.max(delayMs, failure.retryAfterMs ?? 0), signal);
    }
  }
}

function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clock.clearTimeout(timer);
      reject(abortError(signal));
    };
    const timer = clock.setTimeout(
      () => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      },
      Math.min(ms, LONGEST_WAIT_MS),
    );
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

async function ask(
  options: OpenAiEmbeddingsOptions,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Float32Array[]> {
  const { apiKey, clock, dimensions, deadlineMs = 15_000 } = options;
  const exchange = new AbortController();
  const onAbort = (): void => exchange.abort();
  let late = false;
  const timer = clock.setTimeout(() => {
    late = true;
    exchange.abort();
  }, deadlineMs);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const base = (options.baseUrl ?? 'https://api.openai.com/v1').replace(/\/+$/, '');
    const response = await options.fetch(`${base}/embeddings`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
      body: serializeEmbeddings(options.model ?? 'text-embedding-3-small', texts, dimensions),
      signal: exchange.signal,
      maxResponseBytes: MAX_ANSWER_BYTES,
    });
    const { status, headers } = response;
    const body = await readStart(response, MAX_ANSWER_BYTES);
    if (status !== 200)
      throw httpError({ provider: PROVIDER, status, headers, body, secrets: [apiKey] });
    const vectors = parseEmbeddings(body, texts.length);
    if (!vectors)
      throw failed('protocol', 'bad_answer', 'answered with something other than a vector a text');
    return vectors;
  } catch (error) {
    if (late && !signal.aborted)
      throw failed('timeout', 'too_late', `did not answer within ${deadlineMs} ms`);
    throw error;
  } finally {
    clock.clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

function failed(failureClass: 'timeout' | 'protocol', code: string, what: string): ProviderError {
  const message = `${PROVIDER} ${what}`;
  return new ProviderError({ class: failureClass, provider: PROVIDER, code, message });
}

function failureOf(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  if (error instanceof OutboundError) return outboundFailure(PROVIDER, error);
  return new ProviderError({
    class: 'internal',
    provider: PROVIDER,
    code: 'unexpected',
    message: `${PROVIDER} failed unexpectedly`,
    cause: error,
  });
}
