import {
  type AssistantRecord,
  type AssistantVersion,
  findAssistants,
  findAssistantVersions,
  listAssistantVersions,
} from '../../store/assistants.ts';
import type { Db } from '../../store/db.ts';
import { NotFoundError } from '../../store/errors.ts';
import type { Page, PageRequest } from '../../store/page.ts';
import { Coalescer } from '../coalescer.ts';
import { TextCache } from '../text-cache.ts';
import { presentAssistant } from './present.ts';

interface One {
  readonly teamId: string;
  readonly id: string;
}

const MAX_CACHED_CHARS = 16 * 1024 * 1024;

/**
 * Reads assistants as JSON text. The store is always asked which version stands; the text of a version
 * never changes, so it is made once and kept.
 */
export class AssistantReader {
  readonly #db: Db;
  readonly #versions: Coalescer<One, AssistantVersion | undefined>;
  readonly #texts = new TextCache(MAX_CACHED_CHARS);

  constructor(db: Db) {
    this.#db = db;
    this.#versions = new Coalescer((wanted) => findAssistantVersions(db, { wanted }));
  }

  async get(params: One): Promise<string> {
    const version = await this.#versions.get(params);
    const [text] = version ? await this.#textsOf(params.teamId, [version]) : [];
    if (text === undefined) throw new NotFoundError('assistant', params.id);
    return text;
  }

  /** A JSON array, newest first. */
  async list(params: { readonly teamId: string } & PageRequest): Promise<Page<string>> {
    const { items, nextCursor } = await listAssistantVersions(this.#db, params);
    const texts = await this.#textsOf(params.teamId, items);
    return { items: texts, ...(nextCursor === undefined ? {} : { nextCursor }) };
  }

  async #textsOf(teamId: string, versions: readonly AssistantVersion[]): Promise<string[]> {
    const texts = versions.map((version) => this.#texts.get(keyOf(version)));
    const ids = versions.filter((_, i) => texts[i] === undefined).map(({ id }) => id);
    if (ids.length > 0) {
      const records = await findAssistants(this.#db, { teamId, ids });
      const fresh = new Map(records.map((record) => [record.id, this.#keep(record)]));
      for (const [i, { id }] of versions.entries()) texts[i] ??= fresh.get(id);
    }
    // One that was deleted between the two questions is not there.
    return texts.filter((text) => text !== undefined);
  }

  #keep(record: AssistantRecord): string {
    const text = JSON.stringify(presentAssistant(record));
    this.#texts.set(keyOf(record), text);
    return text;
  }
}

const keyOf = ({ id, version }: AssistantVersion) => `${id} ${version}`;
