import type { Effects } from '../machine/effects.ts';
import { addPiece } from '../reply/reply.ts';
import { CONSTANTS } from '../settings/constants.ts';
import type { ToolLine } from '../settings/settings.ts';
import type { CallState } from '../state/call-state.ts';
import { linesOf, pickLine } from './tool-lines.ts';

const FLOOR_CHECK_MS = 500;

/** The excuses for the tools that are waited for, by the wait after which they are due. */
function excuses(state: CallState): readonly (readonly [number, readonly ToolLine[]])[] {
  const lines = state.tools.waited.flatMap((tool) =>
    linesOf(state, tool.name, 'request-response-delayed'),
  );
  const stages = Map.groupBy(lines, (line) => line.timingMs ?? CONSTANTS.toolDelayMs);
  return [...stages].sort(([a], [b]) => a - b);
}

/** T2: the next stage whose time has not come yet. */
export function armDelayedLine(state: CallState, effects: Effects): void {
  const next = excuses(state)[state.tools.excuses];
  if (next) effects.arm('toolDelay', Math.max(effects.now, state.tools.since + next[0]));
}

/** T2: the tool takes its time. */
export function sayDelayed(state: CallState, effects: Effects): void {
  const { reply } = state.assistant;
  const stage = excuses(state)[state.tools.excuses];
  if (!reply || !stage || reply.phase.name === 'cut') return;
  const quiet = reply.utterances.every(({ stage }) => stage === 'done' || stage === 'failed');
  if (!quiet || effects.chart.user !== 'silent') {
    effects.armIn('toolDelay', FLOOR_CHECK_MS);
    return;
  }
  state.tools.excuses++;
  const line = pickLine(state, stage[1]);
  if (line) addPiece(state, effects, reply, line.content);
  armDelayedLine(state, effects);
}
