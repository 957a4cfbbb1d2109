import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import type { AssistantConfig } from '../contract/assistant.ts';
import { uuidv7 } from '../lib/ids.ts';
import { keepVersion, type VersionAuthor } from './assistant-versions.ts';
import type { Db } from './db.ts';
import { InUseError, NotFoundError, VersionConflictError } from './errors.ts';
import { listed, type Narrowing } from './listed.ts';
import { listNumbersOfAssistant } from './numbers.ts';
import { type Page, type PageRequest, toPage } from './page.ts';
import { assistants } from './schema/assistants.ts';
import { openDocument, sealDocument } from './sealing.ts';
import { storableText } from './storable.ts';

export type AssistantRecord = typeof assistants.$inferSelect;

const opened = (db: Db, assistant: AssistantRecord): AssistantRecord => ({
  ...assistant,
  config: openDocument(db, assistant.teamId, assistant.config),
});

interface One {
  readonly teamId: string;
  readonly id: string;
}

const own = ({ teamId, id }: One) => and(eq(assistants.teamId, teamId), eq(assistants.id, id));

/** What an assistant is to use; without a field, anything. */
export interface UsedBy {
  readonly toolId?: string | undefined;
  readonly knowledgeBaseId?: string | undefined;
}

/** What a search looks at: of voices, what names them. */
const SEARCHED = [
  ...['name', 'assistantProvider', 'assistantModel', 'welcomeMessage', 'assistantSystemPrompt'].map(
    (field) => sql`${assistants.config} ->> ${sql.raw(`'${field}'`)}`,
  ),
  sql`${assistants.config} #>> '{config,speech,stt,vendor}'`,
  sql`${assistants.config} #>> '{config,speech,stt,languages}'`,
  sql`jsonb_path_query_array((${assistants.config} #> '{config,speech,ttsData}')::jsonb,
    '$[*] ? (@.enabled == true).* ? (@.type() == "string")')`,
];

/** The condition that an assistant uses a tool: for the whole call, or in a step of its workflow. */
export const usesTool = (toolId: string): SQL =>
  sql`((${assistants.config} -> 'assistantToolIds')::jsonb ? ${toolId}::text
    or jsonb_path_exists(${assistants.config}::jsonb, '$.assistantWorkflow.nodes[*].toolIds[*] ? (@ == $id)',
      jsonb_build_object('id', ${toolId}::text)))`;

const usesKnowledgeBase = (knowledgeBaseId: string): SQL =>
  sql`(${assistants.config} -> 'assistantKnowledgeBaseIds')::jsonb ? ${knowledgeBaseId}::text`;

/** Creates an assistant and its first version. */
export async function createAssistant(
  db: Db,
  params: {
    readonly teamId: string;
    readonly config: AssistantConfig;
    readonly author?: VersionAuthor | undefined;
  },
): Promise<AssistantRecord> {
  const { teamId, config, author } = params;
  const now = new Date();
  return db.transaction(async (tx) => {
    const [row] = await tx
      .insert(assistants)
      .values({
        id: uuidv7(now.getTime()),
        teamId,
        config: sealDocument(db, teamId, config),
        createdAt: now,
        updatedAt: now,
      })
      .returning();
    const assistant = row as AssistantRecord;
    await keepVersion(tx, { assistant, author, note: '', now });
    return opened(db, assistant);
  });
}

export async function findAssistant(db: Db, params: One): Promise<AssistantRecord | undefined> {
  const [assistant] = await db.select().from(assistants).where(own(params));
  return assistant && opened(db, assistant);
}

export async function getAssistant(db: Db, params: One): Promise<AssistantRecord> {
  const assistant = await findAssistant(db, params);
  if (!assistant) throw new NotFoundError('assistant', params.id);
  return assistant;
}

/** An assistant at a version. */
export type AssistantVersion = Pick<AssistantRecord, 'id' | 'version'>;

const versioned = { id: assistants.id, version: assistants.version };

/** The current version of each assistant, in the order given; undefined if the team does not have it. */
export async function findAssistantVersions(
  db: Db,
  params: { readonly wanted: readonly One[] },
): Promise<readonly (AssistantVersion | undefined)[]> {
  const { wanted } = params;
  // The most frequent statement: by the primary key only, without the query builder.
  const ids = sql.param(wanted.map(({ id }) => storableText(id)));
  const { rows } = await db.execute<AssistantVersion & { team_id: string }>(
    sql`select id, team_id, version from assistants where id = any(${ids}::text[])`,
  );
  const found = new Map(rows.map((row) => [row.id, row]));
  return wanted.map(({ teamId, id }) => {
    const row = found.get(id);
    return row?.team_id === teamId ? row : undefined;
  });
}

/**
 * For each team, in the order given, a mark that changes whenever one of its assistants does, made of all ids and
 * versions.
 */
export async function findAssistantsMarks(
  db: Db,
  params: { readonly teamIds: readonly string[] },
): Promise<readonly string[]> {
  const teamIds = sql.param(params.teamIds.map(storableText));
  const rows = await db
    .select({
      teamId: assistants.teamId,
      // A sum does not depend on the order, and as a numeric it cannot overflow.
      mark: sql<string>`count(*) || ' ' || sum(hashtextextended(${assistants.id} || ' ' || ${assistants.version}, 0))`,
    })
    .from(assistants)
    .where(sql`${assistants.teamId} = any(${teamIds}::text[])`)
    .groupBy(assistants.teamId);
  const marks = new Map(rows.map(({ teamId, mark }) => [teamId, mark]));
  return params.teamIds.map((teamId) => marks.get(teamId) ?? 'none');
}

/** Newest first. */
export async function listAssistantVersions(
  db: Db,
  params: { readonly teamId: string } & PageRequest & Narrowing & UsedBy,
): Promise<Page<AssistantVersion>> {
  const { limit, toolId, knowledgeBaseId } = params;
  const query = db
    .select(versioned)
    .from(assistants)
    .where(
      and(
        listed(assistants, params, SEARCHED),
        toolId === undefined ? undefined : usesTool(toolId),
        knowledgeBaseId === undefined ? undefined : usesKnowledgeBase(knowledgeBaseId),
      ),
    )
    .orderBy(desc(assistants.id));
  return toPage(await (limit === undefined ? query : query.limit(limit + 1)), limit);
}

/** The team's assistants with these ids, in no particular order. */
export async function findAssistants(
  db: Db,
  params: { readonly teamId: string; readonly ids: readonly string[] },
): Promise<readonly AssistantRecord[]> {
  const rows = await db
    .select()
    .from(assistants)
    .where(
      and(
        eq(assistants.teamId, params.teamId),
        // The text of the statement does not depend on the number of ids.
        sql`${assistants.id} = any(${sql.param([...params.ids])})`,
      ),
    );
  return rows.map((assistant) => opened(db, assistant));
}

/**
 * Replaces the configuration by a new version. Throws VersionConflictError if `expectedVersion` is given and no longer
 * current.
 */
export async function updateAssistant(
  db: Db,
  params: One & {
    readonly config: AssistantConfig;
    readonly expectedVersion?: number;
    readonly author?: VersionAuthor | undefined;
    readonly note?: string;
  },
): Promise<AssistantRecord> {
  const { config, expectedVersion, author, note = '' } = params;
  const now = new Date();
  return db.transaction(async (tx) => {
    const [assistant] = await tx
      .update(assistants)
      .set({
        config: sealDocument(db, params.teamId, config),
        version: sql`${assistants.version} + 1`,
        latest: sql`${assistants.latest} + 1`,
        published: sql`${assistants.latest} + 1`,
        updatedAt: now,
      })
      .where(
        and(
          own(params),
          expectedVersion === undefined ? undefined : eq(assistants.version, expectedVersion),
        ),
      )
      .returning();
    if (assistant) {
      await keepVersion(tx, { assistant, author, note, now });
      return opened(db, assistant);
    }
    const current = await getAssistant(tx, params);
    throw new VersionConflictError('assistant', params.id, current.version);
  });
}

/** Deletes an assistant. Throws InUseError while a number is attached. */
export async function deleteAssistant(
  db: Db,
  params: One & { readonly expectedVersion?: number },
): Promise<void> {
  const { id, expectedVersion } = params;
  await db.transaction(async (tx) => {
    // Locked first, so that a concurrent attachment of a number waits and then finds the assistant gone.
    const [current] = await tx
      .select({ version: assistants.version })
      .from(assistants)
      .where(own(params))
      .for('update');
    if (!current) throw new NotFoundError('assistant', id);
    if (expectedVersion !== undefined && expectedVersion !== current.version)
      throw new VersionConflictError('assistant', id, current.version);
    const attached = await listNumbersOfAssistant(tx, { assistantId: id });
    if (attached.length > 0)
      throw new InUseError(
        'assistant',
        id,
        attached.map(({ id: numberId, number }) => ({ id: numberId, name: number })),
      );
    await tx.delete(assistants).where(own(params));
  });
}

/** Reads an assistant and locks it until the transaction ends. */
export async function holdAssistant(tx: Db, params: One): Promise<AssistantRecord | undefined> {
  const [assistant] = await tx.select().from(assistants).where(own(params)).for('share');
  return assistant && opened(tx, assistant);
}
