import type { Worker } from 'node:worker_threads';
import { orAborted } from './abort.ts';
import { IdleEnd, type IdleRule } from './idle-end.ts';
import { startThread } from './start-thread.ts';
import { TeamBusyError, TeamQueue } from './team-queue.ts';

export interface ComputePoolOptions {
  /** Module that the threads run; it handles tasks with `answerTasks` of compute-thread.ts. */
  readonly entry: URL;
  /** Number of threads; one team occupies at most all but one. @defaultValue 2 */
  readonly threads?: number;
  /** Waiting tasks per team. @defaultValue 32 */
  readonly maxWaitingPerTeam?: number;
  /** Heap of one thread, in MiB; a task that needs more fails. @defaultValue 128 */
  readonly heapMib?: number;
  readonly idle?: IdleRule;
}

export interface ComputeOptions {
  /** Limit on the running time, in ms; the wait for a thread does not count. */
  readonly deadlineMs: number;
  /** Limit on the CPU time of the thread, in ms. @defaultValue only the deadline */
  readonly cpuMs?: number;
  /** The team the task is for: teams take turns. */
  readonly team: string;
  /** Aborts the wait. A running task still occupies its thread until it ends or exceeds a limit. */
  readonly signal?: AbortSignal;
}

/**
 * `overdue`: exceeded its deadline. `exhausted`: exceeded its CPU time. `busy`: too many tasks of the team are waiting.
 * `memory`: exceeded its heap.
 */
export type ComputeFailure = 'overdue' | 'exhausted' | 'busy' | 'memory' | 'failed' | 'closed';

/** A task failed or was killed. */
export class ComputeError extends Error {
  override readonly name = 'ComputeError';
  readonly code: ComputeFailure;

  constructor(code: ComputeFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Messages of a thread: `ready` once, then one answer for each task; each with the CPU time used so far, in ms. */
export type ThreadMessage = { readonly usedMs: number } & (
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly result: unknown }
  | { readonly kind: 'failed'; readonly detail: string }
);

/** Time for a thread to become ready. */
const START_MS = 30_000;
/** Shortest interval between two checks of a task's CPU time. */
const MIN_LOOK_MS = 5;

/**
 * Runs computations on users' data away from the main thread, which carries the audio. Each has a deadline at which its
 * thread is killed and replaced, teams take turns, and the threads have a low priority.
 */
export class ComputePool<Task, Result> {
  readonly #entry: URL;
  readonly #heapMib: number;
  readonly #queue: TeamQueue;
  readonly #idle: ComputeThread[] = [];
  readonly #busy = new Set<ComputeThread>();
  readonly #idleEnd: IdleEnd;
  readonly #closed = new AbortController();

  constructor({
    entry,
    threads = 2,
    maxWaitingPerTeam = 32,
    heapMib = 128,
    idle = {},
  }: ComputePoolOptions) {
    this.#entry = entry;
    this.#heapMib = heapMib;
    this.#queue = new TeamQueue({ concurrency: threads, maxWaiting: maxWaitingPerTeam });
    this.#idleEnd = new IdleEnd(idle, () => this.#endIdle());
  }

  /** Resolves with the thread's answer. Rejects with {@link ComputeError}, or with the signal's abort. */
  async run(task: Task, { team, signal, ...limits }: ComputeOptions): Promise<Result> {
    const closed = this.#closed.signal;
    const ended = signal ? AbortSignal.any([signal, closed]) : closed;
    const answer = Promise.withResolvers<unknown>();
    // After an abort nobody handles a rejection.
    answer.promise.catch(() => undefined);
    const work = async () => {
      this.#idleEnd.stop();
      const thread = this.#idle.pop() ?? new ComputeThread(this.#entry, this.#heapMib);
      this.#busy.add(thread);
      await thread.run(task, limits).then(answer.resolve, answer.reject);
      // A killed thread goes on computing until it has exited, so it occupies its place until then.
      if (thread.isDying) await thread.gone;
      this.#busy.delete(thread);
      if (!thread.isDying) this.#idle.push(thread);
      if (this.#busy.size === 0 && !closed.aborted) this.#idleEnd.start();
    };
    const waiting = this.#queue.run(team, work, ended);
    waiting.catch(answer.reject);
    try {
      // The thread's module guarantees the type.
      return (await orAborted(answer.promise, ended)) as Result;
    } catch (error) {
      if (closed.aborted) throw new ComputeError('closed', 'the service is stopping');
      if (error instanceof TeamBusyError) throw new ComputeError('busy', error.message);
      throw error;
    }
  }

  /** Kills running tasks and rejects waiting ones. */
  close(): void {
    this.#closed.abort();
    this.#idleEnd.stop();
    const error = new ComputeError('closed', 'the service is stopping');
    for (const thread of [...this.#idle.splice(0), ...this.#busy]) thread.kill(error);
  }

  #endIdle(): void {
    const error = new ComputeError('failed', 'the computing thread was idle');
    for (const thread of this.#idle.splice(0)) thread.kill(error);
  }
}

/** A thread that runs one task at a time. */
class ComputeThread {
  readonly #worker: Worker;
  readonly #ready = Promise.withResolvers<void>();
  readonly #gone = Promise.withResolvers<void>();
  #current: PromiseWithResolvers<unknown> | undefined;
  #isDying = false;
  #usedMs = 0;

  constructor(entry: URL, heapMib: number) {
    this.#worker = startThread(entry, { limits: { maxOldGenerationSizeMb: heapMib } });
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

  /** Resolves when the thread has exited. */
  get gone(): Promise<void> {
    return this.#gone.promise;
  }

  async run(
    task: unknown,
    { deadlineMs, cpuMs = deadlineMs }: Pick<ComputeOptions, 'deadlineMs' | 'cpuMs'>,
  ): Promise<unknown> {
    const current = Promise.withResolvers<unknown>();
    this.#current = current;
    // A thread that exits before it is ready also rejects this promise, which nobody awaits then.
    current.promise.catch(() => undefined);
    // A thread keeps the process alive only while it runs a task.
    this.#worker.ref();
    const killIn = (ms: number, message: string) =>
      setTimeout(() => this.kill(new ComputeError('overdue', message)), ms);
    let timer = killIn(START_MS, 'the computing thread does not start');
    try {
      await this.#ready.promise;
      clearTimeout(timer);
      timer = killIn(deadlineMs, `takes longer than ${deadlineMs} ms to compute`);
      this.#worker.postMessage(task);
      if (cpuMs < deadlineMs) this.#limitCpu(current, cpuMs);
      return await current.promise;
    } finally {
      clearTimeout(timer);
      this.#current = undefined;
      this.#worker.unref();
    }
  }

  /** Kills the thread when the current task exceeds its CPU time, which does not depend on how busy the machine is. */
  #limitCpu(task: PromiseWithResolvers<unknown>, cpuMs: number): void {
    const startMs = this.#usedMs;
    let timer: NodeJS.Timeout | undefined;
    const stop = () => clearTimeout(timer);
    task.promise.then(stop, stop);
    const look = async () => {
      const { user, system } = await this.#worker.cpuUsage();
      if (this.#current !== task) return;
      const leftMs = cpuMs - ((user + system) / 1000 - startMs);
      if (leftMs > 0) timer = lookAfter(leftMs);
      else this.kill(new ComputeError('exhausted', `takes more than ${cpuMs} ms to compute`));
    };
    // A thread that has exited reports no CPU time; its exit rejects the task.
    const lookAfter = (ms: number) =>
      setTimeout(() => void look().catch(() => undefined), Math.max(ms, MIN_LOOK_MS));
    timer = lookAfter(cpuMs);
  }

  kill(error: ComputeError): void {
    this.#ready.reject(error);
    this.#current?.reject(error);
    if (this.#isDying) return;
    this.#isDying = true;
    void this.#worker.terminate();
  }

  #take(message: ThreadMessage): void {
    this.#usedMs = message.usedMs;
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
