import { type ChildProcess, fork } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { codeCacheEnvironment } from '../../lib/start-thread.ts';
import type { ReaderAnswer, ReaderJob, ReaderRequest } from './messages.ts';
import { ReaderBusyError } from './reader-busy-error.ts';
import { UnreadableError } from './unreadable-error.ts';

export interface ReaderLimits {
  /** Memory limit of the process. @defaultValue 1 GiB */
  readonly memoryBytes: number;
  /** Limit of its JavaScript heap. @defaultValue 768 */
  readonly heapMib: number;
  /** Deadline for indexing, without the time that `onResult` takes. @defaultValue 120000 */
  readonly deadlineMs: number;
  /** Deadline for inspecting one file or page. @defaultValue 30000 */
  readonly lookMs: number;
  /** Deadline for the start of the process: with its low priority that takes long on a busy machine. @defaultValue 60000 */
  readonly startMs: number;
}

export const readerLimits = {
  memoryBytes: 1024 * 1024 * 1024,
  heapMib: 768,
  deadlineMs: 120_000,
  lookMs: 30_000,
  startMs: 60_000,
} as const satisfies ReaderLimits;

const ENTRY = fileURLToPath(new URL('./reader-child.ts', import.meta.url));

/** Lowers the process's priority below that of calls. */
function yieldToCalls({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The process has ended already, or the system forbids it.
  }
}

/** A reading process, which runs one job at a time. */
export class ReaderProcess {
  readonly #child: ChildProcess;
  /** Resolves with false if the process has ended before. */
  readonly #ready = Promise.withResolvers<boolean>();
  readonly #gone = Promise.withResolvers<void>();
  readonly #limits: ReaderLimits;
  #overdue = false;
  #rssBytes = 0;
  /** True if the process ended its job by itself and can be used again. */
  #answered = false;

  constructor(limits: ReaderLimits) {
    this.#limits = limits;
    this.#child = fork(ENTRY, [String(limits.memoryBytes)], {
      execArgv: [`--max-old-space-size=${limits.heapMib}`, '--disable-warning=ExperimentalWarning'],
      serialization: 'advanced',
      // The child must not see secrets in the environment.
      env: codeCacheEnvironment(),
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#child.once('message', () => this.#ready.resolve(true));
    void this.#gone.promise.then(() => this.#ready.resolve(false));
    this.#child.once('exit', () => this.#gone.resolve());
    // It could not be started; whoever runs a job hears of that too.
    this.#child.on('error', () => this.#gone.resolve());
    yieldToCalls(this.#child);
    this.#child.unref();
    this.#child.channel?.unref();
  }

  /** Its resident memory when it last finished a job. */
  get rssBytes(): number {
    return this.#rssBytes;
  }

  get usable(): boolean {
    return this.#child.connected && !this.#child.killed;
  }

  /**
   * Passes each result to `onResult` and waits for its promise before the next is made. Rejects with
   * {@link UnreadableError} if the file is refused or makes the process exceed its limits, and with
   * {@link ReaderBusyError} if the process does not start in time.
   */
  async run(
    job: ReaderJob,
    onResult: (value: unknown) => Promise<void> | void,
    signal: AbortSignal,
  ): Promise<void> {
    signal.throwIfAborted();
    const child = this.#child;
    this.#answered = false;
    child.ref();
    const { deadlineMs, lookMs } = this.#limits;
    const abort = () => void this.kill();
    signal.addEventListener('abort', abort, { once: true });
    try {
      await this.#started();
      const clock = new WorkingTime(job.kind === 'index' ? deadlineMs : lookMs, () => {
        this.#overdue = true;
        void this.kill();
      });
      await this.#converse(job, async (value) => {
        clock.pause();
        await onResult(value);
        clock.resume();
      }).finally(() => clock.end());
    } catch (error) {
      if (!this.#answered) void this.kill();
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener('abort', abort);
      child.unref();
    }
  }

  /** Resolves when it has ended: until then it holds its folder and the file that it read. */
  kill(): Promise<void> {
    this.#child.ref();
    this.#child.kill('SIGKILL');
    return this.#gone.promise;
  }

  async #started(): Promise<void> {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      void this.kill();
    }, this.#limits.startMs);
    const isReady = await this.#ready.promise;
    clearTimeout(timer);
    if (isLate) throw new ReaderBusyError('the reading process did not start in time');
    if (!isReady) throw this.#ended();
  }

  #converse(job: ReaderJob, onResult: (value: unknown) => Promise<void> | void): Promise<void> {
    const child = this.#child;
    return new Promise((resolve, reject) => {
      const settle = (end: () => void) => {
        child.off('message', onMessage);
        child.off('exit', onExit);
        child.off('error', onError);
        end();
      };
      const fail = (error: unknown) => settle(() => reject(error));
      const onError = (error: Error) => fail(error);
      const onExit = () => fail(this.#ended());
      const onMessage = (answer: ReaderAnswer) => {
        switch (answer.kind) {
          case 'result':
            Promise.resolve(onResult(answer.value)).then(() => this.#send({ kind: 'more' }), fail);
            break;
          case 'done':
            this.#answered = true;
            this.#rssBytes = answer.rssBytes;
            settle(resolve);
            break;
          case 'refused':
            this.#answered = true;
            fail(new UnreadableError(answer.reason));
            break;
          case 'failed':
            fail(
              new UnreadableError('The file is broken and cannot be read.', {
                cause: answer.detail,
              }),
            );
        }
      };
      child.on('message', onMessage);
      child.on('exit', onExit);
      child.on('error', onError);
      this.#send(job);
    });
  }

  #send(request: ReaderRequest): void {
    if (this.#child.connected) this.#child.send(request);
  }

  #ended(): UnreadableError {
    return this.#overdue
      ? new UnreadableError('The file takes too long to read.')
      : new UnreadableError('The file takes more memory to read than is allowed.');
  }
}

/** A deadline that can be paused. */
class WorkingTime {
  readonly #onOver: () => void;
  #leftMs: number;
  #since = 0;
  #ended = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(totalMs: number, onOver: () => void) {
    this.#leftMs = totalMs;
    this.#onOver = onOver;
    this.resume();
  }

  /** Stops for good. */
  end(): void {
    this.#ended = true;
    this.pause();
  }

  pause(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#leftMs -= performance.now() - this.#since;
  }

  resume(): void {
    if (this.#timer !== undefined || this.#ended) return;
    this.#since = performance.now();
    this.#timer = setTimeout(this.#onOver, Math.max(0, this.#leftMs));
  }
}
