import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { closeToOthers, makePrivateFolder, PRIVATE_FILE } from '../lib/private-files.ts';
import type { CallBatch } from '../ports/call-store.ts';
import type { Log } from '../ports/log.ts';
import { writeCallBatch } from '../store/call-batch.ts';
import type { Db } from '../store/db.ts';

const MAX_PER_CALL = 100;

interface UnsavedRecord {
  readonly teamId: string;
  readonly batch: CallBatch;
}

/** A folder for what a call's record could not get into the store before it had to go. */
export class UnsavedRecords {
  readonly #folder: string;
  readonly #log: Log;

  constructor(dataDir: string, log: Log) {
    this.#folder = join(dataDir, 'spill');
    this.#log = log;
  }

  async keep(teamId: string, batch: CallBatch): Promise<void> {
    await makePrivateFolder(this.#folder);
    const name = await this.#freeName(batch.callId);
    // Written aside and moved: what stands under its name is whole.
    const path = join(this.#folder, name);
    await writeFile(`${path}.part`, JSON.stringify({ teamId, batch } satisfies UnsavedRecord), {
      flush: true,
      mode: PRIVATE_FILE,
    });
    await rename(`${path}.part`, path);
    this.#log.error(
      { callId: batch.callId, file: name },
      'the store is away: a record was put aside',
    );
  }

  /** Brings what was put aside into the store; what it will not take stays for the next start. */
  async restore(db: Db): Promise<void> {
    await closeToOthers(this.#folder);
    const names = await readdir(this.#folder);
    for (const name of names.filter((candidate) => candidate.endsWith('.json')).sort()) {
      const path = join(this.#folder, name);
      try {
        const { teamId, batch } = JSON.parse(await readFile(path, 'utf8')) as UnsavedRecord;
        await writeCallBatch(db, { teamId, ...batch });
        await rm(path);
      } catch (error) {
        this.#log.error(
          { err: error, file: name },
          'a record that was put aside could not be restored',
        );
      }
      await delay(0);
    }
  }

  async #freeName(callId: string): Promise<string> {
    const taken = new Set(await readdir(this.#folder));
    for (let n = 0; n < MAX_PER_CALL; n++) {
      const name = `${callId}.${String(n).padStart(3, '0')}.json`;
      if (!taken.has(name)) return name;
    }
    throw new Error(`too many records put aside for ${callId}`);
  }
}
