import type { Effects } from '../machine/effects.ts';
import { addPiece } from '../reply/reply.ts';
import { CONSTANTS } from '../settings/constants.ts';
import type { CallTool, ToolLine } from '../settings/settings.ts';
import type { CallState } from '../state/call-state.ts';
import type { AnswerLine } from '../state/tools.ts';

const FLOOR_CHECK_MS = 500;

export const findTool = (state: CallState, name: string): CallTool | undefined =>
  state.settings.tools.find((tool) => tool.definition.name === name);

export function linesOf(
  state: CallState,
  name: string,
  type: ToolLine['type'],
): readonly ToolLine[] {
  return findTool(state, name)?.lines.filter((line) => line.type === type) ?? [];
}

/** Chooses one of several variants by the seed and the number of messages. */
export function pickLine(state: CallState, lines: readonly ToolLine[]): ToolLine | undefined {
  return lines[(state.settings.seed + state.entries.length) % Math.max(1, lines.length)];
}

/** T3, T4: the message of the answer itself, or else the tool's line, if any. */
export function lineAfter(
  state: CallState,
  name: string,
  { ok, message }: { readonly ok: boolean; readonly message: string | undefined },
): AnswerLine {
  const lines = linesOf(state, name, ok ? 'request-complete' : 'request-failed');
  const said = pickLine(
    state,
    lines.filter(({ role }) => role === 'assistant'),
  );
  const hint = pickLine(
    state,
    lines.filter(({ role }) => role === 'system'),
  );
  return {
    spoken: message ?? said?.content,
    hint: hint?.content,
    endCall: said?.endCall ?? hint?.endCall ?? false,
  };
}

/** The delay messages of the awaited tools, grouped by the delay after which they are due. */
function delayStages(state: CallState): readonly (readonly [number, readonly ToolLine[]])[] {
  const lines = state.tools.awaited.flatMap((tool) =>
    linesOf(state, tool.name, 'request-response-delayed'),
  );
  const stages = Map.groupBy(lines, (line) => line.timingMs ?? CONSTANTS.toolDelayMs);
  return [...stages].sort(([a], [b]) => a - b);
}

/** T2: arms the next delay message. */
export function armDelayedLine(state: CallState, effects: Effects): void {
  const next = delayStages(state)[state.tools.delayMessages];
  if (next) effects.arm('toolDelay', Math.max(effects.now, state.tools.since + next[0]));
}

/** T2: says a delay message if nobody speaks; otherwise checks again soon. */
export function sayDelayed(state: CallState, effects: Effects): void {
  const { reply } = state.assistant;
  const stage = delayStages(state)[state.tools.delayMessages];
  if (!reply || !stage || reply.phase.name === 'cut') return;
  const quiet = reply.utterances.every(({ stage }) => stage === 'done' || stage === 'failed');
  if (!quiet || effects.chart.user !== 'silent') {
    effects.armIn('toolDelay', FLOOR_CHECK_MS);
    return;
  }
  state.tools.delayMessages++;
  const line = pickLine(state, stage[1]);
  if (line) addPiece(state, effects, reply, line.content);
  armDelayedLine(state, effects);
}

/** T4: arms the next time-out of a tool. */
export function armOverdue(state: CallState, effects: Effects): void {
  const dues = [...state.tools.awaited, ...state.tools.async].flatMap(({ dueAt }) => dueAt ?? []);
  if (dues.length === 0) effects.disarm('toolOverdue');
  else effects.arm('toolOverdue', Math.max(effects.now, Math.min(...dues)));
}
