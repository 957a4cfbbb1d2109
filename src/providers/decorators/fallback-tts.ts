import { abortError, EXPECTED_ABORT, throwIfAborted } from '../../lib/abort.ts';
import { ProviderError } from '../../lib/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Tts, TtsPart, TtsRequest } from '../../ports/tts.ts';
import { type CircuitBreaker, leftOut } from './circuit-breaker.ts';

/** One entry of the voice list: the vendor's voice with the assistant's settings. */
export interface VoiceChoice {
  readonly tts: Tts;
  readonly request: Pick<TtsRequest, 'language' | 'voice' | 'settings'>;
  readonly breaker: CircuitBreaker;
}

export interface FallbackTtsOptions {
  readonly clock: Clock;
  /** Time to the first audio of a voice that has a fallback. @defaultValue 1500 */
  readonly firstAudioMs?: number;
  /** Called when a voice is skipped. */
  readonly onFallback?: (error: unknown, provider: string) => void;
}

/**
 * Voices in order of preference: if a voice fails before its first audio, the next one speaks the utterance. After
 * the first audio it is never restarted, because nobody wants to hear a sentence twice.
 */
export function createFallbackTts(
  voices: readonly [VoiceChoice, ...VoiceChoice[]],
  options: FallbackTtsOptions,
): Tts {
  const reported = new Set<VoiceChoice>();
  return {
    provider: voices[0].tts.provider,
    synthesize: (request) => synthesize(voices, options, request, reported),
  };
}

async function* synthesize(
  voices: readonly VoiceChoice[],
  options: FallbackTtsOptions,
  request: TtsRequest,
  /** Skipped voices that have been reported in this call. */
  reported: Set<VoiceChoice>,
): AsyncGenerator<TtsPart, void, undefined> {
  throwIfAborted(request.signal);
  const { clock } = options;
  const willing = voices.filter(({ breaker }) => breaker.allows());
  // If all breakers are open, all voices are tried: silence is worse.
  const candidates = willing.length > 0 ? willing : voices;
  const [first] = candidates;
  for (const voice of voices.slice(0, first ? voices.indexOf(first) : 0)) {
    if (reported.has(voice) || !first) continue;
    reported.add(voice);
    const { provider: vendor } = voice.tts;
    const error = leftOut(vendor);
    request.onFailover?.({ vendor, successor: first.tts.provider, error, delayMs: 0 });
  }
  let firstError: unknown;
  for (const [i, voice] of candidates.entries()) {
    const startedAt = clock.now();
    const attempt = new Attempt(voice, options, request, i === candidates.length - 1);
    try {
      yield* attempt.run();
      return;
    } catch (error) {
      if (request.signal.aborted) throw abortError(request.signal);
      firstError ??= error;
      if (attempt.sounded) throw error;
      options.onFallback?.(error, voice.tts.provider);
      const next = candidates[i + 1];
      if (!next) continue;
      request.onFailover?.({
        vendor: voice.tts.provider,
        successor: next.tts.provider,
        error,
        delayMs: Math.round(clock.now() - startedAt),
      });
    }
  }
  throw firstError;
}

class Attempt {
  readonly #voice: VoiceChoice;
  readonly #options: FallbackTtsOptions;
  readonly #request: TtsRequest;
  readonly #isLast: boolean;
  sounded = false;

  constructor(
    voice: VoiceChoice,
    options: FallbackTtsOptions,
    request: TtsRequest,
    isLast: boolean,
  ) {
    this.#voice = voice;
    this.#options = options;
    this.#request = request;
    this.#isLast = isLast;
  }

  async *run(): AsyncGenerator<TtsPart, void, undefined> {
    const { tts, breaker, request: own } = this.#voice;
    const { signal } = this.#request;
    const { clock, firstAudioMs = 1500 } = this.#options;
    const controller = new AbortController();
    const onAbort = (): void => {
      // The listener found that the voice had stalled.
      if (signal.reason instanceof ProviderError) breaker.stalled();
      controller.abort(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    let late = false;
    const timer = this.#isLast
      ? undefined
      : clock.setTimeout(() => {
          late = true;
          controller.abort();
        }, firstAudioMs);
    const held: TtsPart[] = [];
    try {
      const parts = tts.synthesize({ ...this.#request, ...own, signal: controller.signal });
      for await (const part of parts) {
        if (!this.sounded && part.type === 'words') {
          held.push(part);
          continue;
        }
        if (!this.sounded) {
          this.sounded = true;
          clock.clearTimeout(timer);
          breaker.succeeded();
          yield* held;
        }
        yield part;
      }
    } catch (error) {
      if (signal.aborted) throw abortError(signal);
      const failure = late ? tooSlow(tts.provider, firstAudioMs) : error;
      breaker.failed(failure);
      throw failure;
    } finally {
      clock.clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      controller.abort(EXPECTED_ABORT);
    }
  }
}

function tooSlow(provider: string, ms: number): ProviderError {
  const message = `${provider} sent no audio within ${ms} ms`;
  return new ProviderError({ class: 'timeout', provider, code: 'first_audio_timeout', message });
}
