import type { Condition } from '../contract/assistant-test.ts';
import type { ConditionResult } from '../contract/assistant-test-result.ts';
import { matchesPattern } from './patterns.ts';
import type { ToolUse } from './test-tools.ts';
import type { TriedTransfer } from './transfers.ts';
import { fits, hasPhrase, listOf } from './words.ts';

/** What a condition is judged by: a turn with what followed it, or the whole call. */
export interface Evidence {
  /** What the assistant said. */
  readonly said: string;
  readonly tools: readonly ToolUse[];
  readonly transfers: readonly TriedTransfer[];
  /** Times from the end of the caller's words to the first sound of the answer; undefined: there was none. */
  readonly answersMs: readonly (number | undefined)[];
  /** Undefined while the call goes on. */
  readonly endReason: string | undefined;
}

export interface Judgement {
  readonly met: boolean;
  readonly reason: string;
}

/** Asks a model whether a statement about the conversation holds. Rejects if it cannot be asked. */
export type Judge = (statement: string) => Promise<Judgement>;

type Finding = Pick<ConditionResult, 'condition' | 'verdict' | 'detail'>;

const MAX_DETAIL_CHARS = 500;

const quoted = (text: string) =>
  `“${text.length > MAX_DETAIL_CHARS ? `${text.slice(0, MAX_DETAIL_CHARS)}…` : text}”`;

/** Judges one condition. Never rejects. */
export async function judgeCondition(
  condition: Condition,
  evidence: Evidence,
  judge: Judge,
): Promise<Finding> {
  if (condition.judge === undefined) return judgeByRule(condition, evidence);
  const words = `judged: ${condition.judge}`;
  try {
    const { met, reason } = await judge(condition.judge);
    return finding(words, met, reason);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { condition: words, verdict: 'not-judged', detail: detail.slice(0, MAX_DETAIL_CHARS) };
  }
}

function finding(condition: string, met: boolean, detail?: string): Finding {
  const short = detail?.slice(0, MAX_DETAIL_CHARS);
  return { condition, verdict: met ? 'met' : 'unmet', ...(met || !short ? {} : { detail: short }) };
}

const heard = (said: string) =>
  said === '' ? 'the assistant said nothing' : `said ${quoted(said)}`;

function judgeByRule(
  condition: Condition,
  { said, tools, transfers, answersMs, endReason }: Evidence,
): Finding {
  const { contains, matches, never, neverMatches, tool, noTool, answerWithinMs, outcome } =
    condition;
  if (contains !== undefined) {
    const absent = listOf(contains).filter((phrase) => !hasPhrase(said, phrase));
    return finding(
      `says ${listOf(contains).map(quoted).join(' and ')}`,
      absent.length === 0,
      heard(said),
    );
  }
  if (matches !== undefined)
    return finding(`matches /${matches}/`, matchesPattern(matches, said), heard(said));
  if (never !== undefined) {
    const found = listOf(never).filter((phrase) => hasPhrase(said, phrase));
    return finding(
      `never says ${listOf(never).map(quoted).join(' or ')}`,
      found.length === 0,
      heard(said),
    );
  }
  if (neverMatches !== undefined)
    return finding(
      `never matches /${neverMatches}/`,
      !matchesPattern(neverMatches, said),
      heard(said),
    );
  if (noTool !== undefined) {
    const calls = tools.filter(({ name }) => name === noTool);
    return finding(`does not call ${noTool}`, calls.length === 0, calledWith(calls));
  }
  if (tool !== undefined) return judgeTool(tool, tools);
  if (condition.transfer) return judgeTransfer(condition.transfer, transfers);
  if (condition.noTransfer)
    return finding('dials nobody', transfers.length === 0, triedTo(transfers));
  if (answerWithinMs !== undefined) return judgeTimes(answerWithinMs, answersMs);
  const ended = endReason ?? 'the call went on';
  return finding(`the call ends with ${outcome}`, endReason === outcome, ended);
}

function judgeTool(wanted: NonNullable<Condition['tool']>, tools: readonly ToolUse[]): Finding {
  const { name, arguments: args, times } = typeof wanted === 'string' ? { name: wanted } : wanted;
  const named = tools.filter((call) => call.name === name);
  const fitting = named.filter((call) => args === undefined || fits(call.arguments, args));
  const how = [
    args === undefined ? '' : ` with ${JSON.stringify(args)}`,
    times === undefined ? '' : `, ${times} time${times === 1 ? '' : 's'}`,
  ].join('');
  const met = times === undefined ? fitting.length > 0 : fitting.length === times;
  const others =
    tools.length === 0 ? 'no tool was called' : `called ${tools.map((it) => it.name).join(', ')}`;
  return finding(`calls ${name}${how}`, met, named.length > 0 ? calledWith(named) : others);
}

function judgeTransfer(
  { to, result }: NonNullable<Condition['transfer']>,
  transfers: readonly TriedTransfer[],
): Finding {
  const met = transfers.some(
    (tried) =>
      (to === undefined || tried.to === to) && (result === undefined || tried.result === result),
  );
  const where = to === undefined ? '' : ` to ${to}`;
  const how = result === undefined ? '' : `: ${result}`;
  return finding(`puts the caller through${where}${how}`, met, triedTo(transfers));
}

const triedTo = (transfers: readonly TriedTransfer[]) =>
  transfers.length === 0
    ? 'nobody was dialled'
    : transfers.map(({ to, result = 'not over' }) => `dialled ${to}: ${result}`).join('; ');

function judgeTimes(withinMs: number, answersMs: Evidence['answersMs']): Finding {
  const slow = answersMs.filter((ms) => ms === undefined || ms > withinMs);
  const shown = slow.map((ms) => (ms === undefined ? 'no answer' : `${ms} ms`)).join(', ');
  return finding(
    `answers within ${withinMs} ms`,
    answersMs.length > 0 && slow.length === 0,
    shown === '' ? 'no answer' : shown,
  );
}

function calledWith(calls: readonly ToolUse[]): string {
  return calls
    .map(({ name, arguments: args }) => `called ${name} with ${JSON.stringify(args)}`)
    .join('; ');
}
