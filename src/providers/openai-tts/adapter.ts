import { abortError, throwIfAborted } from '../../lib/abort.ts';
import { ProviderError } from '../../lib/errors.ts';
import type { OutboundFetch, OutboundResponse } from '../../lib/guarded-fetch.ts';
import { readStart } from '../../lib/read-start.ts';
import { withoutEndSlashes } from '../../lib/without-end-slashes.ts';
import type { Clock, Timer } from '../../ports/clock.ts';
import type { Tts, TtsPart, TtsRequest } from '../../ports/tts.ts';
import { HttpWarmer } from '../http-warmer.ts';
import { httpError } from '../openai-llm/error-protocol.ts';
import { requestFailure } from '../openai-llm/failure.ts';
import { SpeechReader, serializeSpeechRequest } from './protocol.ts';

export interface OpenAiTtsOptions {
  readonly apiKey: string;
  /** @defaultValue `https://api.openai.com/v1` */
  readonly baseUrl?: string;
  readonly fetch: OutboundFetch;
  readonly clock: Clock;
  /** From the request to the first audio. @defaultValue 5000 */
  readonly firstAudioMs?: number;
  /** Longest pause within the audio. @defaultValue 4000 */
  readonly stallMs?: number;
}

const PROVIDER = 'openai';
const MAX_TEXT_CHARS = 4096;
const MAX_AUDIO_BYTES = 64 * 1024 * 1024;
const MAX_ERROR_BYTES = 64 * 1024;

/** TTS over OpenAI's `/audio/speech` or a compatible server: one request per utterance, no word times. */
export function createOpenAiTts(options: OpenAiTtsOptions): Tts & { warm(): void } {
  const base = withoutEndSlashes(options.baseUrl ?? 'https://api.openai.com/v1');
  const warmer = new HttpWarmer({ fetch: options.fetch, url: base, clock: options.clock });
  return {
    provider: PROVIDER,
    warm: () => warmer.warm(),
    async *synthesize(request) {
      const release = warmer.use();
      let isRead = false;
      try {
        yield* synthesize(`${base}/audio/speech`, options, request);
        isRead = true;
      } finally {
        release(isRead);
      }
    },
  };
}

function failed(
  failureClass: 'timeout' | 'silent' | 'invalid' | 'protocol',
  code: string,
  what: string,
): ProviderError {
  const message = `${PROVIDER} ${what}`;
  return new ProviderError({ class: failureClass, provider: PROVIDER, code, message });
}

async function* synthesize(
  url: string,
  options: OpenAiTtsOptions,
  request: TtsRequest,
): AsyncGenerator<TtsPart, void, undefined> {
  const { signal, text } = request;
  throwIfAborted(signal);
  if (text.length > MAX_TEXT_CHARS)
    throw failed('invalid', 'text_too_long', `takes ${MAX_TEXT_CHARS} characters at a time`);
  if (!/[\p{L}\p{N}]/u.test(text)) return;
  const exchange = new Exchange(options, signal);
  try {
    const response = await exchange.send(url, serializeSpeechRequest(request));
    const reader = new SpeechReader();
    let heard = false;
    for await (const bytes of response.body) {
      exchange.pause();
      const audio = reader.push(bytes);
      if (audio) {
        heard = true;
        yield { type: 'audio', ...audio };
      }
      throwIfAborted(signal);
      exchange.expect(options.stallMs ?? 4000, 'stalled', 'fell silent in mid-utterance');
    }
    if (!heard) throw failed('silent', 'no_audio', 'answered without any audio');
  } catch (error) {
    if (signal.aborted) throw abortError(signal);
    throw exchange.failure(error);
  } finally {
    exchange.end();
  }
}

/** One request with its deadlines. */
class Exchange {
  readonly #options: OpenAiTtsOptions;
  readonly #signal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #abort = (): void => this.end();
  #timer: Timer;
  #expired: ProviderError | undefined;

  constructor(options: OpenAiTtsOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
    signal.addEventListener('abort', this.#abort, { once: true });
    this.expect(options.firstAudioMs ?? 5000, 'first_audio_timeout', 'sent no audio');
  }

  async send(url: string, body: string): Promise<OutboundResponse> {
    const { fetch, apiKey } = this.#options;
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
      body,
      signal: this.#controller.signal,
      maxResponseBytes: MAX_AUDIO_BYTES,
    });
    const type = response.headers['content-type'] ?? '';
    if (response.status === 200 && !/^(?:text|application\/json)/.test(type)) return response;
    if (response.status === 200) {
      response.cancel();
      throw failed('protocol', 'not_audio', `answered with ${type.slice(0, 60)} instead of audio`);
    }
    const { status, headers } = response;
    const said = await readStart(response, MAX_ERROR_BYTES);
    throw httpError({ provider: PROVIDER, status, headers, body: said, secrets: [apiKey] });
  }

  /** The timers run only while waiting for the server. */
  pause(): void {
    this.#options.clock.clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  expect(withinMs: number, code: string, what: string): void {
    this.pause();
    this.#timer = this.#options.clock.setTimeout(() => {
      this.#expired = failed('timeout', code, `${what} for ${withinMs} ms`);
      this.#controller.abort();
    }, withinMs);
  }

  failure(error: unknown): ProviderError {
    if (this.#expired) return this.#expired;
    return requestFailure(PROVIDER, error);
  }

  end(): void {
    this.pause();
    this.#signal.removeEventListener('abort', this.#abort);
    this.#controller.abort();
  }
}
