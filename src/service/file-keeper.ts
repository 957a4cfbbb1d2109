import { type KeepCallFilesDeps, keepCallFiles } from '../calls/keep-call-files.ts';
import { repeat } from '../lib/repeat.ts';
import { RepeatedLog } from '../lib/repeated-log.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';

interface Deps extends Omit<KeepCallFilesDeps, 'log'> {
  /** Brings uploaded files to the bucket. */
  readonly keepFiles: (signal: AbortSignal) => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
}

const EVERY_MS = 5_000;

/** Brings the files of this machine to the bucket, over and over; what fails stays on the disk until the next time. */
export class FileKeeper {
  readonly #deps: Deps;
  readonly #log: RepeatedLog;
  readonly #abort = new AbortController();
  #stop: (() => void) | undefined;
  #round: Promise<void> = Promise.resolve();

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#log = new RepeatedLog(deps.log, deps.clock);
  }

  start(): void {
    this.#stop ??= repeat(this.#deps.clock, EVERY_MS, () => {
      this.#round = this.#bring();
      return this.#round;
    });
  }

  /** Breaks off what is under way: it goes on at the next start. */
  async close(): Promise<void> {
    this.#stop?.();
    this.#abort.abort();
    await this.#round;
    this.#log.close();
  }

  async #bring(): Promise<void> {
    const { signal } = this.#abort;
    await keepCallFiles({ ...this.#deps, log: this.#log }, signal);
    await this.#deps.keepFiles(signal).catch((error) => {
      if (!signal.aborted)
        this.#log.warn('files', { err: error }, 'files could not be brought to the storage');
    });
  }
}
