import { type SQL, sql } from 'drizzle-orm';
import type { CallerPlace } from '../contract/privacy.ts';
import type { Db } from './db.ts';
import { numberForms } from './number-forms.ts';

interface Caller {
  readonly teamId: string;
  /** E.164. */
  readonly number: string;
}

type Counts = Readonly<Record<CallerPlace, number>>;

const formsOf = (number: string) => sql`any(${sql.param([...numberForms(number)])}::text[])`;
/** Numbers that people dictate are kept as they were written. */
const written = sql`regexp_replace(replace(phone, '(0)', ''), '[^0-9+]', '', 'g')`;

const appointmentsOf = ({ teamId, number }: Caller) => sql`appointments
  where calendar_id in (select id from calendars where team_id = ${teamId})
    and ${written} = ${formsOf(number)}`;
const entriesOf = ({ teamId, number }: Caller) => sql`wait_list_entries
  where wait_list_id in (select id from wait_lists where team_id = ${teamId})
    and ${written} = ${formsOf(number)}`;
const textsOf = ({ teamId, number }: Caller) =>
  sql`texts where team_id = ${teamId} and user_number = ${formsOf(number)}`;
const telephonesOf = ({ teamId, number }: Caller) =>
  sql`handset_tokens where team_id = ${teamId} and number = ${formsOf(number)}`;

/** Counts what there is about a caller, by place. */
export async function countCallerData(db: Db, caller: Caller): Promise<Counts> {
  const calls = sql`select id from calls
    where team_id = ${caller.teamId} and user_number = ${formsOf(caller.number)}`;
  const ofCalls = (table: string) => sql`${sql.identifier(table)} where call_id in (${calls})`;
  const places: Readonly<Record<CallerPlace, SQL>> = {
    calls: sql`calls where id in (${calls})`,
    recordings: sql`calls where id in (${calls}) and recording is not null`,
    messages: ofCalls('messages'),
    notes: ofCalls('call_notes'),
    events: ofCalls('call_events'),
    webhooks: ofCalls('deliveries'),
    knowledgeQuestions: ofCalls('knowledge_questions'),
    texts: textsOf(caller),
    appointments: appointmentsOf(caller),
    waitListEntries: entriesOf(caller),
    telephones: telephonesOf(caller),
  };
  const counts: [CallerPlace, number][] = [];
  for (const [place, rows] of Object.entries(places) as [CallerPlace, SQL][]) {
    const { rows: found } = await db.execute<{ n: number }>(
      sql`select count(*)::int as n from ${rows}`,
    );
    counts.push([place, found[0]?.n ?? 0]);
  }
  return Object.fromEntries(counts) as Counts;
}

/** Deletes what stands about a caller outside of calls. */
export async function deleteBesidesCalls(tx: Db, caller: Caller): Promise<void> {
  for (const rows of [
    textsOf(caller),
    appointmentsOf(caller),
    entriesOf(caller),
    telephonesOf(caller),
  ])
    await tx.execute(sql`delete from ${rows}`);
}

/** The number's wishes to get no more texts. */
export async function countOptOuts(db: Db, { teamId, number }: Caller): Promise<number> {
  const { rows } = await db.execute<{ n: number }>(sql`
    select count(*)::int as n from text_opt_outs
    where team_id = ${teamId} and user_number = ${formsOf(number)}`);
  return rows[0]?.n ?? 0;
}
