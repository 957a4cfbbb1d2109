import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import type { ToolConfig } from '../contract/tool.ts';
import { uuidv7 } from '../lib/ids.ts';
import { usesTool } from './assistants.ts';
import type { Db } from './db.ts';
import {
  InUseError,
  NameTakenError,
  NotFoundError,
  QueryFailedError,
  VersionConflictError,
} from './errors.ts';
import { listed, type Narrowing } from './listed.ts';
import { type Page, type PageRequest, toPage } from './page.ts';
import { assistants } from './schema/assistants.ts';
import { tools } from './schema/tools.ts';
import { openDocument, sealDocument } from './sealing.ts';

export type ToolRecord = typeof tools.$inferSelect;

const opened = (db: Db, tool: ToolRecord): ToolRecord => ({
  ...tool,
  config: openDocument(db, tool.teamId, tool.config),
});

interface One {
  readonly teamId: string;
  readonly id: string;
}

const own = ({ teamId, id }: One) => and(eq(tools.teamId, teamId), eq(tools.id, id));

export async function createTool(
  db: Db,
  params: { readonly teamId: string; readonly config: ToolConfig },
): Promise<ToolRecord> {
  const { teamId, config } = params;
  const now = new Date();
  const { name } = config.function;
  const [tool] = await db
    .insert(tools)
    .values({
      id: uuidv7(now.getTime()),
      teamId,
      name,
      config: sealDocument(db, teamId, config),
      createdAt: now,
      updatedAt: now,
    })
    .onConflictDoNothing({ target: [tools.teamId, tools.name] })
    .returning();
  if (!tool) throw new NameTakenError('tool', name);
  return opened(db, tool);
}

async function findTool(db: Db, params: One): Promise<ToolRecord | undefined> {
  const [tool] = await db.select().from(tools).where(own(params));
  return tool && opened(db, tool);
}

export async function getTool(db: Db, params: One): Promise<ToolRecord> {
  const tool = await findTool(db, params);
  if (!tool) throw new NotFoundError('tool', params.id);
  return tool;
}

/** Newest first. */
export async function listTools(
  db: Db,
  params: { readonly teamId: string } & PageRequest & Narrowing,
): Promise<Page<ToolRecord>> {
  const { limit } = params;
  const query = db
    .select()
    .from(tools)
    .where(
      listed(tools, params, [
        tools.name,
        sql`${tools.config} #>> '{function,description}'`,
        sql`${tools.config} #>> '{server,url}'`,
      ]),
    )
    .orderBy(desc(tools.id));
  const rows = await (limit === undefined ? query : query.limit(limit + 1));
  return toPage(
    rows.map((tool) => opened(db, tool)),
    limit,
  );
}

/** The team's tools with these ids, oldest first. */
export async function findTools(
  db: Db,
  params: { readonly teamId: string; readonly ids: readonly string[] },
): Promise<readonly ToolRecord[]> {
  if (params.ids.length === 0) return [];
  const rows = await db
    .select()
    .from(tools)
    .where(and(eq(tools.teamId, params.teamId), inArray(tools.id, [...params.ids])))
    .orderBy(tools.id);
  return rows.map((tool) => opened(db, tool));
}

/** The given ids that the team does not have. Those it has cannot be deleted before the transaction ends. */
export async function missingToolIds(
  db: Db,
  params: { readonly teamId: string; readonly ids: readonly string[] },
): Promise<readonly string[]> {
  if (params.ids.length === 0) return [];
  const rows = await db
    .select({ id: tools.id })
    .from(tools)
    .where(and(eq(tools.teamId, params.teamId), inArray(tools.id, [...params.ids])))
    .for('key share');
  const known = new Set(rows.map((row) => row.id));
  return params.ids.filter((id) => !known.has(id));
}

const UNIQUE_VIOLATION = '23505';

/** Replaces the configuration. Throws VersionConflictError if the version is no longer current. */
export async function updateTool(
  db: Db,
  params: One & { readonly config: ToolConfig; readonly expectedVersion: number },
): Promise<ToolRecord> {
  const { config, expectedVersion } = params;
  const { name } = config.function;
  const update = db
    .update(tools)
    .set({
      name,
      config: sealDocument(db, params.teamId, config),
      version: sql`${tools.version} + 1`,
      updatedAt: new Date(),
    })
    .where(and(own(params), eq(tools.version, expectedVersion)))
    .returning();
  const [tool] = await update.catch((error: unknown) => {
    if (error instanceof QueryFailedError && error.sqlState === UNIQUE_VIOLATION)
      throw new NameTakenError('tool', name);
    throw error;
  });
  if (tool) return opened(db, tool);
  const current = await getTool(db, params);
  throw new VersionConflictError('tool', params.id, current.version);
}

/** Deletes a tool. Throws InUseError while an assistant refers to it. */
export async function deleteTool(db: Db, params: One): Promise<void> {
  await db.transaction(async (tx) => {
    // Deleted first, so that a concurrent reference to it waits and then finds it gone.
    const deleted = await tx.delete(tools).where(own(params)).returning({ id: tools.id });
    if (deleted.length === 0) throw new NotFoundError('tool', params.id);
    const users = await tx
      .select({ id: assistants.id, name: sql<string>`${assistants.config} ->> 'name'` })
      .from(assistants)
      .where(and(eq(assistants.teamId, params.teamId), usesTool(params.id)))
      .orderBy(assistants.id)
      .limit(10);
    if (users.length > 0) throw new InUseError('tool', params.id, users);
  });
}
