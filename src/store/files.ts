import { and, asc, desc, eq, inArray, lt, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { FileAttachedError, NotFoundError } from './errors.ts';
import { type Page, type PageRequest, toPage } from './page.ts';
import { files } from './schema/files.ts';
import { knowledgeBases } from './schema/knowledge.ts';

/** An uploaded file without its bytes. */
export type StoredFile = typeof files.$inferSelect;

interface One {
  readonly teamId: string;
  readonly id: string;
}

const own = ({ teamId, id }: One) => and(eq(files.teamId, teamId), eq(files.id, id));

/** Creates a file's row. The id is given, since the bytes are stored under it first. */
export async function createFile(db: Db, file: Omit<StoredFile, 'createdAt'>): Promise<StoredFile> {
  const [created] = await db
    .insert(files)
    .values({ ...file, createdAt: new Date() })
    .returning();
  return created as StoredFile;
}

export async function getFile(db: Db, params: One): Promise<StoredFile> {
  const [file] = await db.select().from(files).where(own(params));
  if (!file) throw new NotFoundError('file', params.id);
  return file;
}

/** Newest first. */
export async function listFiles(
  db: Db,
  params: { readonly teamId: string } & PageRequest,
): Promise<Page<StoredFile>> {
  const { teamId, limit, cursor } = params;
  const query = db
    .select()
    .from(files)
    .where(and(eq(files.teamId, teamId), cursor === undefined ? undefined : lt(files.id, cursor)))
    .orderBy(desc(files.id));
  return toPage(await (limit === undefined ? query : query.limit(limit + 1)), limit);
}

/**
 * The team's files with these ids, in no particular order. They cannot be deleted before the transaction ends, so they
 * can be attached to a knowledge base.
 */
export async function findFiles(
  db: Db,
  params: { readonly teamId: string; readonly ids: readonly string[] },
): Promise<readonly StoredFile[]> {
  if (params.ids.length === 0) return [];
  return db
    .select()
    .from(files)
    .where(and(eq(files.teamId, params.teamId), inArray(files.id, [...params.ids])))
    .for('key share');
}

/** The given ids that exist in any team. */
export async function knownFileIds(db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .select({ id: files.id })
    .from(files)
    .where(inArray(files.id, [...ids]));
  return new Set(rows.map(({ id }) => id));
}

/** Deletes a file. Throws {@link FileAttachedError}, which lists the knowledge bases it is attached to. */
export async function deleteFile(db: Db, params: One): Promise<void> {
  const { teamId, id } = params;
  await db.transaction(async (tx) => {
    // A concurrent attachment holds this row, so it is visible below.
    const [file] = await tx.select({ id: files.id }).from(files).where(own(params)).for('update');
    if (!file) throw new NotFoundError('file', id);
    const attached = await tx
      .select({ id: knowledgeBases.id, title: knowledgeBases.title })
      .from(knowledgeBases)
      .where(
        and(
          eq(knowledgeBases.teamId, teamId),
          sql`${knowledgeBases.files} @> ${JSON.stringify([{ id }])}::jsonb`,
        ),
      )
      .orderBy(asc(knowledgeBases.id));
    if (attached.length > 0) throw new FileAttachedError(id, attached);
    await tx.delete(files).where(own(params));
  });
}
