import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { UnsavedRecord } from '../calls/call-setup.ts';
import { closeToOthers, makePrivateFolder, PRIVATE_FILE } from '../lib/private-files.ts';
import type { Sealer } from '../lib/seal.ts';
import type { Log } from '../ports/log.ts';
import { writeCallBatch } from '../store/call-batch.ts';
import type { Db } from '../store/db.ts';
import { CallTakenError, NotFoundError } from '../store/errors.ts';

const MAX_PER_CALL = 100;

interface Sealing {
  readonly sealer: Sealer;
  /** False: what was sealed earlier is read, and nothing new is sealed. */
  readonly seals: boolean;
}

/** A folder for parts of call records that the store did not accept before their session had to end. */
export class UnsavedRecords {
  readonly #folder: string;
  readonly #log: Log;
  readonly #sealing: Sealing | undefined;

  /** Without `sealing` they are in the clear. */
  constructor(dataDir: string, log: Log, sealing?: Sealing) {
    this.#folder = join(dataDir, 'unsaved-records');
    this.#log = log;
    this.#sealing = sealing;
  }

  async keep(unsaved: UnsavedRecord): Promise<void> {
    const { callId } = unsaved.batch;
    await makePrivateFolder(this.#folder);
    const name = await this.#freeName(callId);
    // Renamed once complete, so that no file under its final name is truncated.
    const path = join(this.#folder, name);
    const { teamId, ...rest } = unsaved;
    // The keys of teams are in the store, which cannot be reached.
    const content = this.#sealing?.seals
      ? { sealed: this.#sealing.sealer.seal(JSON.stringify(rest), teamId) }
      : rest;
    await writeFile(`${path}.part`, JSON.stringify({ teamId, ...content }), {
      flush: true,
      mode: PRIVATE_FILE,
    });
    await rename(`${path}.part`, path);
    this.#log.error(
      { callId, file: name },
      'the store is unavailable: a record was saved to a file',
    );
  }

  /** Writes the saved records to the store; those it rejects are kept for the next start, unless nobody wants them. */
  async restore(db: Db): Promise<void> {
    await closeToOthers(this.#folder);
    const names = await readdir(this.#folder);
    for (const name of names.filter((candidate) => candidate.endsWith('.json')).sort()) {
      const path = join(this.#folder, name);
      try {
        const { teamId, epoch, batch } = this.#opened(await readFile(path, 'utf8'));
        await writeCallBatch(db, { teamId, epoch, ...batch }).catch((error: unknown) => {
          if (!isUnwanted(error)) throw error;
          this.#log.warn({ err: error, file: name }, 'a record saved to a file came too late');
        });
        await rm(path);
      } catch (error) {
        this.#log.error(
          { err: error, file: name },
          'a record saved to a file could not be restored',
        );
      }
      await delay(0);
    }
  }

  /** Removes the records of a team, half-written ones too. */
  async removeOfTeam(teamId: string): Promise<void> {
    await makePrivateFolder(this.#folder);
    for (const name of await readdir(this.#folder)) {
      const path = join(this.#folder, name);
      const text = await readFile(path, 'utf8').catch(() => '');
      // A damaged file cannot be parsed; the team stands at its beginning.
      if (text.startsWith(beginningOf(teamId))) await rm(path, { force: true });
    }
  }

  /** Removes the records of a call. */
  async removeOfCall(callId: string): Promise<void> {
    await makePrivateFolder(this.#folder);
    for (const name of await readdir(this.#folder))
      if (name.startsWith(`${callId}.`)) await rm(join(this.#folder, name), { force: true });
  }

  #opened(text: string): UnsavedRecord {
    const record = JSON.parse(text) as UnsavedRecord & { readonly sealed?: string };
    const { teamId, sealed } = record;
    if (sealed === undefined) return record;
    if (!this.#sealing) throw new Error('there is no key for it here');
    return { teamId, ...JSON.parse(this.#sealing.sealer.open(sealed, teamId)) };
  }

  async #freeName(callId: string): Promise<string> {
    const taken = new Set(await readdir(this.#folder));
    for (let n = 0; n < MAX_PER_CALL; n++) {
      const name = `${callId}.${String(n).padStart(3, '0')}.json`;
      if (!taken.has(name)) return name;
    }
    throw new Error(`too many unsaved records of call ${callId}`);
  }
}

/** Another process has gone on with the call or has ended it, or the call was deleted. */
const isUnwanted = (error: unknown): boolean =>
  error instanceof CallTakenError || error instanceof NotFoundError;

const beginningOf = (teamId: string): string => `{"teamId":${JSON.stringify(teamId)},`;
