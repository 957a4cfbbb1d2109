import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Child } from './child.ts';
import type { CanaryApi, Gap } from './messages.ts';

const run = promisify(execFile);
const CANARY = join(import.meta.dirname, 'canary.ts');

/** Tells when the machine itself stood still, as a virtual one does whose core is given to another. */
export class Canaries {
  readonly #canaries: readonly Child<CanaryApi>[];

  private constructor(canaries: readonly Child<CanaryApi>[]) {
    this.#canaries = canaries;
  }

  /** One on each core, in real time. Without the right to that there is none: then nothing is known of the machine. */
  static async start(): Promise<Canaries> {
    const canaries: Child<CanaryApi>[] = [];
    try {
      for (let core = 0; core < availableParallelism(); core++) {
        const canary = new Child<CanaryApi>(CANARY);
        canaries.push(canary);
        const pid = String(canary.process.pid);
        await run('taskset', ['-a', '-c', '-p', String(core), pid]);
        await run('chrt', ['-a', '-f', '-p', '50', pid]);
      }
      return new Canaries(canaries);
    } catch (error) {
      console.log(`what the machine loses to others is not known: ${(error as Error).message}`);
      for (const canary of canaries) await canary.stop();
      return new Canaries([]);
    }
  }

  async reset(): Promise<void> {
    for (const canary of this.#canaries) await canary.ask('reset');
  }

  async report(): Promise<readonly Gap[]> {
    const reports = await Promise.all(this.#canaries.map((canary) => canary.ask('report')));
    return reports.flat();
  }

  async stop(): Promise<void> {
    for (const canary of this.#canaries) await canary.stop();
  }
}
