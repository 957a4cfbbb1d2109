import type { AssistantTest } from '../contract/assistant-test.ts';
import type { ConditionResult, TestResult, TestStatus } from '../contract/assistant-test-result.ts';
import type { HeldConversation } from './conversation.ts';
import type { ToolUse } from './test-tools.ts';

const MAX_TEXT_CHARS = 20_000;

interface Judged {
  readonly conditions: readonly ConditionResult[];
  /** Why it could not be held as written. */
  readonly problems: readonly string[];
  readonly calls: readonly ToolUse[];
  readonly notes: Iterable<string>;
}

/** The result of a test that was held and judged. Pure. */
export function testResult(
  { name }: Pick<AssistantTest, 'name'>,
  held: HeldConversation,
  { conditions, problems, calls, notes }: Judged,
): TestResult {
  return {
    name,
    status: statusOf(conditions, problems),
    ...(problems[0] === undefined ? {} : { reason: problems[0] }),
    conditions: [...conditions],
    transcript: held.messages.map(({ role, text, at }) => ({
      role,
      text: text.slice(0, MAX_TEXT_CHARS),
      atMs: instant(at),
    })),
    tools: calls.map((call) => ({
      ...call,
      arguments: { ...call.arguments },
      atMs: instant(call.atMs),
    })),
    answersMs: held.answersMs.flatMap((ms) => ms ?? []),
    ...(held.endReason === undefined ? {} : { endReason: held.endReason }),
    durationMs: Math.round(held.durationMs),
    notes: [...notes],
  };
}

/** The record of a call on another clock may begin before the caller's. */
const instant = (ms: number) => Math.max(0, Math.round(ms));

/** The result of a test that was not held, or not to its end. */
export function brokenTest(
  name: string,
  reason: string,
  status: Extract<TestStatus, 'broken' | 'not-run'> = 'broken',
): TestResult {
  const nothing = { conditions: [], transcript: [], tools: [], answersMs: [], notes: [] };
  return { name, status, reason, ...nothing, durationMs: 0 };
}

/** Broken, failed, not judged or passed, in this order. */
function statusOf(conditions: readonly ConditionResult[], problems: readonly string[]): TestStatus {
  if (problems.length > 0) return 'broken';
  const has = (verdict: ConditionResult['verdict']) =>
    conditions.some((condition) => condition.verdict === verdict);
  if (has('unmet')) return 'failed';
  return has('not-judged') ? 'not-judged' : 'passed';
}
