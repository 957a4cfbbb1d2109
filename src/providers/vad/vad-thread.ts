import type { Worker } from 'node:worker_threads';
import { startThread } from '../../lib/start-thread.ts';
import type { Clock, Timer } from '../../ports/clock.ts';
import { CONTEXT_SAMPLES, type VadReply, WINDOW_SAMPLES, type WindowBatch } from './vad-message.ts';

interface Deps {
  readonly clock: Clock;
  /** Called once per failure; the thread is restarted a few times. */
  readonly onFailure: (error: Error) => void;
  /** URL of the worker's code; tests replace it. */
  readonly workerUrl?: URL;
}

interface Waiting {
  readonly stream: number;
  readonly samples: Int16Array;
  readonly done: (probability: number | undefined) => void;
}

/** Minimum interval between batches, so that many calls share a message. */
const BATCH_EVERY_MS = 16;
/** About 5 ms of the thread's time. */
const MAX_BATCH = 256;
/** Beyond this the thread is overloaded. */
const MAX_WAITING = 1024;
const READY_MS = 10_000;
const ANSWER_MS = 1000;
const RESTART_MS = 5000;
const MAX_FAILURES = 5;
const LENGTH = CONTEXT_SAMPLES + WINDOW_SAMPLES;

/**
 * The worker thread that runs the VAD network for all calls, and its batching. Every submitted window is answered, in
 * its stream's order; the answer is undefined when the thread is missing, failed or overloaded.
 */
export class VadThread {
  readonly #deps: Deps;
  #worker: Worker | undefined;
  #ready: PromiseWithResolvers<void> | undefined;
  #isReady = false;
  #timer: Timer;
  #batchTimer: Timer;
  #lastBatchAtMs = Number.NEGATIVE_INFINITY;
  #waiting: Waiting[] = [];
  #inFlight: readonly Waiting[] | undefined;
  #ended: number[] = [];
  #failures = 0;
  #closed = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Starts the thread, once; resolves when it is ready or has failed. */
  start(): Promise<void> {
    return (this.#ready ?? this.#spawn()).promise;
  }

  /** Keeps the samples: pass a copy. */
  submit(
    stream: number,
    samples: Int16Array,
    done: (probability: number | undefined) => void,
  ): void {
    if (!this.#isReady || this.#waiting.length >= MAX_WAITING) {
      done(undefined);
      return;
    }
    this.#waiting.push({ stream, samples, done });
    this.#schedule();
  }

  /** Discards the stream's queued windows and the callbacks of those already sent. */
  forget(stream: number): void {
    this.#waiting = this.#waiting.filter((window) => window.stream !== stream);
    if (this.#isReady) this.#ended.push(stream);
  }

  /** Ends a thread that no stream uses; `start` starts another one. */
  end(): void {
    if (!this.#isReady) return;
    const worker = this.#worker;
    this.#stop();
    this.#ready = undefined;
    void worker?.terminate();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#ready ??= Promise.withResolvers();
    const worker = this.#worker;
    this.#stop();
    await worker?.terminate();
  }

  #spawn(): PromiseWithResolvers<void> {
    const ready = Promise.withResolvers<void>();
    this.#ready = ready;
    const url = this.#deps.workerUrl ?? new URL('./vad-worker.ts', import.meta.url);
    const worker = startThread(url);
    this.#worker = worker;
    // The thread alone must not keep the process alive.
    worker.unref();
    const lost = (error: Error): void => {
      if (this.#worker === worker) this.#fail(error);
    };
    worker.on('message', (reply: VadReply) => {
      if (this.#worker === worker) this.#take(reply);
    });
    worker.on('error', (error: Error) => lost(error));
    worker.on('exit', (code) => lost(new Error(`its thread ended with ${code}`)));
    this.#watch(READY_MS);
    return ready;
  }

  #take(reply: VadReply): void {
    const { clock } = this.#deps;
    clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    if (reply.type === 'judged') {
      this.#answer(reply.probabilities);
    } else if (reply.type === 'ready') {
      this.#isReady = true;
      this.#ready?.resolve();
    } else {
      this.#fail(new Error(reply.error));
    }
  }

  #answer(probabilities: Float32Array): void {
    const answered = this.#inFlight ?? [];
    this.#inFlight = undefined;
    this.#failures = 0;
    for (const [i, { done }] of answered.entries()) done(probabilities[i]);
    if (this.#waiting.length > 0) this.#schedule();
  }

  #schedule(): void {
    if (this.#inFlight || this.#batchTimer !== undefined) return;
    const { clock } = this.#deps;
    const inMs = this.#lastBatchAtMs + BATCH_EVERY_MS - clock.now();
    if (inMs <= 0) {
      this.#send();
      return;
    }
    this.#batchTimer = clock.setTimeout(() => {
      this.#batchTimer = undefined;
      if (!this.#inFlight && this.#waiting.length > 0) this.#send();
    }, inMs);
  }

  #send(): void {
    const windows = this.#waiting.splice(0, MAX_BATCH);
    const streams = Int32Array.from(windows, ({ stream }) => stream);
    const samples = new Int16Array(windows.length * LENGTH);
    for (const [i, window] of windows.entries()) samples.set(window.samples, i * LENGTH);
    const batch: WindowBatch = { streams, samples, ended: this.#ended };
    this.#ended = [];
    this.#inFlight = windows;
    this.#lastBatchAtMs = this.#deps.clock.now();
    this.#worker?.postMessage(batch, [samples.buffer]);
    this.#watch(ANSWER_MS);
  }

  #watch(ms: number): void {
    const { clock } = this.#deps;
    clock.clearTimeout(this.#timer);
    this.#timer = clock.setTimeout(() => this.#fail(new Error(`no answer within ${ms} ms`)), ms);
  }

  #fail(error: Error): void {
    const worker = this.#worker;
    this.#failures++;
    this.#stop();
    void worker?.terminate();
    this.#deps.onFailure(error);
    if (this.#closed || this.#failures >= MAX_FAILURES) return;
    this.#timer = this.#deps.clock.setTimeout(() => {
      this.#timer = undefined;
      this.#spawn();
    }, RESTART_MS);
  }

  /** Answers all pending windows. */
  #stop(): void {
    const { clock } = this.#deps;
    clock.clearTimeout(this.#timer);
    clock.clearTimeout(this.#batchTimer);
    this.#timer = undefined;
    this.#batchTimer = undefined;
    this.#worker = undefined;
    this.#isReady = false;
    this.#ready?.resolve();
    const unanswered = [...(this.#inFlight ?? []), ...this.#waiting];
    this.#inFlight = undefined;
    this.#waiting = [];
    this.#ended = [];
    for (const { done } of unanswered) done(undefined);
  }
}
