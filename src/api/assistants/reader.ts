import {
  type AssistantRecord,
  type AssistantVersion,
  findAssistants,
  findAssistantsMarks,
  findAssistantVersions,
  listAssistantVersions,
  type UsedBy,
} from '../../store/assistants.ts';
import type { Db } from '../../store/db.ts';
import { NotFoundError } from '../../store/errors.ts';
import type { Narrowing } from '../../store/listed.ts';
import type { PageRequest } from '../../store/page.ts';
import { hideServerSecrets } from '../../store/server-secrets.ts';
import { BodyCache, type JsonBody } from '../body-cache.ts';
import { Coalescer } from '../coalescer.ts';
import { entityTag } from '../entity-tag.ts';
import { arrayOfJson } from '../json-list.ts';
import { foundInPortions, PortionSize } from '../portions.ts';
import { presentAssistant } from './present.ts';

/** For whom it is read. */
interface Reader {
  readonly teamId: string;
  /** False leaves the secrets of servers empty. */
  readonly seesSecrets: boolean;
}

interface One extends Reader {
  readonly id: string;
}

type List = Reader &
  PageRequest &
  Narrowing &
  UsedBy & { /** Separated by commas; absent: all. */ readonly fields?: string | undefined };

/** A list of assistants as a JSON array, newest first. */
interface ListBody {
  readonly bytes: Buffer;
  readonly nextCursor?: string;
}

const MAX_BODIES_BYTES = 4 * 1024 * 1024;
const MAX_LISTS_BYTES = 8 * 1024 * 1024;

/**
 * Reads assistants as JSON. Each read asks the store for current versions: that of an assistant, or the mark of a team,
 * which changes with any of its assistants. The JSON is cached by version.
 */
export class AssistantReader {
  readonly #db: Db;
  readonly #versions: Coalescer<
    { readonly teamId: string; readonly id: string },
    AssistantVersion | undefined
  >;
  readonly #marks: Coalescer<string, string>;
  readonly #bodies = new BodyCache<JsonBody>(MAX_BODIES_BYTES);
  readonly #lists = new BodyCache<ListBody>(MAX_LISTS_BYTES);
  readonly #loading = new Map<string, Promise<ListBody>>();

  constructor(db: Db) {
    this.#db = db;
    this.#versions = new Coalescer((wanted) => findAssistantVersions(db, { wanted }));
    this.#marks = new Coalescer((teamIds) => findAssistantsMarks(db, { teamIds }));
  }

  async get(params: One): Promise<JsonBody> {
    const version = await this.#versions.get({ teamId: params.teamId, id: params.id });
    const [body] = version ? await this.#bodiesOf(this.#db, params, [version]) : [];
    if (body === undefined) throw new NotFoundError('assistant', params.id);
    return body;
  }

  async list(params: List): Promise<ListBody> {
    const key = listKey(params, await this.#marks.get(params.teamId));
    const known = this.#lists.get(key) ?? this.#loading.get(key);
    if (known) return known;
    const loading = this.#load(params).finally(() => this.#loading.delete(key));
    this.#loading.set(key, loading);
    return loading;
  }

  /** Reads a list and its mark in one snapshot of the store, so that they match. */
  #load(params: List): Promise<ListBody> {
    const { teamId } = params;
    const work = async (tx: Db): Promise<ListBody> => {
      const [mark = ''] = await findAssistantsMarks(tx, { teamIds: [teamId] });
      const { items, nextCursor } = await listAssistantVersions(tx, params);
      const bodies = await this.#bodiesOf(tx, params, items);
      const list = {
        bytes: arrayOfJson(bodies.map(({ bytes }) => picked(bytes, params.fields))),
        ...(nextCursor === undefined ? {} : { nextCursor }),
      };
      this.#lists.set(listKey(params, mark), list);
      return list;
    };
    return this.#db.transaction(work, { isolationLevel: 'repeatable read' });
  }

  async #bodiesOf(
    db: Db,
    reader: Reader,
    versions: readonly AssistantVersion[],
  ): Promise<JsonBody[]> {
    const bodies = versions.map((version) => this.#bodies.get(keyOf(version, reader)));
    const ids = versions.filter((_, i) => bodies[i] === undefined).map(({ id }) => id);
    const fresh = new Map<string, JsonBody>();
    const find = (some: readonly string[]) =>
      findAssistants(db, { teamId: reader.teamId, ids: some });
    const size = new PortionSize();
    for await (const records of foundInPortions(ids, find)(size)) {
      const kept = records.map((record) => ({ id: record.id, body: this.#keep(record, reader) }));
      for (const { id, body } of kept) fresh.set(id, body);
      size.wrote(
        kept.length,
        kept.reduce((sum, { body }) => sum + body.bytes.length, 0),
      );
    }
    for (const [i, { id }] of versions.entries()) bodies[i] ??= fresh.get(id);
    // An assistant may have been deleted between the two queries.
    return bodies.filter((body) => body !== undefined);
  }

  #keep(record: AssistantRecord, reader: Reader): JsonBody {
    const assistant = presentAssistant(record);
    const json = JSON.stringify(reader.seesSecrets ? assistant : hideServerSecrets(assistant));
    const body = { bytes: Buffer.from(json), tag: entityTag(json) };
    this.#bodies.set(keyOf(record, reader), body);
    return body;
  }
}

const keyOf = ({ id, version }: AssistantVersion, { seesSecrets }: Reader) =>
  `${id} ${version} ${seesSecrets}`;

const listKey = (params: List, mark: string) => {
  const { teamId, seesSecrets, limit, cursor, fields, search, ids, toolId, knowledgeBaseId } =
    params;
  const wanted = [limit, cursor, fields, search, ids, toolId, knowledgeBaseId];
  return JSON.stringify([teamId, seesSecrets, ...wanted, mark]);
};

/** An assistant's JSON with the wanted fields alone. */
function picked(json: Buffer, fields: string | undefined): Buffer {
  if (fields === undefined) return json;
  const assistant = JSON.parse(json.toString()) as Readonly<Record<string, unknown>>;
  const names = new Set(['_id', 'name', ...fields.split(',')]);
  return Buffer.from(
    JSON.stringify(Object.fromEntries([...names].map((name) => [name, assistant[name]]))),
  );
}
