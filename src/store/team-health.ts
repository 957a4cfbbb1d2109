import { type SQL, sql } from 'drizzle-orm';
import type { AssistantConfig } from '../contract/assistant.ts';
import type { AlertKind } from '../contract/call-alerts.ts';
import type { Failure } from '../contract/call-journal.ts';
import type { CarrierName } from '../ports/carrier.ts';
import { hasFailed } from './call-match.ts';
import type { Db } from './db.ts';

/** The settings of an assistant that name vendors. */
export type NamedVendors = Pick<
  AssistantConfig,
  'assistantProvider' | 'assistantModel' | 'assistantLLMUrl'
> & { readonly config: Pick<AssistantConfig['config'], 'speech'> };

/** Assistants that name the same vendors. */
export interface VendorUse {
  readonly named: NamedVendors;
  readonly assistants: number;
  readonly assistantId: string;
}

/** Numbers at one carrier. */
export interface CarrierUse {
  readonly provider: CarrierName;
  readonly numbers: number;
  readonly numberId: string;
  /** Those that use the service's account. */
  readonly withoutAccount: number;
  readonly withoutAccountId: string | null;
  /** Those that are switched on and have no assistant. */
  readonly withoutAssistant: number;
  readonly withoutAssistantId: string | null;
}

/** Calls that failed in the same way. */
export interface FailedCalls {
  readonly endReason: string;
  readonly failure: Failure | null;
  readonly calls: number;
  readonly callId: string;
  readonly lastAt: Date;
}

/** Calls that went on although something failed. */
export interface AlertedCalls {
  readonly alert: AlertKind;
  readonly calls: number;
  readonly callId: string;
  readonly lastAt: Date;
}

/** Webhooks to one server that were given up, or are sent again. */
export interface TroubledWebhooks {
  readonly origin: string;
  readonly status: 'pending' | 'dead';
  readonly webhooks: number;
  readonly callId: string;
  readonly lastAt: Date;
  /** What became of the last attempt. */
  readonly httpStatus: number | null;
  readonly error: string | null;
}

export interface TeamFigures {
  readonly vendors: readonly VendorUse[];
  readonly carriers: readonly CarrierUse[];
  readonly calls: number;
  readonly failed: readonly FailedCalls[];
  readonly alerts: readonly AlertedCalls[];
  readonly webhooks: readonly TroubledWebhooks[];
  readonly waitingWebhooks: number;
}

interface Params {
  readonly teamId: string;
  /** Calls and webhooks from this time on count. */
  readonly since: Date;
}

/** More groups than this are left out. */
const MOST = 50;

/** What the health of a team's set-up is told from. Each query reads by an index and has a bound on its rows. */
export async function readTeamFigures(db: Db, params: Params): Promise<TeamFigures> {
  const recent = recentCalls(params);
  const [vendors, carriers, calls, failed, alerts, webhooks, waiting] = await Promise.all([
    readVendors(db, params),
    readCarriers(db, params),
    db.execute<{ calls: number }>(sql`select count(*)::int as calls from calls where ${recent}`),
    readFailed(db, recent),
    readAlerts(db, recent),
    readWebhooks(db, params),
    db.execute<{ waiting: number }>(sql`select count(*)::int as waiting from deliveries
      where status = 'pending' and team_id = ${params.teamId}`),
  ]);
  return {
    ...{ vendors, carriers, failed, alerts, webhooks },
    calls: calls.rows[0]?.calls ?? 0,
    waitingWebhooks: waiting.rows[0]?.waiting ?? 0,
  };
}

const recentCalls = ({ teamId, since }: Params): SQL =>
  sql`team_id = ${teamId} and start_at >= ${since.toISOString()}::timestamptz`;

async function readVendors(db: Db, { teamId }: Params): Promise<readonly VendorUse[]> {
  type Row = Record<'provider' | 'model' | 'url' | 'assistantId', string> & {
    speech: AssistantConfig['config']['speech'];
    assistants: number;
  };
  const { rows } = await db.execute<Row>(
    sql`select config ->> 'assistantProvider' as provider, config ->> 'assistantModel' as model,
        config ->> 'assistantLLMUrl' as url, (config #> '{config,speech}')::jsonb as speech,
        count(*)::int as assistants, min(id) as "assistantId"
      from assistants where team_id = ${teamId}
      group by 1, 2, 3, 4 order by assistants desc, "assistantId" limit ${MOST}`,
  );
  return rows.map(({ provider, model, url, speech, assistants, assistantId }) => ({
    named: {
      assistantProvider: provider,
      assistantModel: model,
      assistantLLMUrl: url,
      config: { speech },
    },
    ...{ assistants, assistantId },
  }));
}

async function readCarriers(db: Db, { teamId }: Params): Promise<readonly CarrierUse[]> {
  const unanswered = sql`(assistant_id is null and (inbound_enabled or outbound_enabled))`;
  const { rows } = await db.execute<CarrierUse & Record<string, unknown>>(
    sql`select provider, count(*)::int as numbers, min(id) as "numberId",
        count(*) filter (where credentials is null)::int as "withoutAccount",
        min(id) filter (where credentials is null) as "withoutAccountId",
        count(*) filter (where ${unanswered})::int as "withoutAssistant",
        min(id) filter (where ${unanswered}) as "withoutAssistantId"
      from numbers where team_id = ${teamId} group by provider order by provider`,
  );
  return rows;
}

async function readFailed(db: Db, recent: SQL): Promise<readonly FailedCalls[]> {
  const { rows } = await db.execute<Omit<FailedCalls, 'lastAt'> & { lastAt: string | Date }>(
    sql`select end_reason as "endReason", count(*)::int as calls, max(start_at) as "lastAt",
        (array_agg(id order by start_at desc))[1] as "callId",
        (array_agg(failure order by start_at desc))[1] as failure
      from calls where ${recent} and ${hasFailed} and end_reason is not null
      group by end_reason, failure ->> 'provider' order by calls desc, "lastAt" desc limit ${MOST}`,
  );
  return rows.map((row) => ({ ...row, lastAt: new Date(row.lastAt) }));
}

async function readAlerts(db: Db, recent: SQL): Promise<readonly AlertedCalls[]> {
  const { rows } = await db.execute<Omit<AlertedCalls, 'lastAt'> & { lastAt: string | Date }>(
    sql`select alert, count(*)::int as calls, max(start_at) as "lastAt",
        (array_agg(id order by start_at desc))[1] as "callId"
      from calls, jsonb_object_keys(alerts) as alert
      where ${recent} and alerts <> '{}'::jsonb and not coalesce(${hasFailed}, false)
      group by alert order by alert`,
  );
  return rows.map((row) => ({ ...row, lastAt: new Date(row.lastAt) }));
}

async function readWebhooks(
  db: Db,
  { teamId, since }: Params,
): Promise<readonly TroubledWebhooks[]> {
  const { rows } = await db.execute<Omit<TroubledWebhooks, 'lastAt'> & { lastAt: string | Date }>(
    sql`with troubled as (
        select id, call_id, origin, status, settled_at as at from deliveries
        where status = 'dead' and team_id = ${teamId}
          and settled_at >= ${since.toISOString()}::timestamptz
        union all
        select id, call_id, origin, status, created_at from deliveries
        where status = 'pending' and attempts > 0 and team_id = ${teamId}),
      servers as (
        select origin, status, count(*)::int as webhooks, max(at) as "lastAt",
          (array_agg(id order by at desc))[1] as last
        from troubled group by origin, status order by webhooks desc, status, origin limit ${MOST})
      select servers.origin, servers.status, webhooks, "lastAt", call_id as "callId",
        attempt.http_status as "httpStatus", attempt.error
      from servers join deliveries on deliveries.id = last
      left join lateral (select http_status, error from delivery_attempts
        where delivery_id = last order by number desc limit 1) attempt on true
      order by webhooks desc, status, origin`,
  );
  return rows.map((row) => ({ ...row, lastAt: new Date(row.lastAt) }));
}
