import { sql } from 'drizzle-orm';
import type { Db } from './db.ts';

/** Why a call ended whose node died under it. */
const SERVICE_RESTARTED = 'service-restarted';

/**
 * Ends the calls that no living node has: at the time of the last line of their journal, which is
 * when they were last seen alive. Returns them, for whatever follows the end of a call.
 */
export async function closeOrphanedCalls(
  db: Db,
  params: { readonly liveNodeIds: readonly string[] },
): Promise<readonly { readonly id: string; readonly teamId: string }[]> {
  const { rows } = await db.execute<{ id: string; team_id: string }>(sql`
    update calls set
      status = case when status = 'forwarded' then status else 'finished' end,
      phone_call_status = case
        when phone_call_status = 'in-progress' then 'completed'
        when phone_call_status in ('trying', 'early-media', 'ringing') then 'failed'
        else phone_call_status end,
      end_reason = coalesce(end_reason, ${SERVICE_RESTARTED}),
      end_at = start_at + coalesce(
        (select max(at) from call_events where call_id = calls.id), 0) * interval '1 ms'
    where end_at is null
      and (node_id is null or node_id not in (
        select jsonb_array_elements_text(${JSON.stringify(params.liveNodeIds)}::jsonb)))
    returning id, team_id`);
  return rows.map((row) => ({ id: row.id, teamId: row.team_id }));
}

/** Why a web call ended whose media socket nobody opened in time. */
const NEVER_CONNECTED = 'never-connected';

/** Ends the web calls that still wait for a socket when their last token has expired. */
export async function closeUnconnectedCalls(
  db: Db,
  params: { readonly now?: Date } = {},
): Promise<readonly { readonly id: string; readonly teamId: string }[]> {
  const now = (params.now ?? new Date()).toISOString();
  const { rows } = await db.execute<{ id: string; team_id: string }>(sql`
    update calls set status = 'finished', end_reason = ${NEVER_CONNECTED}, end_at = ${now}::timestamptz
    where end_at is null and status = 'queued' and call_type = 'web' and answered_at is null
      and exists (select from media_tokens where call_id = calls.id)
      and not exists (select from media_tokens
        where call_id = calls.id and (redeemed_at is not null or expires_at > ${now}::timestamptz))
    returning id, team_id`);
  return rows.map((row) => ({ id: row.id, teamId: row.team_id }));
}
