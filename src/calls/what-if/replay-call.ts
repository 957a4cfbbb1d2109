import type { z } from 'zod';
import type { AssistantConfig } from '../../contract/assistant.ts';
import { invalid, Problem } from '../../contract/errors.ts';
import { applyMergePatch } from '../../contract/merge-patch.ts';
import type { Prices } from '../../contract/prices.ts';
import type { ModelEstimate, TestBudget } from '../../contract/test-suite.ts';
import { validate } from '../../contract/validation.ts';
import type { Comparison, CutInReaction, Instead, ToolChange } from '../../contract/what-if.ts';
import { ComputeError, type ComputePool } from '../../lib/compute-pool.ts';
import type { JournalLine } from '../../ports/journal.ts';
import type { Llm } from '../../ports/llm.ts';
import type { VendorMeter } from '../../ports/vendor-meter.ts';
import type { ModelPart } from '../../simulation/parts.ts';
import { getVersion } from '../../store/assistant-versions.ts';
import { readCallEvents } from '../../store/call-events.ts';
import { type CallRecord, getCall } from '../../store/calls.ts';
import type { Db } from '../../store/db.ts';
import { CallUsage } from '../../telemetry/call-usage.ts';
import { SpentBudget } from '../models/budget.ts';
import { ask, askingOf, CHARS_PER_TOKEN, estimateOf } from '../models/estimate-models.ts';
import { refuseUncapped } from '../models/refuse-uncapped.ts';
import { callVariables } from '../variables.ts';
import { askModel } from './ask-model.ts';
import { estimateCost } from './estimate-cost.ts';
import type { ModelQuestion, ReplayAnswer, ReplayTask, Unasked } from './replay-task.ts';

/** What is otherwise than it was. */
export interface CallChange {
  /** This assistant answers instead of the call's own; `assistant` changes it. */
  readonly instead?: Instead | undefined;
  readonly assistant?: Readonly<Record<string, unknown>> | undefined;
  readonly tools?: Readonly<Record<string, ToolChange>> | undefined;
  readonly caller: CutInReaction;
  /** The assistant's model answers what the record does not have, within the budget. */
  readonly askModel?: boolean;
  readonly budget?: TestBudget;
}

export interface ReplayDeps {
  /** The model of an assistant, for a team; absent: none is asked. */
  readonly modelOf:
    | ((assistant: AssistantConfig, teamId: string, meter: VendorMeter) => Llm)
    | undefined;
  readonly prices: Prices | undefined;
  readonly db: Db;
  readonly assistantSchema: z.ZodType<AssistantConfig>;
  readonly pool: ReplayPool;
  /** ms, of any beginning. */
  readonly steady: () => number;
}

/** A change whose version of an assistant was read. */
export interface FoundChange extends Omit<CallChange, 'instead'> {
  readonly instead: AssistantConfig | undefined;
}

export type ReplayPool = ComputePool<ReplayTask, ReplayAnswer>;

const CPU_MS = 10_000;
const DEADLINE_MS = 30_000;
/** Some two hours of speech. */
const MAX_LINES = 60_000;
const RETRY_AFTER_SECONDS = 5;
/** What one replay may ask a model, and how long that may take in all. */
const MAX_QUESTIONS = 40;
const MODEL_BUDGET_MS = 90_000;
const SPENT = 'the budget of the replay is spent';

/** Replays one ended call with a change. Throws Problem: the call or the change can't be replayed. */
export async function replayCall(
  deps: ReplayDeps,
  {
    teamId,
    id,
    change,
  }: { readonly teamId: string; readonly id: string; readonly change: CallChange },
): Promise<Comparison> {
  const record = await getCall(deps.db, { teamId, id });
  const instead = await findInstead(deps, teamId, change);
  const answer = await answerOf(deps, record, { ...change, instead });
  if (answer.kind !== 'compared')
    throw new Problem({ kind: 'conflict', message: refusalOf(answer) });
  const { comparison } = answer;
  const cost = record.cost && estimateCost(record.cost, comparison);
  return { ...comparison, ...(cost ? { cost } : {}) };
}

/** What asking the model in such a replay would come to. Throws Problem as the replay does. */
export async function estimateReplay(
  deps: ReplayDeps,
  { teamId, id, change }: Parameters<typeof replayCall>[1],
): Promise<ModelEstimate> {
  const record = await getCall(deps.db, { teamId, id });
  const instead = await findInstead(deps, teamId, change);
  const prepared = await taskOf(deps, record, { ...change, instead });
  const answer = prepared.kind === 'task' ? await run(deps, record, prepared.task) : prepared;
  if (answer.kind !== 'compared')
    throw new Problem({ kind: 'conflict', message: refusalOf(answer) });
  const { assistant } = record.snapshot;
  const asked = prepared.kind === 'task' ? prepared.task.assistant?.after : undefined;
  return estimateAsking(answer.unasked, asked ?? assistant, deps.prices);
}

/** Throws NotFoundError. */
export async function findInstead(
  { db }: ReplayDeps,
  teamId: string,
  { instead }: CallChange,
): Promise<AssistantConfig | undefined> {
  if (!instead) return undefined;
  const { assistantId: id, assistantVersion: name = '' } = instead;
  return (await getVersion(db, { teamId, id, name })).config;
}

export const refusalOf = (answer: Exclude<ReplayAnswer, { kind: 'compared' }>): string =>
  answer.kind === 'refused' ? answer.reason : 'the model was not asked';

type Refused = Extract<ReplayAnswer, { readonly kind: 'refused' }>;

async function taskOf(
  deps: ReplayDeps,
  record: CallRecord,
  change: FoundChange,
): Promise<{ readonly kind: 'task'; readonly task: ReplayTask } | Refused> {
  if (record.endAt === null) return { kind: 'refused', reason: 'the call has not ended' };
  const lines = await linesOf(deps.db, record);
  if (!lines)
    return {
      kind: 'refused',
      reason: `the call is too long to be replayed: its log has more than ${MAX_LINES} lines`,
    };
  const task: ReplayTask = {
    lines,
    ...assistantsOf(deps, record, change),
    variables: callVariables(record, record.startAt.getTime()),
    tools: change.tools ?? {},
    caller: change.caller,
  };
  return { kind: 'task', task };
}

export async function answerOf(
  deps: ReplayDeps,
  record: CallRecord,
  change: FoundChange,
): Promise<ReplayAnswer> {
  const prepared = await taskOf(deps, record, change);
  if (prepared.kind !== 'task') return prepared;
  const { task } = prepared;
  const alone = await run(deps, record, task);
  const { modelOf } = deps;
  if (!change.askModel || !modelOf || alone.kind !== 'compared') return alone;
  const assistant = task.assistant?.after ?? record.snapshot.assistant;
  const { teamId: team } = record;
  const { budget: limits = {} } = change;
  refuseUncapped(estimateAsking(alone.unasked, assistant, deps.prices), limits, 'replay');
  const usage = new CallUsage();
  const budget = new SpentBudget(limits, deps.prices, () => usage.lines());
  const llm = budget.limit(modelOf(assistant, team, usage));
  const signal = AbortSignal.timeout(MODEL_BUDGET_MS);
  const known: Record<string, readonly ModelPart[]> = {};
  for (let asked = 0; asked <= MAX_QUESTIONS; asked++) {
    const isSpent = budget.isSpent;
    const answer = await run(deps, record, { ...task, known, isSpent });
    if (answer.kind === 'compared') {
      const stopped = isSpent && answer.unasked.requests > 0 ? { stopped: SPENT } : {};
      const { tokens, cost } = budget;
      const spent = {
        requests: asked,
        tokens,
        ...(cost && tokens > 0 ? { cost } : {}),
        ...stopped,
      };
      return { ...answer, comparison: { ...answer.comparison, asked: spent } };
    }
    if (answer.kind !== 'asks') return answer;
    const { digest, ...question } = answer.question;
    known[digest] = await answerOfModel(llm, assistant, question, { team, signal });
  }
  return {
    kind: 'refused',
    reason: `the replay asks the model more than ${MAX_QUESTIONS} times`,
  };
}

/** What so many requests to the assistant's model come to, by the length of texts. */
function estimateAsking(
  { requests, characters }: Unasked,
  { assistantProvider: provider, assistantModel: model }: AssistantConfig,
  prices: Prices | undefined,
): ModelEstimate {
  const asking = askingOf({ provider, model });
  if (requests > 0) ask(asking, requests, characters / requests / CHARS_PER_TOKEN);
  return estimateOf([asking], prices);
}

async function answerOfModel(
  llm: Llm,
  assistant: AssistantConfig,
  { messages, tools, toolChoice }: Omit<ModelQuestion, 'digest'>,
  { team, signal }: { readonly team: string; readonly signal: AbortSignal },
): Promise<readonly ModelPart[]> {
  const { assistantTemperature: temperature, assistantMaxTokens: maxTokens } = assistant;
  try {
    return await askModel({
      llm,
      request: {
        messages,
        ...(tools.length > 0 ? { tools, toolChoice } : {}),
        ...{ temperature, maxTokens, team },
      },
      delimiter: assistant.assistantResponseSplitter,
      signal,
    });
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : String(cause);
    throw new Problem({ kind: 'vendor', message: `The model did not answer: ${said}`, cause });
  }
}

async function run(
  { pool }: ReplayDeps,
  record: CallRecord,
  task: ReplayTask,
): Promise<ReplayAnswer> {
  try {
    return await pool.run(task, {
      team: record.teamId,
      cpuMs: CPU_MS,
      deadlineMs: DEADLINE_MS,
    });
  } catch (cause) {
    if (!(cause instanceof ComputeError) || cause.code === 'failed') throw cause;
    throw new Problem({
      kind: 'unavailable',
      message: 'The call cannot be replayed just now',
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      cause,
    });
  }
}

function assistantsOf(
  { assistantSchema }: ReplayDeps,
  { snapshot }: CallRecord,
  { instead, assistant: patch }: FoundChange,
): Pick<ReplayTask, 'assistant'> {
  if (!patch && !instead) return {};
  const before = snapshot.assistant;
  const after = validate(assistantSchema, applyMergePatch(instead ?? before, patch ?? {}));
  if (after.ok) return { assistant: { before, after: after.value } };
  throw invalid(
    after.faults.map(({ path, message }) => ({
      path: path ? `assistant.${path}` : 'assistant',
      message,
    })),
  );
}

/** Undefined: there are too many. */
async function linesOf(db: Db, { id }: CallRecord): Promise<readonly JournalLine[] | undefined> {
  const lines: JournalLine[] = [];
  for await (const line of readCallEvents(db, { callId: id })) {
    if (lines.length >= MAX_LINES) return undefined;
    lines.push(line);
  }
  return lines;
}
