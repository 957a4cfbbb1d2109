import { type SQL, sql } from 'drizzle-orm';
import type { AssistantUses, UsingAssistants } from '../contract/uses.ts';
import type { Db } from './db.ts';
import { storableText } from './storable.ts';

interface Asked {
  readonly teamId: string;
  readonly ids: readonly string[];
}

const idList = (ids: readonly string[]) => sql`${sql.param(ids.map(storableText))}::text[]`;

/** Where each of these assistants is used, in the order given: in one statement, whatever their number. */
export async function countAssistantUses(
  db: Db,
  { teamId, ids }: Asked,
): Promise<readonly AssistantUses[]> {
  const { rows } = await db.execute<{
    readonly id: string;
    readonly calls: number;
    readonly numbers: number;
    readonly first: { readonly _id: string; readonly number: string } | null;
  }>(sql`
    select asked.id, numbers, first,
      (select count(*)::int from calls where team_id = ${teamId} and assistant_id = asked.id) as calls
    from unnest(${idList(ids)}) with ordinality as asked(id, nth),
      lateral (
        select count(*)::int as numbers,
          (array_agg(json_build_object('_id', id, 'number', number) order by id))[1] as first
        from numbers where team_id = ${teamId} and assistant_id = asked.id
      ) as attached
    order by nth`);
  return rows.map(({ id, calls, numbers, first }) => ({
    ...{ _id: id, calls, numbers },
    ...(first ? { firstNumber: first } : {}),
  }));
}

/** The ids that an assistant's configuration names, as `used`. */
const TOOLS_USED = sql`
  select jsonb_array_elements_text((config -> 'assistantToolIds')::jsonb) as used
  union select jsonb_path_query((config -> 'assistantWorkflow')::jsonb, '$.nodes[*].toolIds[*]') #>> '{}'`;
const BASES_USED = sql`
  select distinct jsonb_array_elements_text((config -> 'assistantKnowledgeBaseIds')::jsonb) as used`;

/** The assistants that use each of these tools, in the order given. */
export const countToolUses = (db: Db, asked: Asked) => countUses(db, asked, TOOLS_USED);

/** The assistants that use each of these knowledge bases, in the order given. */
export const countKnowledgeBaseUses = (db: Db, asked: Asked) => countUses(db, asked, BASES_USED);

/** Reads each assistant of the team once, whatever the number of ids. */
async function countUses(
  db: Db,
  { teamId, ids }: Asked,
  used: SQL,
): Promise<readonly UsingAssistants[]> {
  const { rows } = await db.execute<{
    readonly id: string;
    readonly assistants: number;
    readonly first: { readonly _id: string; readonly name: string };
  }>(sql`
    select used as id, count(*)::int as assistants,
      (array_agg(json_build_object('_id', id, 'name', config ->> 'name') order by id))[1] as first
    from assistants, lateral (${used}) as naming
    where team_id = ${teamId} and used = any(${idList(ids)})
    group by used`);
  const found = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => {
    const row = found.get(id);
    return row
      ? { id, assistants: row.assistants, firstAssistant: row.first }
      : { id, assistants: 0 };
  });
}
