import type { CallEvent } from '../../engine/machine/events.ts';
import { ProviderError } from '../../lib/errors.ts';
import type { Clock, Timer } from '../../ports/clock.ts';
import type { Stt, SttEvent, SttOptions, SttStream } from '../../ports/stt.ts';
import { failoverEvent, toFailure } from '../failure.ts';
import { AudioTimeline } from './audio-timeline.ts';

export type RecognitionOptions = Pick<SttOptions, 'languages' | 'hints' | 'phrases' | 'topics'>;

interface Deps {
  readonly clock: Clock;
  readonly stt: Stt;
  readonly sampleRateHz: number;
  readonly options: RecognitionOptions;
  /** Another process had the call before, and named segments of its own. */
  readonly isTakenOver: boolean;
  readonly emit: (event: CallEvent) => void;
  /** Converts a clock instant to ms since the call began. */
  readonly at: (clockMs: number) => number;
  readonly onUnexpected: (error: unknown) => void;
}

/** Length of audio kept while the recogniser connects, so that the first words are not lost. */
const BACKLOG_MS = 3000;
const OPEN_MS = 10_000;
const RETRY_MS = [0, 250, 500, 1000, 2000, 5000] as const;

/**
 * Connects a call to its recogniser: opens the stream, feeds it, opens it again when it breaks, and converts the times
 * of its words to the call's.
 */
export class SttLine {
  readonly #deps: Deps;
  readonly #abort = new AbortController();
  #stream: SttStream | undefined;
  #timeline = new AudioTimeline();
  #backlog: { readonly pcm: Int16Array; readonly endedAt: number }[] = [];
  #backlogMs = 0;
  #speaking = false;
  #flushed = false;
  #generation = 0;
  #failures = 0;
  #retry: Timer | undefined;
  #openDeadline: Timer | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    // The names of segments are told apart by it, in the whole call.
    if (deps.isTakenOver) this.#generation = Math.round(deps.at(deps.clock.now()));
    void this.#open();
  }

  /** Takes mono PCM16 at `sampleRateHz` that ended at this clock instant. The array may be reused afterwards. */
  write(pcm: Int16Array, endedAt: number): void {
    if (this.#stream) {
      this.#feed(this.#stream, pcm, endedAt);
      return;
    }
    this.#backlog.push({ pcm: pcm.slice(), endedAt });
    this.#backlogMs += this.#durationMs(pcm);
    while (this.#backlogMs > BACKLOG_MS) {
      this.#backlogMs -= this.#durationMs((this.#backlog.shift() as { pcm: Int16Array }).pcm);
    }
  }

  speechStarted(): void {
    this.#speaking = true;
    this.#stream?.speechStarted();
  }

  speechEnded(): void {
    this.#speaking = false;
    this.#flushed = false;
    this.#stream?.speechEnded();
  }

  /** Asks for final text of what was heard so far; the caller may go on. */
  flush(): void {
    if (!this.#speaking || this.#flushed) return;
    this.#flushed = true;
    this.#stream?.flush();
  }

  /** The caller goes on after a silence that was too short for a pause. */
  speechResumed(): void {
    if (!this.#flushed) return;
    this.#flushed = false;
    this.#stream?.speechStarted();
  }

  close(): void {
    this.#abort.abort();
    this.#deps.clock.clearTimeout(this.#retry);
    this.#deps.clock.clearTimeout(this.#openDeadline);
    this.#stream?.close();
    this.#stream = undefined;
  }

  async #open(): Promise<void> {
    const { clock, stt, options, sampleRateHz } = this.#deps;
    const generation = ++this.#generation;
    const attempt = new AbortController();
    const onClose = () => attempt.abort();
    this.#abort.signal.addEventListener('abort', onClose);
    const tooSlow = new Promise<never>((_, reject) => {
      this.#openDeadline = clock.setTimeout(() => {
        attempt.abort();
        const message = `${stt.provider} did not open within ${OPEN_MS / 1000} s`;
        reject(
          new ProviderError({
            class: 'timeout',
            provider: stt.provider,
            code: 'open_timeout',
            message,
          }),
        );
      }, OPEN_MS);
    });
    try {
      const opening = stt.open({
        ...options,
        sampleRateHz,
        signal: attempt.signal,
        onEvent: (event) => this.#onEvent(event, generation),
        onFailover: (failover) => this.#deps.emit(failoverEvent('stt', failover)),
      });
      // A stream that opens after the deadline has no owner.
      void opening.then(
        (late) => attempt.signal.aborted && late.close(),
        () => undefined,
      );
      const stream = await Promise.race([opening, tooSlow]);
      if (!this.#abort.signal.aborted) this.#opened(stream);
    } catch (error) {
      if (!this.#abort.signal.aborted) this.#broke(error);
    } finally {
      clock.clearTimeout(this.#openDeadline);
      this.#abort.signal.removeEventListener('abort', onClose);
    }
  }

  #opened(stream: SttStream): void {
    this.#stream = stream;
    this.#timeline = new AudioTimeline();
    if (this.#speaking) stream.speechStarted();
    for (const { pcm, endedAt } of this.#backlog) this.#feed(stream, pcm, endedAt);
    this.#backlog = [];
    this.#backlogMs = 0;
    this.#deps.emit({ type: 'stt.ready' });
  }

  #feed(stream: SttStream, pcm: Int16Array, endedAt: number): void {
    this.#timeline.advance(this.#durationMs(pcm), endedAt);
    stream.write(pcm);
  }

  #onEvent(event: SttEvent, generation: number): void {
    if (generation !== this.#generation || this.#abort.signal.aborted) return;
    switch (event.type) {
      case 'interim':
      case 'final':
        this.#failures = 0;
        this.#deps.emit({
          type: event.type === 'final' ? 'stt.final' : 'stt.interim',
          segId: `${generation}.${event.segmentId}`,
          text: event.text,
          startAt: this.#at(event.startMs),
          endAt: this.#at(event.endMs),
          conf: event.confidence,
        });
        break;
      case 'eot':
        this.#deps.emit({ type: 'stt.eot', eager: event.eager, p: event.probability });
        break;
      case 'resumed':
        break;
      case 'error':
        this.#broke(event.error);
        break;
    }
  }

  #broke(error: unknown): void {
    this.#generation++;
    this.#stream?.close();
    this.#stream = undefined;
    this.#deps.onUnexpected(error);
    const delayMs = RETRY_MS[this.#failures];
    const failure = toFailure(error, this.#deps.stt.provider);
    const again = delayMs !== undefined && failure.retryable !== false;
    this.#deps.emit({ type: 'stt.error', error: { ...failure, retryable: again } });
    if (!again) return;
    this.#failures++;
    this.#retry = this.#deps.clock.setTimeout(() => void this.#open(), delayMs);
  }

  #at(streamMs: number): number {
    return this.#deps.at(this.#timeline.clockAt(streamMs));
  }

  #durationMs(pcm: Int16Array): number {
    return (pcm.length * 1000) / this.#deps.sampleRateHz;
  }
}
