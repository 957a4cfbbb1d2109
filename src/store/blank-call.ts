import { getTableColumns } from 'drizzle-orm';
import type { CallRecord } from './calls.ts';
import { calls } from './schema/calls.ts';

/** The record of a call that is not stored: what is not given has the value of a new row. */
export function blankCall(
  fields: Pick<
    CallRecord,
    'id' | 'teamId' | 'assistantId' | 'callType' | 'direction' | 'status' | 'startAt' | 'snapshot'
  >,
): CallRecord {
  const columns = Object.entries(getTableColumns(calls));
  const blank = Object.fromEntries(columns.map(([name, column]) => [name, column.default ?? null]));
  return { ...blank, ...fields } as CallRecord;
}
