import { RecentAudio } from '../../../audio/recent-audio.ts';
import { ProviderError } from '../../../lib/errors.ts';
import type { Clock, Timer } from '../../../ports/clock.ts';
import type { SttEvent, SttStream } from '../../../ports/stt.ts';
import { AudioQueue } from './audio-queue.ts';
import { type FromWorker, RECOGNISER_RATE_HZ, type ToWorker } from './protocol.ts';

/** The methods of its thread that a stream uses. */
export interface StreamThread {
  send(message: ToWorker): void;
  detach(streamId: number): void;
}

export interface StreamOptions {
  readonly streamId: number;
  readonly thread: StreamThread;
  readonly clock: Clock;
  readonly onEvent: (event: SttEvent) => void;
}

type Mark =
  | { readonly type: 'start'; readonly segmentId: string; readonly startMs: number }
  | { readonly type: 'end' };

const SAMPLES_A_MS = RECOGNISER_RATE_HZ / 1000;
/** VAD reports speech up to 150 ms late, and weak first sounds precede the onset it reports. */
const PREROLL_MS = 400;
/** A message to a thread costs as much as decoding 5 ms, so frames are batched. */
const BATCH_MS = 60;
const WINDOW_MS = 1000;
const QUEUE_MS = 10_000;
/** Longer speech is cut into segments, which bounds the memory. */
const LONGEST_SEGMENT_MS = 20_000;
/** After this time the final will not come: the thread hangs or is overloaded. */
const FINAL_TIMEOUT_MS = 5000;

/** The caller's side of recognition: cuts speech out of the stream and sends it to the thread. */
export class OfflineSttStream implements SttStream {
  readonly #options: StreamOptions;
  readonly #preroll = new RecentAudio(PREROLL_MS * SAMPLES_A_MS);
  readonly #batch = new Int16Array(BATCH_MS * SAMPLES_A_MS);
  readonly #queue: AudioQueue<Mark>;
  #batched = 0;
  #written = 0;
  #speaking = false;
  #segments = 0;
  #segmentStart = 0;
  readonly #due = new Map<string, Timer>();
  #settling: PromiseWithResolvers<void> | undefined;
  #closed = false;

  constructor(options: StreamOptions) {
    this.#options = options;
    const { streamId, thread } = options;
    this.#queue = new AudioQueue<Mark>(
      {
        audio: (pcm) => thread.send({ type: 'audio', streamId, pcm }),
        mark: (mark) => thread.send({ ...mark, streamId }),
      },
      WINDOW_MS * SAMPLES_A_MS,
      QUEUE_MS * SAMPLES_A_MS,
    );
  }

  get droppedMs(): number {
    return this.#queue.droppedSamples / SAMPLES_A_MS;
  }

  /** True if all that was sent to the thread is processed, and each final that is due has come. */
  get isSettled(): boolean {
    return this.#closed || (this.#queue.isEmpty && this.#due.size === 0);
  }

  /** Resolves when it is settled. */
  settled(): Promise<void> {
    if (this.isSettled) return Promise.resolve();
    this.#settling ??= Promise.withResolvers();
    return this.#settling.promise;
  }

  write(pcm: Int16Array): void {
    if (this.#closed) return;
    this.#written += pcm.length;
    if (!this.#speaking) {
      this.#preroll.push(pcm);
      return;
    }
    this.#collect(pcm);
    if (this.#written - this.#segmentStart < LONGEST_SEGMENT_MS * SAMPLES_A_MS) return;
    this.speechEnded();
    this.speechStarted();
  }

  speechStarted(): void {
    if (this.#closed || this.#speaking) return;
    this.#speaking = true;
    const before = this.#preroll.read();
    this.#preroll.clear();
    this.#segmentStart = this.#written - before.length;
    this.#segments++;
    this.#queue.push({
      type: 'start',
      segmentId: String(this.#segments),
      startMs: this.#segmentStart / SAMPLES_A_MS,
    });
    if (before.length > 0) this.#queue.push(before);
  }

  speechEnded(): void {
    if (this.#closed || !this.#speaking) return;
    this.#speaking = false;
    this.#sendBatch();
    this.#queue.push({ type: 'end' });
    const segmentId = String(this.#segments);
    const timer = this.#options.clock.setTimeout(() => {
      this.#due.delete(segmentId);
      this.#fail('timeout', 'final_timeout', `no final after ${FINAL_TIMEOUT_MS} ms`);
      this.#tellSettled();
    }, FINAL_TIMEOUT_MS);
    this.#due.set(segmentId, timer);
  }

  /** Ends the segment; where the caller goes on, the next one completes its sentence. */
  flush(): void {
    this.speechEnded();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const timer of this.#due.values()) this.#options.clock.clearTimeout(timer);
    this.#due.clear();
    this.#options.thread.detach(this.#options.streamId);
    this.#tellSettled();
  }

  /** Handles a message of the thread. */
  message(message: FromWorker): void {
    if (this.#closed) return;
    switch (message.type) {
      case 'consumed':
        this.#queue.consumed(message.samples);
        break;
      case 'final':
        this.#settle(message.segmentId);
        this.#tell(message);
        break;
      case 'interim':
        this.#tell(message);
        break;
      case 'failed':
        this.#fail('internal', 'recogniser_failed', message.message);
        break;
      case 'opened':
    }
    this.#tellSettled();
  }

  /** The thread has ended. */
  lost(reason: string): void {
    if (this.#closed) return;
    this.#fail('internal', 'thread_lost', `the recogniser's thread ended: ${reason}`);
    this.close();
  }

  #tellSettled(): void {
    if (!this.#settling || !this.isSettled) return;
    this.#settling.resolve();
    this.#settling = undefined;
  }

  #collect(pcm: Int16Array): void {
    for (let i = 0; i < pcm.length; i++) {
      this.#batch[this.#batched++] = pcm[i] as number;
      if (this.#batched === this.#batch.length) this.#sendBatch();
    }
  }

  #sendBatch(): void {
    if (this.#batched === 0) return;
    this.#queue.push(this.#batch.slice(0, this.#batched));
    this.#batched = 0;
  }

  #settle(segmentId: string): void {
    const timer = this.#due.get(segmentId);
    if (timer === undefined) return;
    this.#due.delete(segmentId);
    this.#options.clock.clearTimeout(timer);
  }

  #tell(message: Extract<FromWorker, { type: 'interim' | 'final' }>): void {
    const { type, segmentId, text, startMs, endMs, confidence } = message;
    this.#options.onEvent({ type, segmentId, text, startMs, endMs, confidence });
  }

  #fail(failure: 'internal' | 'timeout', code: string, message: string): void {
    const error = new ProviderError({
      class: failure,
      provider: 'offline',
      code,
      message,
      retryable: true,
    });
    this.#options.onEvent({ type: 'error', error });
  }
}
