import {
  ask,
  askingOf,
  CHARS_PER_TOKEN,
  estimateOf,
  FREE,
} from '../calls/models/estimate-models.ts';
import type { AssistantTest } from '../contract/assistant-test.ts';
import type { CallSnapshot } from '../contract/call-snapshot.ts';
import type { Prices } from '../contract/prices.ts';
import type { ModelChoice, ModelEstimate } from '../contract/test-suite.ts';

/** What one turn adds to the context, in tokens. */
const TURN_TOKENS = 60;
/** A tool's result is one more request. */
const REQUESTS_PER_TURN = 1.3;
const JUDGE_TOKENS = 400;

interface Asked {
  readonly snapshot: CallSnapshot;
  readonly judge: ModelChoice;
  readonly prices: Prices | undefined;
}

/** How much the tests will ask of models, by the length of texts. Pure. */
export function estimateRun(
  tests: readonly AssistantTest[],
  { snapshot, judge, prices }: Asked,
): ModelEstimate {
  const { assistant, tools = [] } = snapshot;
  const own = askingOf({ provider: assistant.assistantProvider, model: assistant.assistantModel });
  const judging = askingOf(judge);
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
): ModelEstimate {
  const line = askingOf(judge);
  ask(line, 1, JUDGE_TOKENS + chars / CHARS_PER_TOKEN);
  return estimateOf([line], prices);
}
