import type { TranscriptMessage } from '../../contract/call-journal.ts';
import { finish, type Steps } from '../../lib/steps.ts';
import type { JournalLine } from '../../ports/journal.ts';
import type { CallSettings } from '../settings/settings.ts';
import { callSettingsSchema } from '../settings/settings-schema.ts';
import { Call, ENGINE_VERSION, type EngineSnapshot } from './call.ts';
import { canonicalJson } from './canonical-json.ts';
import { CHART_EVENTS } from './chart-events.ts';
import type { StampedCommand } from './commands.ts';
import { DATA_EVENTS } from './data-events.ts';
import type { StampedEvent } from './events.ts';
import { type FormSnapshot, JournalForm } from './journal-form.ts';
import { messagesOf } from './messages-of.ts';

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
  /** The commands that its journal was run for: all, or those since a checkpoint. */
  readonly commands: readonly StampedCommand[];
  /** All messages so far. */
  readonly messages: readonly TranscriptMessage[];
  /** Epoch ms at which the call was created. */
  readonly startedAtMs: number;
  /** Of the journal's last line. */
  readonly last: Pick<JournalLine, 'seq' | 'at'>;
  /** Epoch ms since when the call had no process, which may be long after its last line: nobody spoke, or two people did. */
  readonly lostAtMs?: number;
}

/**
 * A call as a line of its journal leaves it: what spares a take-over the run of all lines before. It says nothing that
 * the journal does not say, so it may be thrown away at any time. Plain JSON.
 */
export interface Checkpoint {
  /** Of the engine that made it; no other can go on from it. */
  readonly engineVersion: string;
  /** The last line that it covers. */
  readonly last: Pick<JournalLine, 'seq' | 'at'>;
  /** Epoch ms at which the call was created. */
  readonly startedAtMs: number;
  readonly call: EngineSnapshot;
  readonly form: FormSnapshot;
  readonly messages: readonly TranscriptMessage[];
}

/** Lines of a journal in a step. */
const STEP_LINES = 20;

/**
 * The engine of a call in the state in which its journal ends, to go on from there. Throws ReplayError if today's engine
 * decides otherwise than the journal says. In steps: a long call's journal takes longer than the sound of others can
 * wait.
 */
export function* restoreCall(lines: readonly JournalLine[]): Steps<RestoredCall> {
  const sorted = inOrder(lines);
  const head = readJournalHead(sorted);
  const { call, form, commands, ...replay } = yield* rerun(sorted, head, newCall(head));
  refuseDifference(call, { ...replay, recordedVersion: head.recordedVersion });
  const { settings, startedAtMs } = head;
  const { seq, at } = sorted.at(-1) as JournalLine;
  return {
    ...{ call, form, settings, commands, startedAtMs },
    messages: messagesOf(commands),
    last: { seq, at },
  };
}

/**
 * The same from a checkpoint and the lines that follow it, the first of them the one that it covers last. Throws
 * ReplayError if they do not belong together.
 */
export function* restoreFrom(
  checkpoint: Checkpoint,
  lines: readonly JournalLine[],
): Steps<RestoredCall> {
  const { engineVersion: recordedVersion, startedAtMs, last } = checkpoint;
  const [covered, ...rest] = inOrder(lines);
  if (recordedVersion !== ENGINE_VERSION || covered?.seq !== last.seq || covered.at !== last.at)
    throw new ReplayError('the checkpoint is of another engine or another journal');
  const restart = () => ({
    call: new Call({ snapshot: checkpoint.call }),
    form: new JournalForm(checkpoint.form),
  });
  const { call, form, commands, ...replay } = yield* rerun(rest, { recordedVersion }, restart);
  refuseDifference(call, { ...replay, recordedVersion });
  const { seq, at } = rest.at(-1) ?? covered;
  return {
    ...{ call, form, settings: call.state.settings, commands, startedAtMs },
    messages: messagesOf(commands, checkpoint.messages),
    last: { seq, at },
  };
}

/** Runs the events of a recorded call through the engine again. */
export function replayJournal(lines: readonly JournalLine[]): Replay {
  const sorted = inOrder(lines);
  const head = readJournalHead(sorted);
  const { call, recorded, replayed } = finish(rerun(sorted, head, newCall(head)));
  call.stop();
  const { callId, recordedVersion } = head;
  return { callId, recordedVersion, replayedVersion: ENGINE_VERSION, recorded, replayed };
}

const inOrder = (lines: readonly JournalLine[]) => lines.toSorted((a, b) => a.seq - b.seq);

function refuseDifference(
  call: Call,
  replay: Pick<Replay, 'recorded' | 'replayed' | 'recordedVersion'>,
): void {
  const [difference] = findDifferences(replay, 1);
  if (!difference) return;
  call.stop();
  throw new ReplayError(
    `engine ${ENGINE_VERSION} decides otherwise than engine ${replay.recordedVersion}, which recorded this call, from command ${difference.index} on`,
  );
}

type Started = Pick<RestoredCall, 'call' | 'form'>;

const newCall =
  ({ settings }: JournalHead): (() => Started) =>
  () => ({ call: new Call({ settings }), form: new JournalForm() });

function* rerun(
  lines: readonly JournalLine[],
  head: Pick<JournalHead, 'recordedVersion'>,
  start: () => Started,
): Steps<Pick<Replay, 'recorded' | 'replayed'> & Started & Pick<RestoredCall, 'commands'>> {
  const { call, form, commands } = yield* runAgain(lines, head, start);
  const recorded: Decision[] = [];
  for (const [i, line] of lines.entries()) {
    if (i % STEP_LINES === 0) yield;
    if (line.kind === 'command') recorded.push(decision(line.at, line.type, line.data));
  }
  const replayed: Decision[] = [];
  for (const [i, { at, ...command }] of commands.entries()) {
    if (i % STEP_LINES === 0) yield;
    const { type, data } = form.of(command);
    replayed.push(decision(at, type, data));
  }
  return { recorded, replayed, call, form, commands };
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

function* runAgain(
  lines: readonly JournalLine[],
  { recordedVersion }: Pick<JournalHead, 'recordedVersion'>,
  start: () => Started,
): Steps<Started & Pick<RestoredCall, 'commands'>> {
  const commands: StampedCommand[] = [];
  let call: Call | undefined;
  try {
    const started = start();
    call = started.call;
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
    return { ...started, commands };
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
