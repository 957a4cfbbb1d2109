import { Worker } from 'node:worker_threads';
import { orAborted } from './abort.ts';
import { TeamBusyError, TeamQueue } from './team-queue.ts';

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
  /** How long the task may compute, in ms of its thread's CPU time. @defaultValue as long as the deadline allows */
  readonly cpuMs?: number;
  /** Whose task it is: teams take turns. */
  readonly team: string;
  /** Ends the wait at once. A task that runs already keeps its thread until it ends or is overdue. */
  readonly signal?: AbortSignal;
}

/** `overdue`: killed at its deadline. `exhausted`: its CPU time is used up. `busy`: too much of the team's waits. `memory`: outgrew its heap. */
export type ComputeFailure = 'overdue' | 'exhausted' | 'busy' | 'memory' | 'failed' | 'closed';

/** A task came to nothing. */
export class ComputeError extends Error {
  override readonly name = 'ComputeError';
  readonly code: ComputeFailure;

  constructor(code: ComputeFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** What a thread sends: `ready` once, then one answer to each task; each with the CPU time it has used so far. */
export type ThreadMessage = { readonly usedMs: number } & (
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly result: unknown }
  | { readonly kind: 'failed'; readonly detail: string }
);

/** From a thread's start to its readiness. */
const START_MS = 30_000;
/** The shortest wait between two looks at the CPU time of a task. */
const MIN_LOOK_MS = 5;

/**
 * Runs computations over what tenants wrote, away from the thread that carries sound: each has a deadline at which
 * its thread is killed and replaced, teams take turns, and the threads yield to everything else on the machine.
 */
export class ComputePool<Task, Result> {
  readonly #entry: URL;
  readonly #heapMib: number;
  readonly #queue: TeamQueue;
  readonly #idle: ComputeThread[] = [];
  readonly #busy = new Set<ComputeThread>();
  readonly #closed = new AbortController();

  constructor({ entry, threads = 2, maxWaitingPerTeam = 32, heapMib = 128 }: ComputePoolOptions) {
    this.#entry = entry;
    this.#heapMib = heapMib;
    this.#queue = new TeamQueue({ concurrency: threads, maxWaiting: maxWaitingPerTeam });
  }

  /** What the thread answered. Rejects with {@link ComputeError}, or with the signal's abort. */
  async run(task: Task, { team, signal, ...limits }: ComputeOptions): Promise<Result> {
    const closed = this.#closed.signal;
    const ended = signal ? AbortSignal.any([signal, closed]) : closed;
    const answer = Promise.withResolvers<unknown>();
    // Whoever no longer waits does not hear of it.
    answer.promise.catch(() => undefined);
    const work = async () => {
      const thread = this.#idle.pop() ?? new ComputeThread(this.#entry, this.#heapMib);
      this.#busy.add(thread);
      await thread.run(task, limits).then(answer.resolve, answer.reject);
      // A killed thread computes on until it is gone: until then it holds its place.
      if (thread.isDying) await thread.gone;
      this.#busy.delete(thread);
      if (!thread.isDying) this.#idle.push(thread);
    };
    const waiting = this.#queue.run(team, work, ended);
    waiting.catch(answer.reject);
    try {
      // The thread's module answers with this type.
      return (await orAborted(answer.promise, ended)) as Result;
    } catch (error) {
      if (closed.aborted) throw new ComputeError('closed', 'the service is stopping');
      if (error instanceof TeamBusyError) throw new ComputeError('busy', error.message);
      throw error;
    }
  }

  /** Ends what runs and refuses what waits. */
  close(): void {
    this.#closed.abort();
    const error = new ComputeError('closed', 'the service is stopping');
    for (const thread of [...this.#idle.splice(0), ...this.#busy]) thread.kill(error);
  }
}

/** One thread, which takes a task at a time. */
class ComputeThread {
  readonly #worker: Worker;
  readonly #ready = Promise.withResolvers<void>();
  readonly #gone = Promise.withResolvers<void>();
  #current: PromiseWithResolvers<unknown> | undefined;
  #isDying = false;
  #usedMs = 0;

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

  async run(
    task: unknown,
    { deadlineMs, cpuMs = deadlineMs }: Pick<ComputeOptions, 'deadlineMs' | 'cpuMs'>,
  ): Promise<unknown> {
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
      if (cpuMs < deadlineMs) this.#limitCpu(current, cpuMs);
      return await current.promise;
    } finally {
      clearTimeout(timer);
      this.#current = undefined;
      this.#worker.unref();
    }
  }

  /** Kills the thread when the current task has used so much CPU time: a busy machine does not shorten it. */
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
    // A thread that has ended has no figures; its end rejects the task.
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
