import { costOf, type Prices, pricedName } from '../../contract/prices.ts';
import type { ModelChoice, ModelEstimate } from '../../contract/test-suite.ts';
import type { UsageLine } from '../../contract/usage.ts';

export const CHARS_PER_TOKEN = 4;
/** What one answer has, in tokens. */
const ANSWER_TOKENS = 60;

/** The models that cost nothing: they run on this machine, or are scripts. */
export const FREE: readonly string[] = ['offline', 'scripted'];

/** How much a model will be asked. */
export interface Asking extends UsageLine {
  requests: number;
  inputTokens: number;
  outputTokens: number;
}

export function askingOf({ provider: vendor, model }: ModelChoice): Asking {
  return { kind: 'llm', vendor, model, requests: 0, inputTokens: 0, outputTokens: 0 };
}

/** Adds so many requests, each with so many tokens of input. */
export function ask(line: Asking, requests: number, inputTokens: number): void {
  line.requests += requests;
  line.inputTokens += requests * inputTokens;
  line.outputTokens += requests * ANSWER_TOKENS;
}

/** What asking them will come to. Pure. */
export function estimateOf(asked: readonly Asking[], prices: Prices | undefined): ModelEstimate {
  const lines = asked
    .filter(({ requests, vendor }) => requests > 0 && !FREE.includes(vendor))
    .map(rounded);
  const sum = (of: (line: UsageLine) => number) => lines.reduce((all, line) => all + of(line), 0);
  return {
    requests: sum(({ requests }) => requests),
    inputTokens: sum(({ inputTokens = 0 }) => inputTokens),
    outputTokens: sum(({ outputTokens = 0 }) => outputTokens),
    vendors: [...new Set(lines.map(pricedName))],
    ...(prices && lines.length > 0 ? { cost: costOf(lines, prices) } : {}),
  };
}

function rounded(line: Asking): UsageLine {
  return {
    ...line,
    requests: Math.ceil(line.requests),
    inputTokens: Math.ceil(line.inputTokens),
    outputTokens: Math.ceil(line.outputTokens),
  };
}
