import { Worker } from 'node:worker_threads';

export interface ComputePoolOptions {
  /** The module that the threads run; it answers tasks with `answerTasks` of compute-thread.ts. */
  readonly entry: URL;
  /** Tasks that run at once; one team holds at most all but one of them. @defaultValue 2 */
  readonly threads?: number;
  /** Tasks of one team that may wait. @defaultValue 32 */
  readonly maxWaitingPerTeam?: number;
  /** Heap of one thread, in MiB; a task that needs more fails. @defaultValue 128 */
  readonly heapMib?: number;
}

export interface ComputeOptions {
  /** How long the task may run, in ms. Waiting for a thread does not count. */
  readonly deadlineMs: number;
  /** Whose task it is: teams take turns. */
  readonly team: string;
  /** Ends the wait at once. A task that runs already keeps its thread until it ends or is overdue. */
  readonly signal?: AbortSignal;
}

/** `overdue`: killed at its deadline. `busy`: too much of the team's waits. `memory`: outgrew its heap. */
export type ComputeFailure = 'overdue' | 'busy' | 'memory' | 'failed' | 'closed';

/** A task came to nothing. */
export class ComputeError extends Error {
  override readonly name = 'ComputeError';
  readonly code: ComputeFailure;

  constructor(code: ComputeFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** What a thread sends: `ready` once, then one answer to each task. */
export type ThreadMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly result: unknown }
  | { readonly kind: 'failed'; readonly detail: string };

interface Waiting {
  readonly task: unknown;
  readonly team: string;
  readonly deadlineMs: number;
  readonly settle: (outcome: { result: unknown } | { error: unknown }) => void;
  settled: boolean;
}

/** From a thread's start to its readiness. */
const START_MS = 30_000;

/**
 * Runs computations over what tenants wrote, away from the thread that carries sound: each has a deadline at which
 * its thread is killed and replaced, teams take turns, and the threads yield to everything else on the machine.
 */
export class ComputePool<Task, Result> {
  readonly #options: Required<ComputePoolOptions>;
  /** By team, in the order in which teams are up; each team's tasks in theirs. */
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #running = new Map<string, number>();
  readonly #idle: ComputeThread[] = [];
  readonly #busy = new Set<ComputeThread>();
  #isClosed = false;

  constructor(options: ComputePoolOptions) {
    this.#options = { threads: 2, maxWaitingPerTeam: 32, heapMib: 128, ...options };
  }

  /** What the thread answered. Rejects with {@link ComputeError}, or with the signal's reason. */
  run(task: Task, { deadlineMs, team, signal }: ComputeOptions): Promise<Result> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      if (this.#isClosed) throw new ComputeError('closed', 'the service is stopping');
      const queue = this.#waiting.get(team) ?? [];
      if (queue.length >= this.#options.maxWaitingPerTeam)
        throw new ComputeError('busy', 'too much work of this team is waiting');
      const abort = () => this.#settle(waiting, { error: signal?.reason });
      const waiting: Waiting = {
        task,
        team,
        deadlineMs,
        settled: false,
        settle: (outcome) => {
          signal?.removeEventListener('abort', abort);
          if ('error' in outcome) reject(outcome.error);
          // The thread's module answers with this type.
          else resolve(outcome.result as Result);
        },
      };
      signal?.addEventListener('abort', abort, { once: true });
      queue.push(waiting);
      this.#waiting.set(team, queue);
      this.#dispatch();
    });
  }

  /** Ends what runs and refuses what waits. */
  close(): void {
    this.#isClosed = true;
    const error = new ComputeError('closed', 'the service is stopping');
    for (const queue of this.#waiting.values())
      for (const waiting of queue) this.#settle(waiting, { error });
    this.#waiting.clear();
    for (const thread of [...this.#idle.splice(0), ...this.#busy]) thread.kill(error);
  }

  #settle(waiting: Waiting, outcome: { result: unknown } | { error: unknown }): void {
    if (waiting.settled) return;
    waiting.settled = true;
    waiting.settle(outcome);
  }

  #dispatch(): void {
    while (!this.#isClosed && this.#busy.size < this.#options.threads) {
      const next = this.#takeNext();
      if (!next) return;
      void this.#work(next);
    }
  }

  #takeNext(): Waiting | undefined {
    const share = Math.max(1, this.#options.threads - 1);
    for (const [team, queue] of this.#waiting) {
      if ((this.#running.get(team) ?? 0) >= share) continue;
      let next = queue.shift();
      while (next?.settled) next = queue.shift();
      this.#waiting.delete(team);
      // Behind all others that wait.
      if (queue.length > 0) this.#waiting.set(team, queue);
      if (next) return next;
    }
    return undefined;
  }

  async #work(waiting: Waiting): Promise<void> {
    const { team, task, deadlineMs } = waiting;
    const { entry, heapMib } = this.#options;
    const thread = this.#idle.pop() ?? new ComputeThread(entry, heapMib);
    this.#busy.add(thread);
    this.#running.set(team, (this.#running.get(team) ?? 0) + 1);
    try {
      this.#settle(waiting, { result: await thread.run(task, deadlineMs) });
    } catch (error) {
      this.#settle(waiting, { error });
    }
    // A killed thread computes on until it is gone: until then it counts.
    if (thread.isDying) await thread.gone;
    this.#busy.delete(thread);
    const left = (this.#running.get(team) ?? 1) - 1;
    if (left > 0) this.#running.set(team, left);
    else this.#running.delete(team);
    if (!thread.isDying && !this.#isClosed) this.#idle.push(thread);
    this.#dispatch();
  }
}

/** One thread, which takes a task at a time. */
class ComputeThread {
  readonly #worker: Worker;
  readonly #ready = Promise.withResolvers<void>();
  readonly #gone = Promise.withResolvers<void>();
  #current: PromiseWithResolvers<unknown> | undefined;
  #isDying = false;

  constructor(entry: URL, heapMib: number) {
    this.#worker = new Worker(entry, {
      // The service's secrets are none of its business.
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: heapMib },
    });
    this.#worker.unref();
    this.#ready.promise.catch(() => undefined);
    this.#worker.on('message', (message: ThreadMessage) => this.#take(message));
    this.#worker.on('error', (error) => this.kill(failureOf(error)));
    this.#worker.on('exit', () => {
      this.kill(new ComputeError('failed', 'the computing thread ended'));
      this.#gone.resolve();
    });
  }

  get isDying(): boolean {
    return this.#isDying;
  }

  /** Resolves when the thread has ended. */
  get gone(): Promise<void> {
    return this.#gone.promise;
  }

  async run(task: unknown, deadlineMs: number): Promise<unknown> {
    const current = Promise.withResolvers<unknown>();
    this.#current = current;
    // A thread that ends before it is ready rejects this as well, which nobody awaits then.
    current.promise.catch(() => undefined);
    // Only while it has something to do does it keep the process alive.
    this.#worker.ref();
    const killIn = (ms: number, message: string) =>
      setTimeout(() => this.kill(new ComputeError('overdue', message)), ms);
    let timer = killIn(START_MS, 'the computing thread does not start');
    try {
      await this.#ready.promise;
      clearTimeout(timer);
      timer = killIn(deadlineMs, `takes longer than ${deadlineMs} ms to compute`);
      this.#worker.postMessage(task);
      return await current.promise;
    } finally {
      clearTimeout(timer);
      this.#current = undefined;
      this.#worker.unref();
    }
  }

  kill(error: ComputeError): void {
    this.#ready.reject(error);
    this.#current?.reject(error);
    if (this.#isDying) return;
    this.#isDying = true;
    void this.#worker.terminate();
  }

  #take(message: ThreadMessage): void {
    if (message.kind === 'ready') this.#ready.resolve();
    else if (message.kind === 'done') this.#current?.resolve(message.result);
    else
      this.#current?.reject(
        new ComputeError('failed', 'the computation failed', { cause: message.detail }),
      );
  }
}

function failureOf(error: unknown): ComputeError {
  const isMemory =
    error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isMemory
    ? new ComputeError('memory', 'takes more memory to compute than is allowed')
    : new ComputeError('failed', 'the computing thread failed', { cause: error });
}
