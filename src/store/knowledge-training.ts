import { and, eq, inArray, sql } from 'drizzle-orm';
import { uuidv7 } from '../lib/ids.ts';
import type { Db } from './db.ts';
import { NotFoundError } from './errors.ts';
import type { KnowledgeBase } from './knowledge-bases.ts';
import { knowledgeBases } from './schema/knowledge.ts';

interface One {
  readonly teamId: string;
  readonly id: string;
}

const own = ({ teamId, id }: One) =>
  and(eq(knowledgeBases.teamId, teamId), eq(knowledgeBases.id, id));

/** Queues a base for training. A base in training keeps its status and is queued again after the run. Locks the row. */
export async function queueKnowledgeBase(db: Db, params: One): Promise<KnowledgeBase> {
  const [queued] = await db
    .update(knowledgeBases)
    .set({
      contentVersion: sql`${knowledgeBases.contentVersion} + 1`,
      status: sql`case when ${knowledgeBases.status} = 'training' then 'training' else 'queued' end`,
      statusReason: null,
      updatedAt: new Date(),
    })
    .where(own(params))
    .returning();
  if (!queued) throw new NotFoundError('knowledge-base', params.id);
  return queued;
}

/** One training run, with the base as it was at its start. */
export interface TrainingRun {
  readonly id: string;
  readonly knowledgeBase: KnowledgeBase;
}

/** Begins a run for a queued base or one whose run was interrupted; undefined if there is nothing to do. */
export async function beginTraining(db: Db, params: One): Promise<TrainingRun | undefined> {
  const id = uuidv7();
  const [knowledgeBase] = await db
    .update(knowledgeBases)
    .set({ status: 'training', trainingId: id, statusReason: null, updatedAt: new Date() })
    .where(and(own(params), inArray(knowledgeBases.status, ['queued', 'training'])))
    .returning();
  return knowledgeBase && { id, knowledgeBase };
}

/** False if the base was deleted or another run has taken over. */
export async function isCurrentRun(db: Db, { id, knowledgeBase }: TrainingRun): Promise<boolean> {
  const found = await db
    .select({ id: knowledgeBases.id })
    .from(knowledgeBases)
    .where(and(own(knowledgeBase), eq(knowledgeBases.trainingId, id)));
  return found.length > 0;
}

/**
 * Ends a run: the base is trained, or queued again if its content has changed. Returns undefined and changes nothing if
 * another run has taken over or the base was deleted.
 */
export async function finishTraining(
  db: Db,
  run: TrainingRun,
  note?: string,
): Promise<KnowledgeBase | undefined> {
  return endRun(db, run, 'trained', note);
}

/** Ends a failed run: the base returns to `created` with the reason, or is queued again if its content has changed. */
export async function failTraining(
  db: Db,
  run: TrainingRun,
  reason: string,
): Promise<KnowledgeBase | undefined> {
  return endRun(db, run, 'created', reason);
}

async function endRun(
  db: Db,
  { id, knowledgeBase }: TrainingRun,
  status: 'trained' | 'created',
  reason: string | undefined,
): Promise<KnowledgeBase | undefined> {
  const unchanged = sql`${knowledgeBases.contentVersion} = ${knowledgeBase.contentVersion}`;
  const now = new Date();
  const [ended] = await db
    .update(knowledgeBases)
    .set({
      status: sql`case when ${unchanged} then ${status}::text else 'queued' end`,
      statusReason: sql`case when ${unchanged} then ${reason ?? null}::text end`,
      trainingId: null,
      updatedAt: now,
      ...(status === 'trained' ? { trainedAt: now } : {}),
    })
    .where(and(own(knowledgeBase), eq(knowledgeBases.trainingId, id)))
    .returning();
  return ended;
}

/** A base that is due for training. */
export interface TrainingDue {
  readonly teamId: string;
  readonly knowledgeBaseId: string;
}

/** Queues the bases that are due for retraining. */
export async function queueDueForRetraining(db: Db): Promise<readonly TrainingDue[]> {
  const { rows } = await db.execute<{ team_id: string; id: string }>(sql`
    update knowledge_bases set
      status = 'queued', status_reason = null,
      content_version = content_version + 1, updated_at = now()
    where retrain_frequency_minutes > 0 and status in ('trained', 'created')
      and greatest(coalesce(trained_at, created_at), updated_at)
        + retrain_frequency_minutes * interval '1 minute' <= now()
    returning team_id, id`);
  return rows.map((row) => ({ teamId: row.team_id, knowledgeBaseId: row.id }));
}

/** Queues trained bases whose passages were made by an older reader version. */
export async function queueReadByOlder(
  db: Db,
  params: { readonly readerVersion: number },
): Promise<readonly TrainingDue[]> {
  const { rows } = await db.execute<{ team_id: string; id: string }>(sql`
    update knowledge_bases set
      status = 'queued', status_reason = null,
      content_version = content_version + 1, updated_at = now()
    where status = 'trained' and exists (
      select 1 from knowledge_segments
      where knowledge_base_id = knowledge_bases.id and live
        and reader_version < ${params.readerVersion})
    returning team_id, id`);
  return rows.map((row) => ({ teamId: row.team_id, knowledgeBaseId: row.id }));
}

/** Bases that have been queued or in training so long that their job may be lost. */
export async function findNeglected(
  db: Db,
  params: { readonly before: Date },
): Promise<readonly TrainingDue[]> {
  const { rows } = await db.execute<{ team_id: string; id: string }>(sql`
    select team_id, id from knowledge_bases
    where status in ('queued', 'training') and updated_at < ${params.before.toISOString()}`);
  return rows.map((row) => ({ teamId: row.team_id, knowledgeBaseId: row.id }));
}
