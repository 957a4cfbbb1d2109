import type { IdleRule } from '../../../lib/idle-end.ts';
import { RecogniserThread } from './recogniser-thread.ts';

/** Recogniser threads, started on demand. */
export class ThreadPool {
  readonly #maxThreads: number;
  readonly #slotsPerThread: number;
  readonly #idle: IdleRule;
  #threads: RecogniserThread[] = [];

  constructor(maxThreads: number, slotsPerThread: number, idle: IdleRule) {
    this.#maxThreads = maxThreads;
    this.#slotsPerThread = slotsPerThread;
    this.#idle = idle;
  }

  /**
   * The thread for a new stream. Starts another one, up to the maximum, when every thread has a stream for each of
   * its decoders.
   */
  pick(): RecogniserThread {
    this.#threads = this.#threads.filter((thread) => !thread.gone);
    const [least] = this.#threads.toSorted((a, b) => a.streams - b.streams);
    const full = !least || least.streams >= this.#slotsPerThread;
    if (!full || (least && this.#threads.length >= this.#maxThreads)) return least;
    const thread = new RecogniserThread(this.#slotsPerThread, this.#idle);
    this.#threads.push(thread);
    return thread;
  }

  get isRunning(): boolean {
    return this.#threads.some((thread) => !thread.gone);
  }

  async close(): Promise<void> {
    const threads = this.#threads;
    this.#threads = [];
    await Promise.all(threads.map((thread) => thread.close()));
  }
}
