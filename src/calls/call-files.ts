import type { ContentFile } from '../lib/content-file.ts';
import { isMissing } from '../lib/disk-errors.ts';
import { SealedFileError } from '../lib/sealed-bytes.ts';
import {
  contentOf,
  createContentFile,
  openContentFile,
  sealingKeyIn,
  sealingKeyOf,
} from '../lib/sealed-file.ts';
import type { LinkOptions } from '../ports/download.ts';
import { currentTeamKey } from '../store/current-team-key.ts';
import type { Db } from '../store/db.ts';
import { type TeamKey, TeamKeyring } from '../store/team-keyring.ts';
import { findTeamKey } from '../store/team-keys.ts';
import { type KeptFiles, keptOnDisk } from './kept-files.ts';

/** Recordings and transcripts as files, encrypted or not, on disk and, once they are complete, where they are kept. */
export interface CallFiles {
  /** Creates a file of a team, or empties it. */
  create(path: string, teamId: string): Promise<ContentFile>;
  /** Throws SealedFileError if the key of the file was thrown away. */
  open(path: string, flags: 'r' | 'r+'): Promise<ContentFile>;
  /** The id of the key that a file is sealed with; undefined for a file in the clear. */
  sealingKeyOf(path: string): Promise<string | undefined>;
  /** Brings a complete file from the disk to where it is kept. */
  keep(path: string, signal: AbortSignal): Promise<void>;
  /** Removes a file wherever it is; one that is gone is no error. */
  remove(path: string): Promise<void>;
  /** An address at which anybody may download a file for some time; undefined if there can be none. */
  link(path: string, options: LinkOptions): Promise<string | undefined>;
}

interface Deps {
  readonly db: Db;
  readonly now: () => number;
  /** New files are encrypted. Those that are there are read in either case. */
  readonly encrypts: boolean;
  /** Where complete files are kept (default: on disk). */
  readonly kept?: KeptFiles;
}

/** Files under keys of their teams. */
export class TeamFiles implements CallFiles {
  readonly #deps: Deps;
  readonly #keyring: TeamKeyring;
  readonly #kept: KeptFiles;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#kept = deps.kept ?? keptOnDisk;
    this.#keyring = new TeamKeyring(deps.now);
  }

  async create(path: string, teamId: string): Promise<ContentFile> {
    return createContentFile(path, this.#deps.encrypts ? await this.currentKey(teamId) : undefined);
  }

  async open(path: string, flags: 'r' | 'r+'): Promise<ContentFile> {
    const findKey = (id: string) => this.#find(id);
    try {
      return await openContentFile(path, flags, findKey);
    } catch (error) {
      // What is not on this disk any more was complete, and is only read.
      const kept = flags === 'r' && isMissing(error) ? await this.#kept.open(path) : undefined;
      if (!kept) throw error;
      return contentOf(kept, flags, findKey);
    }
  }

  async sealingKeyOf(path: string): Promise<string | undefined> {
    try {
      return await sealingKeyOf(path);
    } catch (error) {
      const kept = isMissing(error) ? await this.#kept.open(path) : undefined;
      if (!kept) throw error;
      return sealingKeyIn(kept);
    }
  }

  keep(path: string, signal: AbortSignal): Promise<void> {
    return this.#kept.keep(path, signal);
  }

  remove(path: string): Promise<void> {
    return this.#kept.remove(path);
  }

  async link(path: string, options: LinkOptions): Promise<string | undefined> {
    const kept = await this.#kept.open(path);
    // What is encrypted nobody else can read.
    return kept && !(await sealingKeyIn(kept)) ? this.#kept.link(path, options) : undefined;
  }

  /** The key that encrypts new files of the team. */
  async currentKey(teamId: string): Promise<TeamKey> {
    return this.#keyring.current(teamId, () => currentTeamKey(this.#deps.db, { teamId }));
  }

  async #find(id: string): Promise<Buffer> {
    const key = await this.#keyring.find(id, () => findTeamKey(this.#deps.db, { id }));
    if (!key) throw new SealedFileError('the key of an encrypted file was thrown away');
    return key.bytes;
  }
}
