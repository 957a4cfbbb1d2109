import { ENGINE_VERSION } from '../../engine/machine/call.ts';
import type { JournalLine } from '../../ports/journal.ts';
import type { SessionInit } from '../session-parts.ts';

/** The first line of a call's journal: what it runs with. */
export function createdLine({ callId, settings }: SessionInit, startedAtMs: number): JournalLine {
  const startedAt = Math.round(startedAtMs);
  const data = { callId, engineVersion: ENGINE_VERSION, startedAt, settings };
  return { seq: 0, at: 0, kind: 'note', type: 'call.created', data };
}
