import type { AssistantConfig } from '../contract/assistant.ts';
import type { CallAnalysis } from '../contract/call.ts';
import { ProviderError } from '../lib/errors.ts';
import { JsonSchemaError } from '../lib/json-schema-error.ts';
import type { Clock } from '../ports/clock.ts';
import type { Llm } from '../ports/llm.ts';
import type { Message } from '../store/messages.ts';
import { type AnswerChecks, askJson, askText, UnusableAnswerError } from './ask.ts';
import { outcomeOf } from './outcome.ts';
import { defaultPrompts, questionAbout } from './prompts.ts';
import { rubrics } from './rubrics.ts';

type Step = NonNullable<CallAnalysis['steps']>[number];
type Settings = Pick<
  AssistantConfig,
  'assistantAnalysis' | 'assistantOutcome' | 'assistantSystemPrompt'
>;

interface AnalyseCallParams extends AnswerChecks {
  readonly assistant: Settings;
  readonly messages: readonly Message[];
  /** Replaces the variables of a prompt. */
  readonly fill: (text: string) => string;
  /** The model to ask; throws when the assistant's configured model cannot be used. */
  readonly model: () => Llm;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** The result of one step: its part of the analysis and its state. */
interface StepResult {
  readonly step: Step;
  readonly part?: Partial<CallAnalysis>;
}

const ROLE_NAMES: Readonly<Record<string, string>> = {
  user: 'Caller',
  assistant: 'Assistant',
  tool: 'Tool',
  system: 'Note',
};

/**
 * Runs the enabled analyses of a finished call in parallel, each with its own timeout. A failed step reports its
 * reason; only an abort throws. Undefined when none is enabled.
 */
export async function analyseCall(params: AnalyseCallParams): Promise<CallAnalysis | undefined> {
  const { assistantAnalysis: wanted, assistantOutcome } = params.assistant;
  const names = (['summary', 'successEvaluation', 'structuredData'] as const).filter(
    (name) => wanted[name].enabled,
  );
  if (names.length === 0) return undefined;
  const obstacle = obstacleOf(params);
  const results: StepResult[] = obstacle
    ? names.map((step) => ({ step: { step, ...obstacle } }))
    : await Promise.all(names.map((name) => runStep(name, params)));
  const parts = Object.assign({}, ...results.map(({ part }) => part)) as Partial<CallAnalysis>;
  const steps = results.map(({ step }) => step);
  if (!wanted.structuredData.enabled || assistantOutcome.length === 0) return { ...parts, steps };
  const outcome = outcomeStep(parts.structuredData, assistantOutcome);
  return { ...parts, ...outcome.part, steps: [...steps, outcome.step] };
}

function obstacleOf({
  messages,
  model,
}: AnalyseCallParams): Pick<Step, 'state' | 'reason'> | undefined {
  if (!messages.some(({ role, text }) => role === 'user' && text.trim() !== ''))
    return { state: 'skipped', reason: 'the caller said nothing' };
  try {
    if (model().provider !== 'offline') return undefined;
  } catch (error) {
    return { state: 'failed', reason: reasonOf(error) };
  }
  const reason = 'the offline responder cannot judge a conversation: choose a model host';
  return { state: 'skipped', reason };
}

async function runStep(
  step: 'summary' | 'successEvaluation' | 'structuredData',
  params: AnalyseCallParams,
): Promise<StepResult> {
  const { clock, assistant } = params;
  const { timeoutSeconds } = assistant.assistantAnalysis[step];
  if (
    step === 'structuredData' &&
    Object.keys(assistant.assistantAnalysis[step].schema).length === 0
  )
    return { step: { step, state: 'skipped', reason: 'no schema says what data is wanted' } };
  const deadline = new AbortController();
  const timer = clock.setTimeout(() => deadline.abort(), timeoutSeconds * 1000);
  try {
    const signal = AbortSignal.any([deadline.signal, params.signal]);
    const part = await askers[step](params, signal);
    return { step: { step, state: 'done' }, part };
  } catch (error) {
    if (params.signal.aborted) throw error;
    const reason = deadline.signal.aborted
      ? `no answer within ${timeoutSeconds} s`
      : reasonOf(error);
    return { step: { step, state: 'failed', reason } };
  } finally {
    clock.clearTimeout(timer);
  }
}

type Asker = (params: AnalyseCallParams, signal: AbortSignal) => Promise<Partial<CallAnalysis>>;

const askers = {
  summary: async (params, signal) => {
    const rules = ['Answer in the language of the conversation, as plain text.'];
    const messages = question(params, 'summary', rules);
    return { summary: await askText(params.model(), { messages, signal }) };
  },
  successEvaluation: async (params, signal) => {
    const { rubric: name } = params.assistant.assistantAnalysis.successEvaluation;
    const rubric = rubrics[name];
    if (!rubric) throw new UnusableAnswerError(`there is no rubric ${name}`);
    const messages = question(params, 'successEvaluation', [
      rubric.instruction,
      asJson(rubric.schema),
    ]);
    const format = { name: 'verdict', schema: rubric.schema };
    const verdict = await askJson(params.model(), { messages, signal }, format, params);
    return { successEvaluation: rubric.render(verdict) };
  },
  structuredData: async (params, signal) => {
    const { schema } = params.assistant.assistantAnalysis.structuredData;
    const messages = question(params, 'structuredData', [asJson(schema)]);
    const format = { name: 'data', schema };
    const structuredData = await askJson(params.model(), { messages, signal }, format, params);
    return { structuredData: { ...structuredData } };
  },
} satisfies Record<string, Asker>;

const asJson = (schema: object) =>
  `Answer with one JSON object that follows this JSON Schema, and nothing else: ${JSON.stringify(schema)}`;

function question(
  { assistant, messages, fill }: AnalyseCallParams,
  step: keyof typeof defaultPrompts,
  rules: readonly string[],
) {
  return questionAbout({
    task: fill(assistant.assistantAnalysis[step].prompt) || defaultPrompts[step],
    rules,
    instructions: fill(assistant.assistantSystemPrompt),
    transcript: messages.map(({ role, text }) => `${ROLE_NAMES[role] ?? role}: ${text}`).join('\n'),
  });
}

function outcomeStep(
  data: CallAnalysis['structuredData'],
  wanted: Settings['assistantOutcome'],
): StepResult {
  const step = 'outcome';
  if (!data) return { step: { step, state: 'skipped', reason: 'there is no structured data' } };
  const { values, problems } = outcomeOf(data, wanted);
  const part = { outcome: { ...values } };
  if (problems.length === 0) return { step: { step, state: 'done' }, part };
  return { step: { step, state: 'failed', reason: problems.join('; ') }, part };
}

/** A reason that users may read: the message of our own errors, and a general sentence for all others. */
function reasonOf(error: unknown): string {
  if (error instanceof JsonSchemaError) return `the schema can't be used: ${error.message}`;
  if (error instanceof ProviderError || error instanceof UnusableAnswerError) return error.message;
  return 'the analysis failed';
}
