import type { Worker } from 'node:worker_threads';
import { abortError, throwIfAborted } from '../../../lib/abort.ts';
import { ProviderError } from '../../../lib/errors.ts';
import { IdleEnd, type IdleRule } from '../../../lib/idle-end.ts';
import { startThread } from '../../../lib/start-thread.ts';
import type { Clock, Timer } from '../../../ports/clock.ts';
import type { FailureClass } from '../../../ports/provider-failure.ts';
import type { VoiceJob, VoiceReplyMessage, VoiceRequestMessage, VoiceResult } from './voice-job.ts';

export interface VoicePoolOptions {
  readonly clock: Clock;
  /** Threads. @defaultValue 1 */
  readonly size?: number;
  /** Maximum number of waiting clauses. @defaultValue 64 */
  readonly maxQueued?: number;
  /** Time limit per clause. @defaultValue 10,000 */
  readonly jobTimeoutMs?: number;
  /** Time limit of a thread's first clause, for which the thread has to start. @defaultValue 30,000 */
  readonly firstJobTimeoutMs?: number;
  readonly idle?: IdleRule;
}

interface Pending {
  readonly id: number;
  readonly job: VoiceJob;
  readonly neededAtMs: number;
  /** At most one of the two is called, once. */
  readonly resolve: (result: VoiceResult) => void;
  readonly reject: (error: Error) => void;
}

interface Slot {
  worker: Worker | undefined;
  /** False until the thread has answered once. */
  isStarted: boolean;
  current: Pending | undefined;
  timer: Timer;
}

function failure(failureClass: FailureClass, code: string, message: string): ProviderError {
  return new ProviderError({ class: failureClass, provider: 'offline', code, message });
}

/**
 * The voice threads and their queue, in which whoever waits in silence comes before whoever still has sound to play. A job
 * cancelled while it waits is never started; one cancelled while it runs is completed and discarded, which takes less time
 * than starting a new thread.
 */
export class VoicePool {
  readonly #clock: Clock;
  readonly #maxQueued: number;
  readonly #jobTimeoutMs: number;
  readonly #firstJobTimeoutMs: number;
  readonly #slots: readonly Slot[];
  /** In the order in which the clauses are needed. */
  readonly #queue: Pending[] = [];
  readonly #idleEnd: IdleEnd;
  #nextId = 1;
  #closed = false;

  constructor(options: VoicePoolOptions) {
    this.#clock = options.clock;
    this.#maxQueued = options.maxQueued ?? 64;
    this.#jobTimeoutMs = options.jobTimeoutMs ?? 10_000;
    // On a busy machine a thread starts slowly, and another one in its place would start no faster.
    this.#firstJobTimeoutMs = options.firstJobTimeoutMs ?? 30_000;
    this.#idleEnd = new IdleEnd(options.idle ?? {}, () => this.#endThreads());
    this.#slots = Array.from({ length: options.size ?? 1 }, () => ({
      worker: undefined,
      isStarted: false,
      current: undefined,
      timer: undefined,
    }));
  }

  get isRunning(): boolean {
    return this.#slots.some((slot) => slot.worker !== undefined);
  }

  /** @param neededAtMs - clock instant at which the caller would have nothing more to hear. @defaultValue now */
  run(
    job: VoiceJob,
    signal: AbortSignal,
    neededAtMs: number = this.#clock.now(),
  ): Promise<VoiceResult> {
    throwIfAborted(signal);
    if (this.#closed) return Promise.reject(failure('internal', 'closed', 'The voice is closed'));
    if (this.#queue.length >= this.#maxQueued) {
      return Promise.reject(
        failure('rate', 'queue_full', `More than ${this.#maxQueued} clauses wait to be spoken`),
      );
    }
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        const waiting = this.#queue.indexOf(pending);
        if (waiting >= 0) this.#queue.splice(waiting, 1);
        reject(abortError(signal));
      };
      const settle = (): void => signal.removeEventListener('abort', onAbort);
      const pending: Pending = {
        id: this.#nextId++,
        job,
        neededAtMs,
        resolve: (result) => {
          settle();
          resolve(result);
        },
        reject: (error) => {
          settle();
          reject(error);
        },
      };
      signal.addEventListener('abort', onAbort, { once: true });
      const behind = this.#queue.findLastIndex((other) => other.neededAtMs <= neededAtMs);
      this.#queue.splice(behind + 1, 0, pending);
      this.#dispatch();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#idleEnd.stop();
    const closed = failure('internal', 'closed', 'The voice is closed');
    for (const pending of this.#queue.splice(0)) pending.reject(closed);
    await Promise.all(
      this.#slots.map(async (slot) => {
        const { worker } = slot;
        this.#release(slot)?.reject(closed);
        slot.worker = undefined;
        await worker?.terminate();
      }),
    );
  }

  #dispatch(): void {
    for (const slot of this.#slots) {
      if (slot.current) continue;
      const next = this.#queue.shift();
      if (!next) return;
      slot.current = next;
      this.#idleEnd.stop();
      slot.worker ??= this.#spawn(slot);
      // An idle thread does not keep the process alive.
      slot.worker.ref();
      const message: VoiceRequestMessage = { id: next.id, job: next.job };
      slot.worker.postMessage(message);
      const timeoutMs = slot.isStarted ? this.#jobTimeoutMs : this.#firstJobTimeoutMs;
      slot.timer = this.#clock.setTimeout(() => this.#giveUp(slot, timeoutMs), timeoutMs);
    }
  }

  #spawn(slot: Slot): Worker {
    const worker = startThread(new URL('./voice-worker.ts', import.meta.url));
    slot.isStarted = false;
    worker.on('message', (reply: VoiceReplyMessage) => {
      if (slot.worker !== worker || reply.id !== slot.current?.id) return;
      slot.isStarted = true;
      const pending = this.#release(slot);
      if ('result' in reply) pending?.resolve(reply.result);
      else
        pending?.reject(
          failure('internal', 'synthesis_failed', `The voice failed: ${reply.error}`),
        );
      this.#dispatch();
    });
    const lost = (why: string): void => {
      if (slot.worker !== worker) return;
      slot.worker = undefined;
      this.#release(slot)?.reject(failure('internal', 'voice_lost', `The voice stopped: ${why}`));
      if (!this.#closed) this.#dispatch();
    };
    worker.on('error', (error: Error) => lost(error.message));
    worker.on('exit', (code) => lost(`its thread ended with ${code}`));
    return worker;
  }

  /** Terminates a thread that does not answer; the next job gets a new one. */
  #giveUp(slot: Slot, timeoutMs: number): void {
    const { worker } = slot;
    slot.worker = undefined;
    void worker?.terminate();
    this.#release(slot)?.reject(
      failure('timeout', 'synthesis_timeout', `A clause was not spoken within ${timeoutMs} ms`),
    );
    this.#dispatch();
  }

  #endThreads(): void {
    for (const slot of this.#slots) {
      const { worker } = slot;
      slot.worker = undefined;
      void worker?.terminate();
    }
  }

  #release(slot: Slot): Pending | undefined {
    const { current } = slot;
    this.#clock.clearTimeout(slot.timer);
    slot.timer = undefined;
    slot.current = undefined;
    slot.worker?.unref();
    if (!this.#closed && this.#slots.every((each) => !each.current)) this.#idleEnd.start();
    return current;
  }
}
