import type { AssistantTest } from '../contract/assistant-test.ts';
import type { CallSnapshot } from '../contract/call-snapshot.ts';
import { costOf, type Prices } from '../contract/prices.ts';
import type { ModelChoice, TestEstimate } from '../contract/test-suite.ts';
import type { UsageLine } from '../contract/usage.ts';

const CHARS_PER_TOKEN = 4;
/** What one turn adds to the context, and what one answer has, in tokens. */
const TURN_TOKENS = 60;
const ANSWER_TOKENS = 60;
/** A tool's result is one more request. */
const REQUESTS_PER_TURN = 1.3;
const JUDGE_TOKENS = 400;

/** The models that cost nothing: they run on this machine, or are scripts. */
const FREE = ['offline', 'scripted'];

interface Asked {
  readonly snapshot: CallSnapshot;
  readonly judge: ModelChoice;
  readonly prices: Prices | undefined;
}

/** How much the tests will ask of models, by the length of texts. Pure. */
export function estimateRun(
  tests: readonly AssistantTest[],
  { snapshot, judge, prices }: Asked,
): TestEstimate {
  const { assistant, tools = [] } = snapshot;
  const own = lineOf({ provider: assistant.assistantProvider, model: assistant.assistantModel });
  const judging = lineOf(judge);
  const instructions =
    (assistant.assistantSystemPrompt.length + JSON.stringify(tools).length) / CHARS_PER_TOKEN;
  for (const test of tests) {
    const turns = test.turns?.length ?? test.persona?.maxTurns ?? 0;
    if (!test.model) ask(own, turns * REQUESTS_PER_TURN, instructions + (turns / 2) * TURN_TOKENS);
    const judged = [...test.expect, ...(test.turns ?? []).flatMap(({ expect }) => expect)].filter(
      (condition) => condition.judge !== undefined,
    );
    ask(judging, judged.length, JUDGE_TOKENS + turns * TURN_TOKENS);
    const isPlayed = test.persona && !FREE.includes(judge.provider);
    if (isPlayed) ask(judging, turns, JUDGE_TOKENS + (turns / 2) * TURN_TOKENS);
  }
  return estimateOf([own, judging], prices);
}

/** How much one judgement of a conversation of so many characters will ask. Pure. */
export function estimateJudgement(
  chars: number,
  { judge, prices }: Pick<Asked, 'judge' | 'prices'>,
): TestEstimate {
  const line = lineOf(judge);
  ask(line, 1, JUDGE_TOKENS + chars / CHARS_PER_TOKEN);
  return estimateOf([line], prices);
}

function estimateOf(asked: readonly Asking[], prices: Prices | undefined): TestEstimate {
  const lines = asked
    .filter(({ requests, vendor }) => requests > 0 && !FREE.includes(vendor))
    .map(rounded);
  const sum = (of: (line: UsageLine) => number) => lines.reduce((all, line) => all + of(line), 0);
  return {
    requests: sum(({ requests }) => requests),
    inputTokens: sum(({ inputTokens = 0 }) => inputTokens),
    outputTokens: sum(({ outputTokens = 0 }) => outputTokens),
    vendors: [...new Set(lines.map(({ vendor, model }) => [vendor, model].join('/')))],
    ...(prices && lines.length > 0 ? { cost: costOf(lines, prices) } : {}),
  };
}

interface Asking extends UsageLine {
  requests: number;
  inputTokens: number;
  outputTokens: number;
}

function lineOf({ provider: vendor, model }: ModelChoice): Asking {
  return { kind: 'llm', vendor, model, requests: 0, inputTokens: 0, outputTokens: 0 };
}

function ask(line: Asking, requests: number, inputTokens: number): void {
  line.requests += requests;
  line.inputTokens += requests * inputTokens;
  line.outputTokens += requests * ANSWER_TOKENS;
}

function rounded(line: Asking): UsageLine {
  return {
    ...line,
    requests: Math.ceil(line.requests),
    inputTokens: Math.ceil(line.inputTokens),
    outputTokens: Math.ceil(line.outputTokens),
  };
}
