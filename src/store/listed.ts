import { and, eq, lt, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { PageRequest } from './page.ts';
import { storableText } from './storable.ts';

/** What a list is narrowed to. */
export interface Narrowing {
  /** Words that each have to occur in what is searched, in any case, or be the id. */
  readonly search?: string | undefined;
  readonly ids?: readonly string[] | undefined;
}

/** The condition of a team's records on a page, in the order of their ids downwards, narrowed. */
export function listed(
  table: { readonly id: AnyPgColumn; readonly teamId: AnyPgColumn },
  params: { readonly teamId: string } & PageRequest & Narrowing,
  searched: readonly SQLWrapper[],
): SQL {
  const { teamId, cursor, ids, search } = params;
  return and(
    eq(table.teamId, teamId),
    cursor === undefined ? undefined : lt(table.id, cursor),
    // The text of the statement does not depend on the number of ids.
    ids === undefined ? undefined : sql`${table.id} = any(${sql.param([...ids])}::text[])`,
    ...containing(table.id, search, searched),
  ) as SQL;
}

/** The conditions that each word of a search occurs in what is searched, in any case, or is the id. */
export function containing(
  id: AnyPgColumn,
  search = '',
  searched: readonly SQLWrapper[],
): readonly SQL[] {
  const words = storableText(search).toLowerCase().split(/\s+/).filter(Boolean);
  const text = sql`lower(concat_ws(chr(10), ${sql.join([...searched], sql`, `)}))`;
  return words.map((word) => sql`(strpos(${text}, ${word}) > 0 or ${id} = ${word})`);
}
