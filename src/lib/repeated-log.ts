import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { RepeatGate } from './repeat-gate.ts';

/** Logs a repeated warning once, and then once a minute with the number of repetitions. */
export class RepeatedLog {
  readonly #log: Pick<Log, 'warn'>;
  readonly #gate: RepeatGate;

  constructor(log: Pick<Log, 'warn'>, clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>) {
    this.#log = log;
    this.#gate = new RepeatGate(clock);
  }

  /** Warnings with the same `key` count as repetitions. */
  warn(key: string, fields: Readonly<Record<string, unknown>>, message: string): void {
    const tell = (repeated: number) => this.#log.warn({ ...fields, repeated }, message);
    if (this.#gate.admit(key, tell)) this.#log.warn(fields, message);
  }

  close(): void {
    this.#gate.close();
  }
}
