import { and, eq, sql } from 'drizzle-orm';
import type { CallAnalysis } from '../contract/call.ts';
import type { Db } from './db.ts';
import { NotFoundError } from './errors.ts';
import { type AskedQuestion, addAskedQuestions } from './knowledge-questions.ts';
import { recordWebhookEvents, subscriptionColumn } from './outbox.ts';
import { calls } from './schema/calls.ts';
import { sealedAnalysis } from './sealed-calls.ts';
import { contentSealer } from './sealed-content.ts';

const CALLS_PER_RUN = 100;
/** Time after which the record of an ended call counts as complete, even if its process did not settle it. */
const SILENCE_SECONDS = 120;

/**
 * Queues the wrap-ups of ended calls, in the transaction that marks them as queued, so that none is lost or queued
 * twice. Returns their number.
 */
export async function queueWrapUps(
  db: Db,
  send: (tx: Db, ended: { readonly callId: string; readonly teamId: string }) => Promise<unknown>,
): Promise<number> {
  return db.transaction(async (tx) => {
    // An array, so that no plan runs the subquery again for each row and goes beyond the limit.
    const { rows } = await tx.execute<{ id: string; team_id: string }>(sql`
      update calls set wrap_up = 'queued' where id = any(array(
        select id from calls
        where end_at is not null and (wrap_up = 'due'
          or (wrap_up is null and end_at < now() - ${SILENCE_SECONDS} * interval '1 s'))
        limit ${CALLS_PER_RUN} for update skip locked))
      returning id, team_id`);
    for (const { id, team_id } of rows) await send(tx, { callId: id, teamId: team_id });
    return rows.length;
  });
}

/** Stores the results of a wrap-up and queues the report webhook. Returns false if that was done before. */
export async function finishWrapUp(
  db: Db,
  params: {
    readonly teamId: string;
    readonly id: string;
    readonly analysis: CallAnalysis | undefined;
    /** What was asked of the knowledge bases of its assistant. */
    readonly asked?: {
      readonly knowledgeBaseIds: readonly string[];
      readonly questions: readonly AskedQuestion[];
    };
  },
): Promise<boolean> {
  const { teamId, id, analysis, asked } = params;
  const own = and(eq(calls.teamId, teamId), eq(calls.id, id));
  return db.transaction(async (tx) => {
    const [call] = await tx
      .select({
        wrapUp: calls.wrapUp,
        answeredAt: calls.answeredAt,
        endAt: calls.endAt,
        endReason: calls.endReason,
        subscription: subscriptionColumn,
      })
      .from(calls)
      .where(own)
      .for('no key update');
    if (!call) throw new NotFoundError('call', id);
    if (call.wrapUp === 'done') return false;
    const { answeredAt, endReason, subscription } = call;
    if (asked) await addAskedQuestions(tx, { callId: id, teamId, ...asked });
    const seal = await contentSealer(tx, { teamId });
    const kept = analysis && { analysis: sealedAnalysis(seal, id, analysis) };
    await tx
      .update(calls)
      .set({ wrapUp: 'done', ...kept })
      .where(own);
    const endAt = call.endAt ?? new Date();
    const durationMs = answeredAt ? Math.max(0, endAt.getTime() - answeredAt.getTime()) : 0;
    const details = {
      endReason: endReason ?? 'ended',
      durationMs,
      ...(analysis ? { analysis } : {}),
    };
    const report = { kind: 'end-of-call-report', cause: 'report', at: endAt, details } as const;
    await recordWebhookEvents(tx, { callId: id, subscription, webhookEvents: [report] });
    return true;
  });
}
