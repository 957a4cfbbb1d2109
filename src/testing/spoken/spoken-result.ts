import type { AssistantTest } from '../../contract/assistant-test.ts';
import type {
  ConditionResult,
  SpokenFigures,
  TestResult,
} from '../../contract/assistant-test-result.ts';
import { isReservedToolName } from '../../contract/reserved-tool-names.ts';
import { type Judge, judgeCondition } from '../conditions.ts';
import type { HeldConversation } from '../conversation.ts';
import { type Deeds, evidenceOf, numbered } from '../evidence.ts';
import { ownToolsOf } from '../own-tools.ts';
import { testResult } from '../test-result.ts';
import type { ToolUse } from '../test-tools.ts';
import { transfersOf } from '../transfers.ts';
import type { SpokenCall } from './spoken-call.ts';

/** The sound of an answer that begins so shortly before the caller's last sound cuts nobody off. */
const EDGE_MS = 50;
/** So long after the caller's words an answer may still stop for them. */
const AFTER_MS = 1500;

/** A call's record, as far as a test needs it. Times are ISO 8601. */
export interface SpokenRecord {
  readonly startAt: string;
  readonly endReason?: string | undefined;
  readonly messages: readonly {
    readonly messageId: string;
    readonly role: string;
    readonly text: string;
    readonly timestamp: string;
  }[];
}

interface Ended {
  readonly spoken: SpokenCall;
  readonly record: SpokenRecord;
  /** The call's event log, one line of JSON each. */
  readonly events: string;
  readonly scripts: {
    readonly problems: readonly string[];
    readonly notes: ReadonlySet<string>;
    /** The number of the operator in the place of whom `alias` was dialled. */
    readonly operator?: { readonly number: string; readonly alias: string } | undefined;
    /** The service ran its own tools, whatever the test says of them. @defaultValue false */
    readonly ranOwnTools?: boolean;
  };
}

/** Judges a spoken call like a written one. */
export async function resultOf(
  test: AssistantTest,
  ended: Ended,
  judge: Judge,
): Promise<TestResult> {
  const { spoken, scripts } = ended;
  const held = heldOf(ended);
  const log = linesOf(ended);
  const { operator } = scripts;
  const transfers = transfersOf(log).map((transfer) =>
    operator && transfer.to === operator.alias ? { ...transfer, to: operator.number } : transfer,
  );
  const calls = numbered(held, [...toolsOf(log), ...ownToolsOf(log)]);
  const conditions: ConditionResult[] = [];
  const lines = test.turns ?? [];
  for (const [index, { expect }] of lines.entries()) {
    const at = spoken.turns.findIndex((taken) => taken.index === index);
    for (const condition of expect) {
      // What a condition made the caller do belongs to the turn before.
      const last = spoken.turns.findLastIndex((_, n) => n >= at && isOwn(spoken, n, at));
      const evidence =
        at < 0
          ? { said: '', tools: [], transfers: [], answersMs: [], endReason: held.endReason }
          : evidenceOver(held, { calls, transfers }, at, last);
      const finding = await judgeCondition(condition, evidence, judge);
      const detail = at < 0 ? { detail: 'the call had ended' } : {};
      conditions.push({ turn: index + 1, ...finding, ...detail });
    }
  }
  for (const condition of test.expect)
    conditions.push(await judgeCondition(condition, evidenceOf(held, { calls, transfers }), judge));
  const { notes } = scripts;
  const problems = [...scripts.problems, ...(scripts.ranOwnTools ? unheeded(test, calls) : [])];
  return testResult(test, held, { conditions, problems, calls, notes });
}

/** The service's own tools are run for real: an answer that the test has for one was not used. */
function unheeded({ tools }: AssistantTest, calls: readonly ToolUse[]): readonly string[] {
  const names = new Set(calls.map(({ name }) => name));
  return [...names]
    .filter((name) => isReservedToolName(name) && Array.isArray(tools[name]))
    .map((name) => `spoken tests run ${name} for real: what the test says it answers was not used`);
}

/** True for the turn at `at` and those that a condition put behind it. */
const isOwn = ({ turns }: SpokenCall, n: number, at: number) =>
  n === at || turns.slice(at + 1, n + 1).every(({ index }) => index === undefined);

function evidenceOver(held: HeldConversation, deeds: Deeds, at: number, to: number) {
  const all = Array.from({ length: to - at + 1 }, (_, n) => evidenceOf(held, deeds, at + n));
  return {
    said: all.map(({ said }) => said).join('\n'),
    tools: all.flatMap(({ tools }) => tools),
    transfers: all.flatMap((evidence) => evidence.transfers),
    answersMs: all[0]?.answersMs ?? [],
    endReason: all.at(-1)?.endReason,
  };
}

function heldOf(ended: Ended): HeldConversation {
  const { spoken, record } = ended;
  const answers = new Map(spoken.measured.map(({ turn, answerMs }) => [turn, answerMs]));
  return {
    turns: spoken.turns.map((taken) => ({
      turn: taken.turn,
      beganAt: taken.fromMs,
      endedAt: taken.toMs,
    })),
    messages: record.messages.map(({ messageId, role, text, timestamp }) => ({
      messageId,
      role,
      text,
      at: Date.parse(timestamp) - spoken.beganAt,
    })) as HeldConversation['messages'],
    answersMs: spoken.turns.map((taken) => answers.get(taken)),
    endReason: record.endReason,
    durationMs: spoken.durationMs,
  };
}

interface EventLine {
  readonly at?: number;
  readonly type?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** The event log on the caller's clock. */
function linesOf(ended: Pick<Ended, 'events' | 'spoken' | 'record'>) {
  const lines = parsed(ended.events);
  const offsetMs = offsetOf(ended, lines);
  return lines.map(({ at = 0, type, data = {} }) => ({ type, data, atMs: at + offsetMs }));
}

const parsed = (events: string): readonly EventLine[] =>
  events
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as EventLine);

/** From a time of the record to one of the caller's clock, ms. A call is counted from when it began to be held. */
function offsetOf(
  { spoken, record }: Pick<Ended, 'spoken' | 'record'>,
  lines: readonly EventLine[],
) {
  const startedAt = lines.find(({ type }) => type === 'call.created')?.data?.startedAt;
  return (typeof startedAt === 'number' ? startedAt : Date.parse(record.startAt)) - spoken.beganAt;
}

function toolsOf(lines: ReturnType<typeof linesOf>): readonly ToolUse[] {
  return lines
    .filter(({ type }) => type === 'tool.invoke')
    .map(({ atMs, data }) => ({
      name: String(data.name),
      arguments: (data.arguments ?? {}) as ToolUse['arguments'],
      ok: lines.some(
        ({ type, data: answer }) => type === 'tool.result' && answer.toolCallId === data.toolCallId,
      ),
      turn: 0,
      atMs,
    }));
}

/** What is measured of a call, by ear and by its record. Pure. */
export function figuresOf(ended: Pick<Ended, 'spoken' | 'record' | 'events'>): SpokenFigures {
  const { spoken, record } = ended;
  const { measured } = spoken;
  const said = measured.flatMap(({ turn }) => tokens(turn.turn.say ?? ''));
  const heard = record.messages
    .filter(({ role }) => role === 'user')
    .flatMap(({ text }) => tokens(text));
  const isSpokenTo = (atMs: number) =>
    measured.some(({ turn }) => atMs >= turn.fromMs && atMs <= turn.toMs + AFTER_MS);
  const cleared = linesOf(ended).filter(
    ({ type, atMs }) => type === 'play.cleared' && !isSpokenTo(atMs),
  );
  const answersMs = measured.flatMap(({ answerMs }) => answerMs ?? []);
  return {
    wordsSaid: said.length,
    wordsHeard: common(said, heard),
    turns: measured.length,
    answered: answersMs.length,
    answersMs: answersMs.filter((ms) => ms >= -EDGE_MS),
    stopsMs: measured.flatMap(({ bargeInStopMs }) => bargeInStopMs ?? []),
    cutIns: answersMs.filter((ms) => ms < -EDGE_MS).length,
    lostReplies: cleared.length,
  };
}

const tokens = (text: string): readonly string[] =>
  text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];

/** How many words the two have in common, each as often as it is in both. */
function common(said: readonly string[], heard: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of heard) left.set(word, (left.get(word) ?? 0) + 1);
  let count = 0;
  for (const word of said) {
    const there = left.get(word) ?? 0;
    if (there === 0) continue;
    count++;
    left.set(word, there - 1);
  }
  return count;
}
