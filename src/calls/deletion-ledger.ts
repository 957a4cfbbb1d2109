import { open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { uuidv7 } from '../lib/ids.ts';
import { makePrivateFolder, PRIVATE_FILE } from '../lib/private-files.ts';

const NAME = /^(\d{4}-\d{2}-\d{2})\.[\w-]+\.txt$/;

/**
 * The ids of deleted calls in files beside the recordings, since a database that is restored from a backup knows nothing
 * of what was deleted later. One id a line; each process writes to a file of its own for each day.
 */
export class DeletionLedger {
  readonly #folder: string;
  readonly #process = uuidv7();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Adds ids durably. `day` is that of the deletion, `YYYY-MM-DD`, UTC. */
  async add(day: string, ids: readonly string[]): Promise<void> {
    await makePrivateFolder(this.#folder);
    const file = await open(join(this.#folder, `${day}.${this.#process}.txt`), 'a', PRIVATE_FILE);
    try {
      await file.write(ids.map((id) => `${id}\n`).join(''));
      await file.sync();
    } finally {
      await file.close();
    }
  }

  /** The ids of each day, one day at a time. */
  async *days(): AsyncGenerator<readonly [day: string, ids: ReadonlySet<string>]> {
    await makePrivateFolder(this.#folder);
    const names = (await readdir(this.#folder)).filter((name) => NAME.test(name));
    for (const [day, files] of Map.groupBy(names.toSorted(), (name) => name.slice(0, 10))) {
      const ids = new Set<string>();
      for (const name of files)
        for (const id of (await readFile(join(this.#folder, name), 'utf8')).split('\n'))
          if (id !== '') ids.add(id);
      yield [day, ids];
    }
  }
}
