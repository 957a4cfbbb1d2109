import { TeamBusyError, TeamQueue } from '../../lib/team-queue.ts';
import type { SentFile } from './detect-format.ts';
import type { IndexableDocument, IndexResult, Inspection, ReaderJob } from './messages.ts';
import type { PageLinks } from './read-links.ts';
import { ReaderBusyError } from './reader-busy-error.ts';
import { type ReaderLimits, ReaderProcess, readerLimits } from './reader-process.ts';

export interface FileReaderOptions {
  /** Processes, each of which reads one file at a time; one team gets all but one. @defaultValue 2 */
  readonly processes?: number;
  /** Waiting files of one team at most. @defaultValue 32 */
  readonly maxWaiting?: number;
  readonly limits?: Partial<ReaderLimits>;
}

/** The team whose file is read, and a signal that stops it. */
export interface ReadOptions {
  readonly team: string;
  readonly signal: AbortSignal;
}

const IDLE_MS = 10_000;
/** A process that grew larger is replaced before the next file. */
const KEEP_BELOW_BYTES = 300 * 1024 * 1024;

/** Reads untrusted files in processes with bounds on time and memory. */
export class FileReader {
  readonly #queue: TeamQueue;
  readonly #idle: ReaderProcess[] = [];
  readonly #busy = new Set<ReaderProcess>();
  readonly #limits: ReaderLimits;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(options: FileReaderOptions = {}) {
    this.#queue = new TeamQueue({
      concurrency: options.processes ?? 2,
      maxWaiting: options.maxWaiting ?? 32,
    });
    this.#limits = { ...readerLimits, ...options.limits };
  }

  /** Detects a file's format and whether it is readable. Rejects with UnreadableError if it can't be used. */
  async inspect(path: string, sent: SentFile, options: ReadOptions): Promise<Inspection> {
    let found: Inspection | undefined;
    await this.#run(
      { kind: 'inspect', path, sent: { name: sent.name, declaredType: sent.declaredType } },
      (value) => {
        found = value as Inspection;
      },
      options,
    );
    if (!found) throw new Error('an inspection without a result');
    return found;
  }

  /** Lists the links of an HTML page. */
  async links(path: string, url: string, options: ReadOptions): Promise<PageLinks> {
    let found: PageLinks | undefined;
    const onResult = (value: unknown) => {
      found = value as PageLinks;
    };
    await this.#run({ kind: 'links', path, url }, onResult, options);
    return found ?? { title: '', links: [], noindex: true };
  }

  /** Indexes documents. Each next result is made after `onResult` has settled for the one before. */
  async index(
    documents: readonly IndexableDocument[],
    onResult: (result: IndexResult) => Promise<void>,
    options: ReadOptions,
  ): Promise<void> {
    const job = { kind: 'index', documents } as const;
    await this.#run(job, (value) => onResult(value as IndexResult), options);
  }

  /** Stops all reading; resolves when the processes have ended. */
  async close(): Promise<void> {
    this.#queue.clear();
    clearTimeout(this.#idleTimer);
    const processes = [...this.#idle.splice(0), ...this.#busy];
    await Promise.all(processes.map((process) => process.kill()));
  }

  async #run(
    job: ReaderJob,
    onResult: (value: unknown) => Promise<void> | void,
    { team, signal }: ReadOptions,
  ): Promise<void> {
    try {
      await this.#queue.run(team, () => this.#runNow(job, onResult, signal), signal);
    } catch (error) {
      if (!(error instanceof TeamBusyError)) throw error;
      throw new ReaderBusyError('too many files of this team are being read', { cause: error });
    }
  }

  async #runNow(
    job: ReaderJob,
    onResult: (value: unknown) => Promise<void> | void,
    signal: AbortSignal,
  ): Promise<void> {
    const process = this.#take();
    this.#busy.add(process);
    try {
      await process.run(job, onResult, signal);
    } finally {
      this.#busy.delete(process);
      this.#giveBack(process);
    }
  }

  #take(): ReaderProcess {
    for (let kept = this.#idle.pop(); kept; kept = this.#idle.pop()) if (kept.usable) return kept;
    return new ReaderProcess(this.#limits);
  }

  #giveBack(process: ReaderProcess): void {
    if (!process.usable) return;
    if (process.rssBytes > KEEP_BELOW_BYTES) {
      void process.kill();
      return;
    }
    this.#idle.push(process);
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => {
      for (const idle of this.#idle.splice(0)) void idle.kill();
    }, IDLE_MS);
    this.#idleTimer.unref();
  }
}
