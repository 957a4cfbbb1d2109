import { ComputePool } from '../../lib/compute-pool.ts';
import type { Connection } from '../../store/pool.ts';
import type { KeptPassages } from './keep-passages.ts';
import type { KeepTask } from './keep-thread.ts';

const DEADLINE_MS = 120_000;

/** Stores the results of trainings on a worker thread, since packing and writing vectors takes long. */
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

  /** Rebuilds a segment's index from its passages. */
  async index(segmentId: string): Promise<void> {
    await this.#run({ kind: 'index', connection: this.#connection, segmentId }, segmentId);
  }

  close(): void {
    this.#pool.close();
  }

  /** Segments take turns. */
  #run(task: KeepTask, segmentId: string): Promise<true> {
    return this.#pool.run(task, { deadlineMs: DEADLINE_MS, team: segmentId });
  }
}
