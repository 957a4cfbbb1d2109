import { ComputePool } from '../lib/compute-pool.ts';
import type { IdleRule } from '../lib/idle-end.ts';
import type { AnalyseTask, TextFindings } from './analyse-texts.ts';

const THREADS = 2;
/** Each live call of a team has at most one task. */
const MAX_WAITING_PER_TEAM = 2000;
const HEAP_MIB = 192;
const CPU_MS = 3_000;
const DEADLINE_MS = 15_000;

/** Finds what is to be taken out of texts, on threads of its own: callers and tools may say as much as they like. */
export class TextAnalyser {
  readonly #pool: ComputePool<AnalyseTask, readonly TextFindings[]>;

  constructor({ idle = {} }: { readonly idle?: IdleRule } = {}) {
    this.#pool = new ComputePool({
      entry: new URL('./redaction-thread.ts', import.meta.url),
      threads: THREADS,
      maxWaitingPerTeam: MAX_WAITING_PER_TEAM,
      heapMib: HEAP_MIB,
      idle,
    });
  }

  /** Resolves with the findings in the order of the texts. Rejects with ComputeError if that takes too long. */
  analyse(task: AnalyseTask, team: string): Promise<readonly TextFindings[]> {
    return this.#pool.run(task, { cpuMs: CPU_MS, deadlineMs: DEADLINE_MS, team });
  }

  /** Aborts what is running. */
  close(): void {
    this.#pool.close();
  }
}
