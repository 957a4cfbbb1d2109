import { createResampler, type Resampler } from '../../audio/resampler.ts';
import { abortError, throwIfAborted } from '../../lib/abort.ts';
import { ProviderError } from '../../lib/errors.ts';
import type { Clock, Timer } from '../../ports/clock.ts';
import type { ProviderFailure } from '../../ports/provider-failure.ts';
import type { Stt, SttEvent, SttOptions, SttStream } from '../../ports/stt.ts';
import { ReplayBuffer } from '../stt-socket/replay-buffer.ts';
import { SegmentNames } from '../stt-socket/segment-names.ts';
import { type CircuitBreaker, leftOut } from './circuit-breaker.ts';

const CHUNK_MS = 20;
const REPLAY_MS = 8000;
/** VAD reports speech at most this long after its start. */
const ONSET_MS = 500;
/** This much speech should have produced words; less may be a cough. */
const DEAF_AFTER_VOICE_MS = 1000;
const MIN_TEXT_WAIT_MS = 2000;

interface FallbackSttOptions {
  readonly clock: Clock;
  readonly first: Stt;
  readonly second: Stt;
  readonly secondLanguages: readonly string[];
  /** The first recogniser's breaker, shared by all calls. */
  readonly breaker: CircuitBreaker;
  /** Called when the second recogniser takes over. */
  readonly onFallback?: (error: unknown) => void;
}

/** A recogniser with a fallback that takes over when the first fails or returns no words for speech. */
export function createFallbackStt(options: FallbackSttOptions): Stt {
  const { first, second } = options;
  return {
    provider: first.provider,
    inputRatesHz: first.inputRatesHz,
    finalLatencyP99Ms: Math.max(first.finalLatencyP99Ms, second.finalLatencyP99Ms),
    // True only if both detect the end of a turn, because either may be active.
    turnAware: first.turnAware === true && second.turnAware === true,
    // One that cannot ignores it.
    flushes: first.flushes === true || second.flushes === true,
    sparseInterims: first.sparseInterims === true || second.sparseInterims === true,
    open: (request) => open(options, request),
  };
}

async function open(options: FallbackSttOptions, request: SttOptions): Promise<SttStream> {
  throwIfAborted(request.signal);
  const stream = new FallbackSttStream(options, request);
  try {
    await stream.open();
    return stream;
  } catch (error) {
    stream.close();
    throw request.signal.aborted ? abortError(request.signal) : error;
  }
}

/** One caller's stream to the first recogniser, and after a failure to the second. */
class FallbackSttStream implements SttStream {
  readonly #options: FallbackSttOptions;
  readonly #request: SttOptions;
  readonly #replay: ReplayBuffer;
  readonly #names = new SegmentNames();
  readonly #abort = new AbortController();
  readonly #onAbort = (): void => this.close();
  #active: 'first' | 'second' = 'first';
  #stream: SttStream | undefined;
  /** Position in the written audio at which the open stream begins. */
  #beginsMs = 0;
  #resampler: Resampler | undefined;
  #settledMs = 0;
  #speakingFromMs: number | undefined;
  /** Speech since the last text. */
  #voiceMs = 0;
  #voiceFromMs: number | undefined;
  #deafTimer: Timer;
  #closed = false;

  constructor(options: FallbackSttOptions, request: SttOptions) {
    this.#options = options;
    this.#request = request;
    this.#replay = new ReplayBuffer({
      sampleRateHz: request.sampleRateHz,
      chunkMs: CHUNK_MS,
      minChunkMs: CHUNK_MS,
      maxWaitingMs: REPLAY_MS,
      maxKeptMs: REPLAY_MS,
    });
    request.signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  async open(): Promise<void> {
    const { first, breaker, clock } = this.#options;
    const askedAt = clock.now();
    if (!breaker.allows()) return this.#openSecond(leftOut(first.provider));
    try {
      const stream = await this.#openAs('first', first, this.#request.sampleRateHz);
      if (this.#closed) stream.close();
      else this.#stream = stream;
    } catch (error) {
      if (this.#closed) throw error;
      breaker.failed(error);
      await this.#openSecond(error, askedAt);
    }
  }

  get droppedMs(): number {
    return this.#replay.droppedMs + (this.#stream?.droppedMs ?? 0);
  }

  write(pcm: Int16Array): void {
    if (this.#closed) return;
    this.#replay.write(pcm);
    this.#pump();
  }

  speechStarted(): void {
    const fromMs = Math.max(0, this.#replay.writtenMs - ONSET_MS);
    this.#speakingFromMs = this.#replay.writtenMs;
    this.#voiceFromMs ??= fromMs;
    this.#options.clock.clearTimeout(this.#deafTimer);
    this.#stream?.speechStarted();
  }

  speechEnded(): void {
    if (this.#closed || this.#speakingFromMs === undefined) return;
    this.#voiceMs += this.#replay.writtenMs - this.#speakingFromMs;
    this.#speakingFromMs = undefined;
    this.#replay.pause();
    this.#pump();
    if (this.#active === 'first' && this.#voiceMs >= DEAF_AFTER_VOICE_MS) this.#expectText();
  }

  flush(): void {
    this.#stream?.flush();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#request.signal.removeEventListener('abort', this.#onAbort);
    this.#options.clock.clearTimeout(this.#deafTimer);
    this.#stream?.close();
    this.#stream = undefined;
    this.#resampler?.close();
    this.#abort.abort();
  }

  #openAs(which: 'first' | 'second', stt: Stt, sampleRateHz: number): Promise<SttStream> {
    return stt.open({
      ...this.#request,
      ...(which === 'second' ? { languages: this.#options.secondLanguages } : {}),
      sampleRateHz,
      signal: this.#abort.signal,
      onEvent: (event) => this.#hear(which, event),
    });
  }

  /** `sinceAt`: when the first recogniser was asked, or broke. */
  async #openSecond(error: unknown, sinceAt = this.#options.clock.now()): Promise<void> {
    const { first, second, onFallback, clock } = this.#options;
    const { sampleRateHz, onFailover } = this.#request;
    onFallback?.(error);
    this.#active = 'second';
    const rateHz = second.inputRatesHz.includes(sampleRateHz)
      ? sampleRateHz
      : (second.inputRatesHz.find((rate) => rate >= sampleRateHz) ??
        (second.inputRatesHz[0] as number));
    const stream = await this.#openAs('second', second, rateHz);
    if (this.#closed) {
      stream.close();
      return;
    }
    if (rateHz !== sampleRateHz) this.#resampler = createResampler(sampleRateHz, rateHz);
    onFailover?.({
      vendor: first.provider,
      successor: second.provider,
      error,
      delayMs: Math.round(clock.now() - sinceAt),
    });
    this.#stream = stream;
    this.#beginsMs = this.#replay.peek()?.startMs ?? this.#replay.writtenMs;
    if (this.#voiceFromMs !== undefined) stream.speechStarted();
    this.#pump();
    if (this.#speakingFromMs !== undefined) stream.speechStarted();
  }

  #pump(): void {
    const stream = this.#stream;
    if (!stream) return;
    for (let entry = this.#replay.peek(); entry; entry = this.#replay.peek()) {
      this.#replay.advance();
      if (entry.type === 'pause') stream.speechEnded();
      else stream.write(this.#resampler ? this.#resampler.process(entry.pcm) : entry.pcm);
    }
  }

  #hear(which: 'first' | 'second', event: SttEvent): void {
    if (this.#closed || which !== this.#active) return;
    if (event.type === 'error') {
      if (which === 'first') void this.#switch(event.error);
      else this.#giveUp(event.error);
      return;
    }
    if (event.type !== 'interim' && event.type !== 'final') {
      this.#request.onEvent(event);
      return;
    }
    this.#options.clock.clearTimeout(this.#deafTimer);
    this.#voiceMs = 0;
    if (which === 'first') this.#options.breaker.succeeded();
    const startMs = this.#beginsMs + event.startMs;
    const endMs = this.#beginsMs + event.endMs;
    const segmentId = this.#names.nameOf(event.segmentId, startMs);
    if (event.type === 'final') {
      this.#names.finish(event.segmentId);
      this.#settledMs = Math.max(this.#settledMs, endMs);
      if (this.#speakingFromMs === undefined) this.#voiceFromMs = undefined;
    }
    this.#request.onEvent({ ...event, segmentId, startMs, endMs });
  }

  /** Expects text from now on: the stream is open and the caller has spoken. */
  #expectText(): void {
    const { clock, first } = this.#options;
    clock.clearTimeout(this.#deafTimer);
    const waitMs = Math.max(MIN_TEXT_WAIT_MS, 2 * first.finalLatencyP99Ms);
    this.#deafTimer = clock.setTimeout(() => {
      const { provider } = first;
      const message = `${provider} heard a voice for ${Math.round(this.#voiceMs)} ms and gave no text`;
      void this.#switch(
        new ProviderError({ class: 'silent', provider, code: 'open_but_silent', message }),
      );
    }, waitMs);
  }

  async #switch(error: ProviderFailure): Promise<void> {
    this.#options.breaker.failed(error);
    this.#options.clock.clearTimeout(this.#deafTimer);
    this.#stream?.close();
    this.#stream = undefined;
    const openFromMs = this.#names.openFromMs ?? Number.POSITIVE_INFINITY;
    this.#names.disconnected();
    const unheardMs = Math.min(openFromMs, this.#voiceFromMs ?? this.#replay.writtenMs);
    this.#replay.rewind(Math.max(this.#settledMs, unheardMs));
    try {
      await this.#openSecond(error);
    } catch (second) {
      if (this.#closed) return;
      // Both have failed; the owner of the stream reopens it.
      this.#giveUp(second instanceof ProviderError ? second : error);
    }
  }

  #giveUp(error: ProviderFailure): void {
    this.close();
    this.#request.onEvent({ type: 'error', error });
  }
}
