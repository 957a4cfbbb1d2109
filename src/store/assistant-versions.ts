import { and, desc, eq, getTableColumns, lt, lte, notExists, sql } from 'drizzle-orm';
import type { AssistantConfig } from '../contract/assistant.ts';
import { MAX_VERSIONS } from '../contract/assistant-version.ts';
import { uuidv7 } from '../lib/ids.ts';
import type { Db } from './db.ts';
import { InUseError, NotFoundError } from './errors.ts';
import { type Page, type PageRequest, toPage } from './page.ts';
import {
  assistantLabels,
  assistants,
  assistantVersions,
  type VersionAuthor,
} from './schema/assistants.ts';
import { numbers } from './schema/numbers.ts';
import { openDocument, sealDocument } from './sealing.ts';

export type { VersionAuthor };

type AssistantRow = typeof assistants.$inferSelect;
type Row = typeof assistantVersions.$inferSelect;

/** A version without its configuration. */
export type VersionRecord = Omit<Row, 'config'> & {
  readonly published: boolean;
  readonly labels: readonly string[];
};

interface One {
  readonly teamId: string;
  readonly id: string;
}

const { config: _config, ...shown } = getTableColumns(assistantVersions);

const ofAssistant = ({ teamId, id }: One) =>
  and(eq(assistantVersions.teamId, teamId), eq(assistantVersions.assistantId, id));

/** Keeps the configuration of a row that was just written as its latest version; its secrets are sealed already. */
export async function keepVersion(
  tx: Db,
  params: {
    readonly assistant: Pick<AssistantRow, 'id' | 'teamId' | 'config' | 'latest' | 'published'>;
    readonly author: VersionAuthor | undefined;
    readonly note: string;
    readonly now: Date;
  },
): Promise<Row> {
  const { assistant, author = null, note, now } = params;
  const { id: assistantId, teamId, config, latest: number, published } = assistant;
  const [row] = await tx
    .insert(assistantVersions)
    .values({
      id: uuidv7(now.getTime()),
      ...{ teamId, assistantId, number, config, author, note, createdAt: now },
    })
    .returning();
  if (number > MAX_VERSIONS) await forgetOldVersions(tx, { assistantId, number, published });
  return row as Row;
}

/** Deletes versions beyond the last {@link MAX_VERSIONS}, but for those that somebody names. */
async function forgetOldVersions(
  tx: Db,
  params: { readonly assistantId: string; readonly number: number; readonly published: number },
): Promise<void> {
  const { assistantId, number, published } = params;
  const named = tx
    .select({ one: sql`1` })
    .from(assistantLabels)
    .where(
      and(
        eq(assistantLabels.assistantId, assistantId),
        eq(assistantLabels.number, assistantVersions.number),
      ),
    );
  const answering = tx
    .select({ one: sql`1` })
    .from(numbers)
    .where(
      and(
        eq(numbers.assistantId, assistantId),
        eq(numbers.assistantVersion, sql`${assistantVersions.number}::text`),
      ),
    );
  await tx
    .delete(assistantVersions)
    .where(
      and(
        eq(assistantVersions.assistantId, assistantId),
        lte(assistantVersions.number, number - MAX_VERSIONS),
        sql`${assistantVersions.number} <> ${published}`,
        notExists(named),
        notExists(answering),
      ),
    );
}

/** Saves a configuration as a version that is not published. Throws NotFoundError. */
export async function createDraft(
  db: Db,
  params: One & {
    readonly config: AssistantConfig;
    readonly author: VersionAuthor | undefined;
    readonly note: string;
  },
): Promise<VersionRecord> {
  const { teamId, id, author, note } = params;
  const config = sealDocument(db, teamId, params.config);
  return db.transaction(async (tx) => {
    const [assistant] = await tx
      .update(assistants)
      .set({ latest: sql`${assistants.latest} + 1` })
      .where(and(eq(assistants.teamId, teamId), eq(assistants.id, id)))
      .returning();
    if (!assistant) throw new NotFoundError('assistant', id);
    const row = { ...assistant, config };
    const kept = await keepVersion(tx, { assistant: row, author, note, now: new Date() });
    return { ...kept, published: false, labels: [] };
  });
}

/** Newest first. Throws NotFoundError. */
export async function listVersions(
  db: Db,
  params: One & PageRequest,
): Promise<Page<VersionRecord>> {
  const { limit, cursor } = params;
  const assistant = await getRow(db, params);
  const query = db
    .select(shown)
    .from(assistantVersions)
    .where(
      and(ofAssistant(params), cursor === undefined ? undefined : lt(assistantVersions.id, cursor)),
    )
    .orderBy(desc(assistantVersions.id));
  const page = toPage(await (limit === undefined ? query : query.limit(limit + 1)), limit);
  const labels = await labelsOf(db, params.id);
  return { ...page, items: page.items.map((row) => described(row, assistant, labels)) };
}

/**
 * A version by its number or a label; an empty name is the published one. Undefined if the team has no such assistant
 * or it has no such version.
 */
export async function findVersion(
  db: Db,
  params: One & { readonly name: string },
): Promise<(VersionRecord & { readonly config: AssistantConfig }) | undefined> {
  const { teamId, id, name } = params;
  const [assistant] = await db
    .select()
    .from(assistants)
    .where(and(eq(assistants.teamId, teamId), eq(assistants.id, id)));
  if (!assistant) return undefined;
  const labels = await labelsOf(db, id);
  const number =
    name === ''
      ? assistant.published
      : /^\d+$/.test(name)
        ? Number(name)
        : labels.find(({ label }) => label === name)?.number;
  if (number === undefined) return undefined;
  const [row] = await db
    .select()
    .from(assistantVersions)
    .where(and(ofAssistant(params), eq(assistantVersions.number, number)));
  if (!row) return undefined;
  const config = openDocument(db, teamId, row.config);
  return { ...described(row, assistant, labels), config };
}

/** Throws NotFoundError. */
export async function getVersion(
  db: Db,
  params: One & { readonly name: string },
): Promise<VersionRecord & { readonly config: AssistantConfig }> {
  const found = await findVersion(db, params);
  if (found) return found;
  await getRow(db, params);
  throw new NotFoundError('assistant-version', params.name);
}

/** Makes the configuration of a version that of the assistant. */
export async function publishVersion(
  tx: Db,
  params: One & { readonly number: number },
): Promise<AssistantRow> {
  const { teamId, id, number } = params;
  const [row] = await tx
    .select({ config: assistantVersions.config })
    .from(assistantVersions)
    .where(and(ofAssistant(params), eq(assistantVersions.number, number)));
  if (!row) throw new NotFoundError('assistant-version', String(number));
  const [assistant] = await tx
    .update(assistants)
    .set({
      config: row.config,
      published: number,
      version: sql`${assistants.version} + 1`,
      updatedAt: new Date(),
    })
    .where(and(eq(assistants.teamId, teamId), eq(assistants.id, id)))
    .returning();
  if (!assistant) throw new NotFoundError('assistant', id);
  return { ...assistant, config: openDocument(tx, teamId, assistant.config) };
}

/** Gives a version a label; another version of the assistant loses it. Throws NotFoundError. */
export async function setLabel(
  db: Db,
  params: One & { readonly label: string; readonly number: number },
): Promise<VersionRecord> {
  const { id: assistantId, label, number } = params;
  return db.transaction(async (tx) => {
    // Held, so that the version is not forgotten meanwhile.
    await holdRow(tx, params);
    await getVersion(tx, { ...params, name: String(number) });
    await tx
      .insert(assistantLabels)
      .values({ assistantId, label, number })
      .onConflictDoUpdate({
        target: [assistantLabels.assistantId, assistantLabels.label],
        set: { number },
      });
    return getVersion(tx, { ...params, name: label });
  });
}

/** Removes a label; returns the version that had it. Throws InUseError while a number names it, and NotFoundError. */
export async function removeLabel(
  db: Db,
  params: One & { readonly label: string },
): Promise<VersionRecord> {
  const { id: assistantId, label } = params;
  return db.transaction(async (tx) => {
    await holdRow(tx, params);
    const users = await tx
      .select({ id: numbers.id, name: numbers.number })
      .from(numbers)
      .where(and(eq(numbers.assistantId, assistantId), eq(numbers.assistantVersion, label)));
    if (users.length > 0) throw new InUseError('assistant-version', label, users);
    const [gone] = await tx
      .delete(assistantLabels)
      .where(and(eq(assistantLabels.assistantId, assistantId), eq(assistantLabels.label, label)))
      .returning();
    if (!gone) throw new NotFoundError('assistant-version', label);
    return getVersion(tx, { ...params, name: String(gone.number) });
  });
}

async function getRow(db: Db, { teamId, id }: One): Promise<Pick<AssistantRow, 'published'>> {
  const [row] = await db
    .select({ published: assistants.published })
    .from(assistants)
    .where(and(eq(assistants.teamId, teamId), eq(assistants.id, id)));
  if (!row) throw new NotFoundError('assistant', id);
  return row;
}

/** Locks the assistant until the transaction ends. Throws NotFoundError. */
async function holdRow(tx: Db, { teamId, id }: One): Promise<void> {
  const [row] = await tx
    .select({ id: assistants.id })
    .from(assistants)
    .where(and(eq(assistants.teamId, teamId), eq(assistants.id, id)))
    .for('update');
  if (!row) throw new NotFoundError('assistant', id);
}

type Label = typeof assistantLabels.$inferSelect;

const labelsOf = (db: Db, assistantId: string): Promise<Label[]> =>
  db.select().from(assistantLabels).where(eq(assistantLabels.assistantId, assistantId));

const described = <R extends Pick<Row, 'number'>>(
  row: R,
  { published }: Pick<AssistantRow, 'published'>,
  labels: readonly Label[],
) => ({
  ...row,
  published: row.number === published,
  labels: labels.filter(({ number }) => number === row.number).map(({ label }) => label),
});
