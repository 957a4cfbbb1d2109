import PQueue from 'p-queue';

const AT_ONCE = 16;
/** Waiting commands at which further callers are left to wait in the application. */
const BUSY = 256;
/** Waiting commands at which none is added. */
const FULL = 2048;
const FLOODED = new Error('sent more events than can be acted on; some were dropped');

/** Commands that a server's events lead to: one that sends many events is not asked as many things at once. */
export class CommandQueue {
  readonly #queue = new PQueue({ concurrency: AT_ONCE });
  readonly #closing = new AbortController();
  readonly #problem: (error: Error) => void;

  /** `problem` hears of commands that failed, and of events that come to nothing. */
  constructor(problem: (error: Error) => void) {
    this.#problem = problem;
  }

  /** Whether there are too many commands for one more caller; if so, that is told. */
  get isBusy(): boolean {
    return this.#isOver(BUSY);
  }

  /** The signal ends a command when the queue is closed. */
  run(command: (signal: AbortSignal) => Promise<void>): void {
    if (this.#isOver(FULL)) return;
    const { signal } = this.#closing;
    this.#queue
      .add(() => command(signal))
      .catch((error: Error) => {
        if (!signal.aborted) this.#problem(error);
      });
  }

  async close(): Promise<void> {
    this.#queue.clear();
    this.#closing.abort();
    await this.#queue.onIdle();
  }

  #isOver(limit: number): boolean {
    const isOver = this.#queue.size >= limit;
    if (isOver) this.#problem(FLOODED);
    return isOver;
  }
}
