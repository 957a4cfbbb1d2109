import type { IdleRule } from './idle-end.ts';

/** Threads that are kept while a live call may need them. */
export type CallThread = 'recogniser' | 'voice' | 'vad' | 'schemas' | 'search';

/**
 * Counts the live calls that may need each kind of thread. A thread's heap, and the WebAssembly memory in it, shrink only
 * when the thread ends; calls that never use it must not keep it alive.
 */
export class ThreadUse {
  readonly #calls = new Map<CallThread, number>();

  /** Keeps these threads until the promise resolves. */
  hold(threads: Iterable<CallThread>, finished: Promise<void>): void {
    const held = new Set(threads);
    for (const thread of held) this.#add(thread, 1);
    void finished.then(() => {
      for (const thread of held) this.#add(thread, -1);
    });
  }

  /** When threads of this kind end. */
  idleRuleOf(thread: CallThread): IdleRule {
    return { inCall: () => (this.#calls.get(thread) ?? 0) > 0 };
  }

  #add(thread: CallThread, calls: number): void {
    this.#calls.set(thread, (this.#calls.get(thread) ?? 0) + calls);
  }
}
