import type { z } from 'zod';
import type { AssistantConfig } from '../../contract/assistant.ts';
import { invalid, Problem } from '../../contract/errors.ts';
import { applyMergePatch } from '../../contract/merge-patch.ts';
import { validate } from '../../contract/validation.ts';
import type {
  Comparison,
  CutInReaction,
  Instead,
  ToolChange,
  WhatIfTable,
} from '../../contract/what-if.ts';
import { ComputeError, ComputePool } from '../../lib/compute-pool.ts';
import type { JournalLine } from '../../ports/journal.ts';
import type { Llm } from '../../ports/llm.ts';
import type { ModelPart } from '../../simulation/parts.ts';
import { sumFigures } from '../../simulation/what-if/sum-figures.ts';
import { getVersion } from '../../store/assistant-versions.ts';
import { readCallEvents } from '../../store/call-events.ts';
import { listCalls } from '../../store/call-list.ts';
import { type CallRecord, getCall } from '../../store/calls.ts';
import type { Db } from '../../store/db.ts';
import { UnreadableError } from '../../store/sealed-content.ts';
import { callVariables } from '../variables.ts';
import { askModel } from './ask-model.ts';
import { estimateCost } from './estimate-cost.ts';
import type { ModelQuestion, ReplayAnswer, ReplayTask } from './replay-task.ts';

/** What is otherwise than it was. */
export interface CallChange {
  /** This assistant answers instead of the call's own; `assistant` changes it. */
  readonly instead?: Instead | undefined;
  readonly assistant?: Readonly<Record<string, unknown>> | undefined;
  readonly tools?: Readonly<Record<string, ToolChange>> | undefined;
  readonly caller: CutInReaction;
  /** The assistant's model answers what the record does not have. */
  readonly askModel?: boolean;
}

interface Deps {
  /** The model of an assistant, for a team; absent: none is asked. */
  readonly modelOf: ((assistant: AssistantConfig, teamId: string) => Llm) | undefined;
  readonly db: Db;
  readonly assistantSchema: z.ZodType<AssistantConfig>;
  readonly pool: ReplayPool;
  /** ms, of any beginning. */
  readonly steady: () => number;
}

/** A change whose version of an assistant was read. */
interface FoundChange extends Omit<CallChange, 'instead'> {
  readonly instead: AssistantConfig | undefined;
}

export type ReplayPool = ComputePool<ReplayTask, ReplayAnswer>;

const THREADS = 2;
const MAX_WAITING_PER_TEAM = 4;
const CPU_MS = 10_000;
const DEADLINE_MS = 30_000;
/** Of one request for many calls. */
const BUDGET_MS = 60_000;
/** Some two hours of speech. */
const MAX_LINES = 60_000;
const RETRY_AFTER_SECONDS = 5;
/** What one replay may ask a model, and how long that may take in all. */
const MAX_QUESTIONS = 40;
const MODEL_BUDGET_MS = 90_000;

/** Threads that replay calls, away from the one that carries sound. */
export const createReplayPool = (): ReplayPool =>
  new ComputePool({
    entry: new URL('./replay-thread.ts', import.meta.url),
    threads: THREADS,
    maxWaitingPerTeam: MAX_WAITING_PER_TEAM,
  });

/** Replays one ended call with a change. Throws Problem: the call or the change can't be replayed. */
export async function replayCall(
  deps: Deps,
  {
    teamId,
    id,
    change,
  }: { readonly teamId: string; readonly id: string; readonly change: CallChange },
): Promise<Comparison> {
  const record = await getCall(deps.db, { teamId, id });
  const answer = await answerOf(deps, record, {
    ...change,
    instead: await findInstead(deps, teamId, change),
  });
  if (answer.kind === 'compared') {
    const { comparison } = answer;
    const cost = record.cost && estimateCost(record.cost, comparison);
    return { ...comparison, ...(cost ? { cost } : {}) };
  }
  throw new Problem({ kind: 'conflict', message: refusalOf(answer) });
}

/** Throws NotFoundError. */
async function findInstead(
  { db }: Deps,
  teamId: string,
  { instead }: CallChange,
): Promise<AssistantConfig | undefined> {
  if (!instead) return undefined;
  const { assistantId: id, assistantVersion: name = '' } = instead;
  return (await getVersion(db, { teamId, id, name })).config;
}

const refusalOf = (answer: Exclude<ReplayAnswer, { kind: 'compared' }>): string =>
  answer.kind === 'refused' ? answer.reason : 'the model was not asked';

/** Replays the latest calls that match. Those that can't be replayed are named with the reason. */
export async function replayCalls(
  deps: Deps,
  params: {
    readonly teamId: string;
    readonly change: CallChange;
    readonly startDate?: Date;
    readonly endDate?: Date;
    readonly assistantId?: string;
    readonly limit: number;
  },
): Promise<WhatIfTable> {
  const { change: asked, limit, ...filter } = params;
  const { teamId } = filter;
  const change = { ...asked, instead: await findInstead(deps, teamId, asked) };
  const { totalCount, ids } = await listCalls(deps.db, { ...filter, live: false, size: limit });
  const until = deps.steady() + BUDGET_MS;
  const compared: Comparison[] = [];
  const skipped: WhatIfTable['skipped'] = [];
  for (const id of ids) {
    if (deps.steady() > until) break;
    const answer = await readableAnswer(deps, { teamId, id }, change);
    if (answer.kind === 'compared') compared.push(answer.comparison);
    else skipped.push({ callId: id, reason: refusalOf(answer) });
  }
  return {
    calls: compared.map(({ callId, divergence, turns, recorded, replayed }) => ({
      callId,
      same: divergence === null,
      unknownTurns: turns.filter(({ certainty }) => certainty === 'unknown').length,
      recorded,
      replayed,
    })),
    skipped,
    remaining: totalCount - compared.length - skipped.length,
    recorded: sumFigures(compared, 'recorded'),
    replayed: sumFigures(compared, 'replayed'),
    notReplayed: [...new Set(compared.flatMap(({ notReplayed }) => notReplayed))],
  };
}

/** A call whose key was thrown away must not keep the others from being looked at. */
async function readableAnswer(
  deps: Deps,
  call: { readonly teamId: string; readonly id: string },
  change: FoundChange,
): Promise<ReplayAnswer> {
  try {
    return await answerOf(deps, await getCall(deps.db, call), change);
  } catch (error) {
    if (error instanceof UnreadableError) return { kind: 'refused', reason: error.message };
    throw error;
  }
}

async function answerOf(
  deps: Deps,
  record: CallRecord,
  change: FoundChange,
): Promise<ReplayAnswer> {
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
  const { modelOf } = deps;
  if (!change.askModel || !modelOf) return await run(deps, record, task);
  const assistant = task.assistant?.after ?? record.snapshot.assistant;
  const llm = modelOf(assistant, record.teamId);
  const signal = AbortSignal.timeout(MODEL_BUDGET_MS);
  const known: Record<string, readonly ModelPart[]> = {};
  for (let asked = 0; asked <= MAX_QUESTIONS; asked++) {
    const answer = await run(deps, record, { ...task, known });
    if (answer.kind !== 'asks') return answer;
    const { digest, ...question } = answer.question;
    known[digest] = await answerOfModel(llm, assistant, question, { team: record.teamId, signal });
  }
  return {
    kind: 'refused',
    reason: `the replay asks the model more than ${MAX_QUESTIONS} times`,
  };
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
      language: assistant.config.speech.stt.languages,
      signal,
    });
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : String(cause);
    throw new Problem({ kind: 'vendor', message: `The model did not answer: ${said}`, cause });
  }
}

async function run({ pool }: Deps, record: CallRecord, task: ReplayTask): Promise<ReplayAnswer> {
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
  { assistantSchema }: Deps,
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
