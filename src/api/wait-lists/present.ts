import type { WaitList, WaitListEntry } from '../../contract/wait-list.ts';
import type { WaitListEntryRecord } from '../../store/wait-list-entries.ts';
import type { WaitListRecord } from '../../store/wait-lists.ts';

export function presentWaitList(record: WaitListRecord): WaitList {
  return {
    _id: record.id,
    teamId: record.teamId,
    ...record.config,
    waiting: record.waiting,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
  };
}

export function presentWaitListEntry(
  record: Omit<WaitListEntryRecord, 'position'> & { readonly position?: number | undefined },
): WaitListEntry {
  const { id, waitListId, status, position, name, phone, notes, callId } = record;
  return {
    _id: id,
    waitListId,
    status,
    ...(position === undefined ? {} : { position }),
    name,
    phone,
    notes,
    ...(callId === null ? {} : { callId }),
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
  };
}
