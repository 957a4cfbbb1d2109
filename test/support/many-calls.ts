import { sql } from 'drizzle-orm';
import type { Db } from '../../src/store/db.ts';
import { storableJson } from '../../src/store/storable.ts';
import { callSnapshot } from './call-snapshot.ts';

interface ManyCalls {
  readonly teamId: string;
  readonly calls: number;
  /** The newest begins at this time; each earlier one `everyMs` before. */
  readonly lastAt: Date;
  readonly everyMs: number;
  /** Who answers them, in turn. */
  readonly assistantIds?: readonly string[];
  /** They are in progress, each with the service that holds the newest lease, if there is one. @defaultValue false */
  readonly live?: boolean;
}

/** Calls as a busy day leaves them, none of them failed: in one statement, since there are thousands. */
export async function insertManyCalls(db: Db, params: ManyCalls): Promise<void> {
  const { teamId, calls, lastAt, everyMs, live = false } = params;
  const { assistantIds = Array.from({ length: 7 }, (_, i) => `assistant-${i}`) } = params;
  const analysis = {
    summary:
      'The caller asked when the practice is open on Saturday, was told the hours and thanked the assistant.',
    successEvaluation: 'pass',
    structuredData: { topic: 'opening hours', day: 'Saturday', satisfied: true },
  };
  const metrics = Array.from({ length: 8 }, (_, i) => ({
    ...{ turn: i + 1, endpointMs: 310 + i, recogniserMs: 240 + i, modelMs: 420 + i },
    ...{ voiceMs: 560 + i, totalMs: 640 + i },
  }));
  const usage = [
    {
      kind: 'llm',
      vendor: 'openai',
      model: 'm',
      inputTokens: 4211,
      outputTokens: 390,
      requests: 9,
    },
    { kind: 'stt', vendor: 'deepgram', model: 'nova-3', audioMs: 93_000, requests: 1 },
    { kind: 'tts', vendor: 'cartesia', model: 'sonic', characters: 1460, requests: 14 },
  ];
  await db.execute(sql`
    insert into calls (id, team_id, assistant_id, call_type, direction, status, phone_call_status, start_at, answered_at,
      end_at, user_number, assistant_number, customer_name, metadata, snapshot, end_trigger, end_reason, metrics, usage,
      analysis, wrap_up, node_id)
    select ${live ? 'CL-' : 'CC-'} || lpad(i::text, 8, '0') || '-' || left(md5(${teamId} || i), 12), ${teamId},
      (${sql.param(assistantIds)}::text[])[1 + i % ${assistantIds.length}], 'phone', 'inbound',
      ${live ? 'ongoing' : 'finished'}, ${live ? 'in-progress' : 'completed'}, at, at + interval '1 s',
      ${live ? null : sql`at + interval '95 s'`},
      '+49301' || lpad(i::text, 6, '0'), '+4930999', 'Caller ' || i, '{"campaign":"spring"}',
      ${storableJson(callSnapshot)}::json, ${live ? null : 'user'}, ${live ? null : 'user-hung-up'},
      ${storableJson(metrics)}::jsonb, ${storableJson(usage)}::jsonb, ${live ? null : sql`${storableJson(analysis)}::json`},
      ${live ? null : 'done'}, ${live ? sql`(select id from nodes order by lease_until desc limit 1)` : null}
    from (select i, ${lastAt.toISOString()}::timestamptz - i * ${everyMs} * interval '1 ms' as at
      from generate_series(0, ${calls - 1}) as i) as made`);
}
