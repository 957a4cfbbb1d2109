import { ComputePool } from '../../lib/compute-pool.ts';
import type { Connection } from '../../store/pool.ts';
import type { KeptPassages } from './keep-passages.ts';
import type { KeepTask } from './keep-thread.ts';

const DEADLINE_MS = 120_000;

/** Keeps what trainings make, on a thread of its own: packing vectors and writing them out takes its time. */
export class KeepService {
  readonly #pool: ComputePool<KeepTask, true>;
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#pool = new ComputePool({
      entry: new URL('./keep-thread.ts', import.meta.url),
      threads: 1,
      heapMib: 512,
    });
  }

  async keep(kept: KeptPassages): Promise<void> {
    await this.#run({ kind: 'keep', connection: this.#connection, kept }, kept.segmentId);
  }

  /** Makes the index of a segment anew from its passages. */
  async index(segmentId: string): Promise<void> {
    await this.#run({ kind: 'index', connection: this.#connection, segmentId }, segmentId);
  }

  close(): void {
    this.#pool.close();
  }

  /** Each segment has its turn. */
  #run(task: KeepTask, segmentId: string): Promise<true> {
    return this.#pool.run(task, { deadlineMs: DEADLINE_MS, team: segmentId });
  }
}
