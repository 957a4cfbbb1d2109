import { type ChildProcess, fork } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { ReaderAnswer, ReaderJob, ReaderRequest } from './messages.ts';
import { UnreadableError } from './unreadable-error.ts';
import { WorkingTime } from './working-time.ts';

export interface ReaderLimits {
  /** Of the whole process. @defaultValue 1 GiB */
  readonly memoryBytes: number;
  /** Of its own heap. @defaultValue 768 */
  readonly heapMib: number;
  /** For indexing, without what its results took elsewhere. @defaultValue 120000 */
  readonly deadlineMs: number;
  /** For a look at one file or page. @defaultValue 30000 */
  readonly lookMs: number;
}

export const readerLimits = {
  memoryBytes: 1024 * 1024 * 1024,
  heapMib: 768,
  deadlineMs: 120_000,
  lookMs: 30_000,
} as const satisfies ReaderLimits;

const ENTRY = fileURLToPath(new URL('./reader-child.ts', import.meta.url));

/** Reading takes whatever time calls leave. */
function yieldToCalls({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has ended already, or the system forbids it.
  }
}

/** One reading process: takes a job at a time. */
export class ReaderProcess {
  readonly #child: ChildProcess;
  readonly #limits: ReaderLimits;
  #overdue = false;
  #rssBytes = 0;
  /** It ended its job by itself: it is well, whatever the file was. */
  #answered = false;

  constructor(limits: ReaderLimits) {
    this.#limits = limits;
    this.#child = fork(ENTRY, [String(limits.memoryBytes)], {
      execArgv: [`--max-old-space-size=${limits.heapMib}`, '--disable-warning=ExperimentalWarning'],
      serialization: 'advanced',
      // It has no business with our secrets, nor our terminal.
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    yieldToCalls(this.#child);
    this.#child.unref();
    this.#child.channel?.unref();
  }

  /** What it held when it last finished a job. */
  get rssBytes(): number {
    return this.#rssBytes;
  }

  get usable(): boolean {
    return this.#child.connected && !this.#child.killed;
  }

  /**
   * Hands each result to `onResult`, whose promise is waited for before the next is made. Rejects with
   * {@link UnreadableError} when the file is refused, or does to the process what is not allowed.
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
    const clock = new WorkingTime(job.kind === 'index' ? deadlineMs : lookMs, () => {
      this.#overdue = true;
      this.kill();
    });
    const abort = () => this.kill();
    signal.addEventListener('abort', abort, { once: true });
    try {
      await this.#converse(job, async (value) => {
        clock.pause();
        await onResult(value);
        clock.resume();
      });
    } catch (error) {
      if (!this.#answered) this.kill();
      signal.throwIfAborted();
      throw error;
    } finally {
      clock.end();
      signal.removeEventListener('abort', abort);
      child.unref();
    }
  }

  kill(): void {
    this.#child.kill('SIGKILL');
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
