import { Problem } from '../contract/errors.ts';
import { ComputeError, ComputePool } from '../lib/compute-pool.ts';
import type { IdleRule } from '../lib/idle-end.ts';
import type { ParsedTests } from './parse-tests.ts';
import type { PastCall } from './past-call.ts';
import type { TestsTask } from './read-tests-thread.ts';
import type { TestsOfCalls } from './without-calls.ts';

const LIMITS = { cpuMs: 3_000, deadlineMs: 20_000 };
const THREADS = 2;
const MAX_WAITING_PER_TEAM = 20;

/** Reads and writes texts of tests on threads of their own: a long one would hold up the thread that carries sound. */
export class TestReader {
  readonly #pool: ComputePool<TestsTask, ParsedTests | string | null>;

  constructor({ idle = {} }: { readonly idle?: IdleRule } = {}) {
    this.#pool = new ComputePool({
      entry: new URL('./read-tests-thread.ts', import.meta.url),
      threads: THREADS,
      maxWaitingPerTeam: MAX_WAITING_PER_TEAM,
      idle,
    });
  }

  /** Rejects with Problem if the text takes too long to read. */
  async read(source: string, team: string, signal?: AbortSignal): Promise<ParsedTests> {
    return (await this.#run(source, team, signal)) as ParsedTests;
  }

  /** The text without the tests that were made of these calls; null if none is left. Rejects as `read` does. */
  async withoutCalls(task: TestsOfCalls, team: string, signal: AbortSignal) {
    return (await this.#run(task, team, signal)) as string | null;
  }

  /** A call as a test. Rejects as `read` does. */
  async ofCall(call: PastCall, team: string): Promise<string> {
    return (await this.#run(call, team, undefined)) as string;
  }

  async #run(task: TestsTask, team: string, signal: AbortSignal | undefined) {
    try {
      return await this.#pool.run(task, { ...LIMITS, team, ...(signal ? { signal } : {}) });
    } catch (error) {
      if (!(error instanceof ComputeError) || error.code === 'closed') throw error;
      if (error.code === 'busy' || error.code === 'overdue') {
        const message = 'Too many tests are being read at the moment';
        throw new Problem({ kind: 'unavailable', message, retryAfterSeconds: 2, cause: error });
      }
      const faults = [{ path: 'source', message: 'takes too long to read' }];
      throw new Problem({ kind: 'invalid', message: 'Validation failed', faults, cause: error });
    }
  }

  close(): void {
    this.#pool.close();
  }
}
