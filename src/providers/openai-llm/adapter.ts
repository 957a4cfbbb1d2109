import { abortError, EXPECTED_ABORT, throwIfAborted } from '../../lib/abort.ts';
import { ProviderError } from '../../lib/errors.ts';
import type { OutboundFetch, OutboundResponse } from '../../lib/guarded-fetch.ts';
import { OutboundError } from '../../lib/outbound-error.ts';
import { readStart } from '../../lib/read-start.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Llm, LlmPart, LlmRequest } from '../../ports/llm.ts';
import { HttpWarmer } from '../http-warmer.ts';
import { httpError, parseVendorError } from './error-protocol.ts';
import { failureOf, invalidOptions } from './failure.ts';
import { mergeTexts } from './merge-texts.ts';
import type { ChatQuirks } from './quirks.ts';
import {
  type Concession,
  chatCompletionsUrl,
  concessionFor,
  serializeChatRequest,
} from './request-protocol.ts';
import { SseParser } from './sse-protocol.ts';
import { ChatStream } from './stream-protocol.ts';
import { type Expiry, LLM_DEADLINES, type LlmDeadlines, Watchdog } from './watchdog.ts';

export interface OpenAiLlmOptions {
  /** As registered, e.g. `openai` or `custom-llm`. */
  readonly provider: string;
  readonly model: string;
  /** `/chat/completions` is appended to its path. */
  readonly baseUrl: string;
  readonly quirks: ChatQuirks;
  /** Absent: no credentials are sent. */
  readonly apiKey?: string;
  readonly fetch: OutboundFetch;
  readonly clock: Clock;
  /** Generates ids for tool calls that arrive without one. */
  readonly createId: () => string;
  readonly deadlines?: Partial<LlmDeadlines>;
  /** @defaultValue 4 MiB */
  readonly maxResponseBytes?: number;
}

const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;
const MAX_ERROR_BYTES = 64 * 1024;
const MAX_CONCESSIONS = 4;
const MAX_EXTRAS = 1000;

/** A model that can open its connection before the first request. */
export interface WarmableLlm extends Llm {
  warm?(): void;
}

/** A model behind a Chat Completions endpoint, OpenAI's own or a compatible one. */
export function createOpenAiLlm(options: OpenAiLlmOptions): WarmableLlm {
  return new OpenAiLlm(options);
}

class OpenAiLlm implements WarmableLlm {
  readonly provider: string;
  readonly #options: OpenAiLlmOptions;
  readonly #url: string;
  readonly #deadlines: LlmDeadlines;
  readonly #secrets: readonly string[];
  readonly #warmer: HttpWarmer;
  /** Request features that this server has refused. */
  readonly #concessions = new Set<Concession>();
  /** In insertion order; the oldest is evicted first when full. */
  readonly #extras = new Map<string, Readonly<Record<string, unknown>>>();

  constructor(options: OpenAiLlmOptions) {
    const url = chatCompletionsUrl(options.baseUrl);
    if (!url)
      throw invalidOptions(options.provider, 'bad_url', 'The model server’s address is not a URL');
    this.provider = options.provider;
    this.#options = options;
    this.#url = url;
    this.#deadlines = { ...LLM_DEADLINES, ...options.deadlines };
    this.#secrets = options.apiKey ? [options.apiKey] : [];
    this.#warmer = new HttpWarmer({ fetch: options.fetch, url, clock: options.clock });
  }

  warm(): void {
    this.#warmer.warm();
  }

  async *stream(request: LlmRequest): AsyncGenerator<LlmPart, void, undefined> {
    throwIfAborted(request.signal);
    const exchange = new AbortController();
    let expiry: Expiry | undefined;
    const watchdog = new Watchdog(this.#options.clock, this.#deadlines, (reason) => {
      expiry = reason;
      end();
    });
    const end = (): void => {
      watchdog.stop();
      exchange.abort(EXPECTED_ABORT);
    };
    // Not AbortSignal.any, which costs a hundred times as much as a listener.
    request.signal.addEventListener('abort', end, { once: true });
    const release = this.#warmer.use();
    let isRead = false;
    try {
      const response = await this.#send(request, exchange.signal);
      yield* this.#read(response, request.signal, watchdog);
      isRead = true;
    } catch (error) {
      if (request.signal.aborted) throw abortError(request.signal);
      throw failureOf(this.provider, error, expiry, this.#deadlines);
    } finally {
      request.signal.removeEventListener('abort', end);
      end();
      release(isRead);
    }
  }

  async *#read(
    response: OutboundResponse,
    signal: AbortSignal,
    watchdog: Watchdog,
  ): AsyncGenerator<LlmPart, void, undefined> {
    const parser = new SseParser({ provider: this.provider });
    const stream = new ChatStream({
      provider: this.provider,
      createId: this.#options.createId,
      onExtra: (id, extra) => this.#keepExtra(id, extra),
      secrets: this.#secrets,
    });
    try {
      for await (const bytes of response.body) {
        watchdog.pause();
        const events = parser.push(bytes);
        for (const part of mergeTexts(stream.acceptAll(events))) {
          throwIfAborted(signal);
          yield part;
        }
        throwIfAborted(signal);
        const progress = stream.answered ? 'complete' : stream.progressed ? 'some' : 'none';
        watchdog.resume(events.length > 0 ? progress : 'none');
      }
    } catch (error) {
      // The answer is complete, so an error at the end of the body does no harm.
      if (!stream.answered || signal.aborted) throw error;
    }
    yield* stream.end(false);
  }

  /** Sends the request and repeats it without the features that the server refuses by name, until a stream begins. */
  async #send(request: LlmRequest, signal: AbortSignal): Promise<OutboundResponse> {
    const concessions = new Set(this.#concessions);
    for (;;) {
      const body = serializeChatRequest(request, {
        model: this.#options.model,
        quirks: this.#options.quirks,
        concessions,
        extras: this.#extras,
      });
      const response = await this.#post(body, signal);
      if (response.status === 200) {
        for (const concession of concessions) this.#concessions.add(concession);
        return this.#requireEventStream(response);
      }
      const answer = await readStart(response, MAX_ERROR_BYTES);
      const concession =
        response.status === 400 || response.status === 422
          ? concessionFor(parseVendorError(answer), body, concessions)
          : undefined;
      if (!concession || concessions.size >= this.#concessions.size + MAX_CONCESSIONS) {
        throw httpError({
          provider: this.provider,
          status: response.status,
          headers: response.headers,
          body: answer,
          secrets: this.#secrets,
        });
      }
      concessions.add(concession);
    }
  }

  async #post(body: string, signal: AbortSignal): Promise<OutboundResponse> {
    const { apiKey, quirks, fetch, maxResponseBytes } = this.#options;
    const credentials: Record<string, string> = {};
    if (apiKey && quirks.auth === 'bearer') credentials.authorization = `Bearer ${apiKey}`;
    if (apiKey && quirks.auth === 'api-key') credentials['api-key'] = apiKey;
    const send = (): Promise<OutboundResponse> =>
      fetch(this.#url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'text/event-stream',
          ...credentials,
        },
        body,
        signal,
        maxResponseBytes: maxResponseBytes ?? MAX_RESPONSE_BYTES,
      });
    try {
      return await send();
    } catch (error) {
      // The server may have closed a kept-alive connection just before it was reused.
      const stale = error instanceof OutboundError && error.code === 'network';
      if (!stale || signal.aborted) throw error;
      return await send();
    }
  }

  #requireEventStream(response: OutboundResponse): OutboundResponse {
    const type = response.headers['content-type'] ?? '';
    if (type.includes('text/event-stream')) return response;
    response.cancel();
    throw new ProviderError({
      class: 'protocol',
      provider: this.provider,
      code: 'not_a_stream',
      message: `${this.provider} answered with ${type.split(';')[0]?.slice(0, 60) || 'no content type'} instead of an event stream`,
    });
  }

  #keepExtra(id: string, extra: Readonly<Record<string, unknown>>): void {
    this.#extras.set(id, extra);
    const oldest = this.#extras.keys().next().value;
    if (this.#extras.size > MAX_EXTRAS && oldest !== undefined) this.#extras.delete(oldest);
  }
}
