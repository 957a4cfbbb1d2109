import { abortError, throwIfAborted } from '../../lib/abort.ts';
import type { OutboundFetch } from '../../lib/guarded-fetch.ts';
import { withoutEndSlashes } from '../../lib/without-end-slashes.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Embedder } from '../../ports/embedder.ts';
import { askVendor } from '../openai-llm/ask-vendor.ts';
import { requestFailure } from '../openai-llm/failure.ts';
import { DEFAULT_MODELS } from '../vendor-defaults.ts';
import { parseEmbeddings, serializeEmbeddings } from './protocol.ts';

export interface OpenAiEmbeddingsOptions {
  readonly apiKey: string;
  /** @defaultValue `https://api.openai.com/v1` */
  readonly baseUrl?: string;
  /** @defaultValue the one in `vendor-defaults.ts` */
  readonly model?: string;
  /** Shortens the vectors, for models that support it. */
  readonly dimensions?: number;
  readonly fetch: OutboundFetch;
  readonly clock: Clock;
  /** Deadline of one request. @defaultValue 15000 */
  readonly deadlineMs?: number;
}

const PROVIDER = 'openai';
/** A request may hold 2048 texts; smaller batches return sooner and lose less on failure. */
const BATCH_TEXTS = 128;
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
const RETRY_MS = [250, 1000] as const;
const LONGEST_WAIT_MS = 10_000;

/** Embeddings from OpenAI's `/embeddings` or a compatible server. */
export function createOpenAiEmbedder(options: OpenAiEmbeddingsOptions): Embedder {
  return {
    provider: PROVIDER,
    model: options.model ?? DEFAULT_MODELS.embeddings.openai.name,
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
      const failure = requestFailure(PROVIDER, error);
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

function ask(
  options: OpenAiEmbeddingsOptions,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Float32Array[]> {
  const { apiKey, fetch, clock, dimensions, deadlineMs = 15_000 } = options;
  const base = withoutEndSlashes(options.baseUrl ?? 'https://api.openai.com/v1');
  return askVendor({
    provider: PROVIDER,
    url: `${base}/embeddings`,
    apiKey,
    contentType: 'application/json',
    body: serializeEmbeddings(
      options.model ?? DEFAULT_MODELS.embeddings.openai.name,
      texts,
      dimensions,
    ),
    fetch,
    clock,
    deadlineMs,
    maxAnswerBytes: MAX_ANSWER_BYTES,
    signal,
    parse: (body) => parseEmbeddings(body, texts.length),
    wanted: 'a vector a text',
  });
}
