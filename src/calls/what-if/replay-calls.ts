import type { Comparison, WhatIfTable } from '../../contract/what-if.ts';
import { ComputePool } from '../../lib/compute-pool.ts';
import { sumFigures } from '../../simulation/what-if/sum-figures.ts';
import { listCalls } from '../../store/call-list.ts';
import { getCall } from '../../store/calls.ts';
import { UnreadableError } from '../../store/sealed-content.ts';
import {
  answerOf,
  type CallChange,
  type FoundChange,
  findInstead,
  type ReplayDeps,
  type ReplayPool,
  refusalOf,
} from './replay-call.ts';
import type { ReplayAnswer } from './replay-task.ts';

const THREADS = 2;
const MAX_WAITING_PER_TEAM = 4;
/** Of one request for many calls. */
const BUDGET_MS = 60_000;

/** Threads that replay calls, away from the one that carries sound. */
export const createReplayPool = (): ReplayPool =>
  new ComputePool({
    entry: new URL('./replay-thread.ts', import.meta.url),
    threads: THREADS,
    maxWaitingPerTeam: MAX_WAITING_PER_TEAM,
  });

/** Replays the latest calls that match. Those that can't be replayed are named with the reason. */
export async function replayCalls(
  deps: ReplayDeps,
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
  deps: ReplayDeps,
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
