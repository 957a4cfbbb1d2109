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

/** Runs the events of a recorded call through the engine again. */
export function replayJournal(lines: readonly JournalLine[]): Replay {
  const sorted = lines.toSorted((a, b) => a.seq - b.seq);
  const head = sorted.find((line) => line.type === 'call.created');
  if (!head)
    throw new ReplayError('this is no journal of a call: its first line, call.created, is missing');
  if (!head.data.settings)
    throw new ReplayError('the journal does not hold the settings the call ran with');
  const recordedVersion = String(head.data.engineVersion ?? 'unknown');
  const settings = readSettings(head.data.settings, recordedVersion);
  const callId = String(head.data.callId ?? '');
  const form = new JournalForm();
  return {
    callId,
    recordedVersion,
    replayedVersion: ENGINE_VERSION,
    recorded: sorted
      .filter((line) => line.kind === 'command')
      .map((line) => decision(line.at, line.type, line.data)),
    replayed: runAgain({ callId, settings, lines: sorted, recordedVersion }).map(
      ({ at, ...command }) => {
        const { type, data } = form.of(command);
        return decision(at, type, data);
      },
    ),
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

const isEngineEvent = (type: string): boolean =>
  type in DATA_EVENTS || (CHART_EVENTS as readonly string[]).includes(type);

function runAgain({
  callId,
  settings,
  lines,
  recordedVersion,
}: {
  readonly callId: string;
  readonly settings: CallSettings;
  readonly lines: readonly JournalLine[];
  readonly recordedVersion: string;
}): readonly StampedCommand[] {
  const replayed: StampedCommand[] = [];
  let call: Call | undefined;
  try {
    call = new Call({ callId, settings });
    for (const line of lines) {
      if (line.kind === 'command') {
        // A command without an event before it came from a timer, so the clock advances to it.
        replayed.push(...call.advanceTo(line.at));
      } else if (line.kind === 'event') {
        if (!isEngineEvent(line.type))
          throw new ReplayError(`line ${line.seq} is no event: ${line.type}`);
        const event = { ...line.data, type: line.type, seq: line.seq, at: line.at } as StampedEvent;
        replayed.push(...call.dispatch(event));
      }
    }
    return replayed;
  } catch (error) {
    if (recordedVersion === ENGINE_VERSION || error instanceof ReplayError) throw error;
    throw new ReplayError(
      `engine ${recordedVersion} recorded this call with settings or events that engine ${ENGINE_VERSION} does not understand (${error instanceof Error ? error.message : String(error)}): replay it with the version that recorded it`,
    );
  } finally {
    call?.stop();
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
