import { finish, type Steps } from '../../lib/steps.ts';
import type { JournalLine } from '../../ports/journal.ts';
import type { CallSettings } from '../settings/settings.ts';
import { callSettingsSchema } from '../settings/settings-schema.ts';
import { Call, ENGINE_VERSION } from './call.ts';
import { canonicalJson } from './canonical-json.ts';
import { CHART_EVENTS } from './chart-events.ts';
import type { StampedCommand } from './commands.ts';
import { DATA_EVENTS } from './data-events.ts';
import type { StampedEvent } from './events.ts';
import { JournalForm } from './journal-form.ts';

/** A command of the engine in a form that can be compared byte for byte. */
export interface Decision {
  readonly at: number;
  readonly type: string;
  /** Canonical JSON of `[at, type, data]`. */
  readonly canonical: string;
}

export interface Replay {
  readonly callId: string;
  readonly recordedVersion: string;
  readonly replayedVersion: string;
  readonly recorded: readonly Decision[];
  readonly replayed: readonly Decision[];
}

/** The journal cannot be replayed; the message tells the user why. */
export class ReplayError extends Error {
  override readonly name = 'ReplayError';
}

/** A call as its journal leaves it. */
export interface RestoredCall {
  readonly call: Call;
  readonly form: JournalForm;
  readonly settings: CallSettings;
  /** All commands so far. */
  readonly commands: readonly StampedCommand[];
  /** Epoch ms at which the call was created. */
  readonly startedAtMs: number;
  /** Of the journal's last line. */
  readonly last: Pick<JournalLine, 'seq' | 'at'>;
}

/** Lines of a journal in a step. */
const STEP_LINES = 20;

/**
 * The engine of a call in the state in which its journal ends, to go on from there. Throws ReplayError if today's engine
 * decides otherwise than the journal says. In steps: a long call's journal takes longer than the sound of others can
 * wait.
 */
export function* restoreCall(lines: readonly JournalLine[]): Steps<RestoredCall> {
  const { call, form, settings, commands, startedAtMs, ...replay } = yield* rerun(lines);
  const [difference] = findDifferences(replay, 1);
  if (difference) {
    call.stop();
    throw new ReplayError(
      `engine ${replay.replayedVersion} decides otherwise than engine ${replay.recordedVersion}, which recorded this call, from command ${difference.index} on`,
    );
  }
  const last = lines.reduce((latest, line) => (line.seq > latest.seq ? line : latest));
  return { call, form, settings, commands, startedAtMs, last };
}

/** Runs the events of a recorded call through the engine again. */
export function replayJournal(lines: readonly JournalLine[]): Replay {
  const { call, callId, recordedVersion, replayedVersion, recorded, replayed } = finish(
    rerun(lines),
  );
  call.stop();
  return { callId, recordedVersion, replayedVersion, recorded, replayed };
}

function* rerun(lines: readonly JournalLine[]): Steps<Replay & Omit<RestoredCall, 'last'>> {
  const sorted = lines.toSorted((a, b) => a.seq - b.seq);
  const { callId, settings, recordedVersion, startedAtMs } = readJournalHead(sorted);
  const { call, commands } = yield* runAgain({ callId, settings, lines: sorted, recordedVersion });
  const form = new JournalForm();
  const recorded: Decision[] = [];
  for (const [i, line] of sorted.entries()) {
    if (i % STEP_LINES === 0) yield;
    if (line.kind === 'command') recorded.push(decision(line.at, line.type, line.data));
  }
  const replayed: Decision[] = [];
  for (const [i, { at, ...command }] of commands.entries()) {
    if (i % STEP_LINES === 0) yield;
    const { type, data } = form.of(command);
    replayed.push(decision(at, type, data));
  }
  const replay: Replay = {
    callId,
    recordedVersion,
    replayedVersion: ENGINE_VERSION,
    recorded,
    replayed,
  };
  return { ...replay, call, form, commands, settings, startedAtMs };
}

export interface JournalHead {
  readonly callId: string;
  readonly settings: CallSettings;
  /** Of the engine that recorded it. */
  readonly recordedVersion: string;
  /** Epoch ms. */
  readonly startedAtMs: number;
}

/** What a journal's first line says. Throws ReplayError if the call can't be replayed. */
export function readJournalHead(lines: readonly JournalLine[]): JournalHead {
  const head = lines.find((line) => line.type === 'call.created');
  if (!head)
    throw new ReplayError('this is no journal of a call: its first line, call.created, is missing');
  if (head.data.redacted !== undefined)
    throw new ReplayError(
      head.data.redacted === 'sealed'
        ? 'the journal is redacted: replay its originals, which an admin can read'
        : 'the journal is redacted and its originals were not kept, so what was decided cannot be decided again',
    );
  if (!head.data.settings)
    throw new ReplayError('the journal does not hold the settings the call ran with');
  const recordedVersion = String(head.data.engineVersion ?? 'unknown');
  return {
    callId: String(head.data.callId ?? ''),
    settings: readSettings(head.data.settings, recordedVersion),
    recordedVersion,
    startedAtMs: Number(head.data.startedAt ?? 0),
  };
}

/** Checks the settings of a journal and names those that are missing or invalid. */
function readSettings(settings: unknown, recordedVersion: string): CallSettings {
  const read = callSettingsSchema.safeParse(settings);
  if (read.success) return settings as CallSettings;
  const problems = read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new ReplayError(
    `engine ${recordedVersion} recorded this call with settings that engine ${ENGINE_VERSION} cannot use (${problems.join('; ')}): replay it with the version that recorded it`,
  );
}

export const isEngineEvent = (type: string): boolean =>
  type in DATA_EVENTS || (CHART_EVENTS as readonly string[]).includes(type);

function* runAgain({
  callId,
  settings,
  lines,
  recordedVersion,
}: {
  readonly callId: string;
  readonly settings: CallSettings;
  readonly lines: readonly JournalLine[];
  readonly recordedVersion: string;
}): Steps<Pick<RestoredCall, 'call' | 'commands'>> {
  const commands: StampedCommand[] = [];
  let call: Call | undefined;
  try {
    call = new Call({ callId, settings });
    for (const [i, line] of lines.entries()) {
      if (i % STEP_LINES === 0) yield;
      if (line.kind === 'command') {
        // A command without an event before it came from a timer, so the clock advances to it.
        commands.push(...call.advanceTo(line.at));
      } else if (line.kind === 'event') {
        if (!isEngineEvent(line.type))
          throw new ReplayError(`line ${line.seq} is no event: ${line.type}`);
        const event = { ...line.data, type: line.type, seq: line.seq, at: line.at } as StampedEvent;
        commands.push(...call.dispatch(event));
      }
    }
    return { call, commands };
  } catch (error) {
    call?.stop();
    if (recordedVersion === ENGINE_VERSION || error instanceof ReplayError) throw error;
    throw new ReplayError(
      `engine ${recordedVersion} recorded this call with settings or events that engine ${ENGINE_VERSION} does not understand (${error instanceof Error ? error.message : String(error)}): replay it with the version that recorded it`,
    );
  }
}

function decision(at: number, type: string, data: Readonly<Record<string, unknown>>): Decision {
  return { at, type, canonical: canonicalJson([at, type, data]) };
}

export interface Difference {
  /** Index among the call's commands, from 0. */
  readonly index: number;
  readonly recorded: Decision | undefined;
  readonly replayed: Decision | undefined;
}

/** The first `limit` differences between two runs. */
export function findDifferences(
  { recorded, replayed }: Pick<Replay, 'recorded' | 'replayed'>,
  limit = 10,
): readonly Difference[] {
  const differences: Difference[] = [];
  const length = Math.max(recorded.length, replayed.length);
  for (let index = 0; index < length && differences.length < limit; index++) {
    const pair = { index, recorded: recorded[index], replayed: replayed[index] };
    if (pair.recorded?.canonical !== pair.replayed?.canonical) differences.push(pair);
  }
  return differences;
}
