import { Call, ENGINE_VERSION } from '../../src/engine/machine/call.ts';
import type { StampedCommand } from '../../src/engine/machine/commands.ts';
import type { CallEvent, StampedEvent } from '../../src/engine/machine/events.ts';
import { JournalForm } from '../../src/engine/machine/journal-form.ts';
import type { CallSettings } from '../../src/engine/settings/settings.ts';
import type { JournalLine } from '../../src/ports/journal.ts';

/** What happened in a call, without what the engine made of it. */
export interface CallInput {
  readonly callId: string;
  readonly settings: CallSettings;
  readonly events: readonly { readonly at: number; readonly event: CallEvent }[];
}

/** After its last event a call may still go on by itself, but not for longer than this. */
const LONGEST_MS = 5 * 3_600_000;

/** The journal that the engine of today writes for these events: the call runs on to its end. */
export function recordJournal({ callId, settings, events }: CallInput): JournalLine[] {
  const call = new Call({ settings });
  const form = new JournalForm();
  const data = { callId, engineVersion: ENGINE_VERSION, settings };
  const lines: JournalLine[] = [{ seq: 0, at: 0, kind: 'note', type: 'call.created', data }];
  const keep = (commands: readonly StampedCommand[]) => {
    for (const { at, ...command } of commands) {
      lines.push({ seq: lines.length, at, kind: 'command', ...form.of(command) });
    }
  };
  for (const { at, event } of events) {
    keep(call.advanceTo(at));
    if (call.view.lifecycle === 'finished') break;
    const { type, ...rest } = event;
    const seq = lines.length;
    lines.push({ seq, at, kind: 'event', type, data: rest });
    keep(call.dispatch({ ...event, seq, at } as StampedEvent));
  }
  for (let due = call.nextDueAt(); due !== undefined && due < LONGEST_MS; due = call.nextDueAt()) {
    keep(call.advanceTo(due));
  }
  call.stop();
  return lines;
}

/** The events of a journal, to be recorded again. */
export function inputOf(lines: readonly JournalLine[]): CallInput {
  const head = lines.find(({ type }) => type === 'call.created');
  if (!head) throw new Error('a journal begins with call.created');
  return {
    callId: String(head.data.callId),
    settings: head.data.settings as CallSettings,
    events: lines
      .filter(({ kind }) => kind === 'event')
      .map(({ at, type, data }) => ({ at, event: { ...data, type } as CallEvent })),
  };
}
