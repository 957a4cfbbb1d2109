import { CONSTANTS } from '../machine/constants.ts';
import type { Mind } from '../machine/mind.ts';
import { addPiece } from '../reply/reply.ts';
import type { ToolLine } from '../settings/settings.ts';
import { linesOf, pickLine } from './tool-lines.ts';

const FLOOR_CHECK_MS = 500;

/** The excuses for the tools that are waited for, by the wait after which they are due. */
function excuses(mind: Mind): readonly (readonly [number, readonly ToolLine[]])[] {
  const lines = [...mind.tools.values()].flatMap((tool) =>
    linesOf(mind, tool.name, 'request-response-delayed'),
  );
  const stages = Map.groupBy(lines, (line) => line.timingMs ?? CONSTANTS.toolDelay);
  return [...stages].sort(([a], [b]) => a - b);
}

/** T2: the next stage whose time has not come yet. */
export function armDelayedLine(mind: Mind): void {
  const next = excuses(mind)[mind.toolExcuses];
  if (next) mind.arm('toolDelay', Math.max(mind.now, mind.toolsSince + next[0]));
}

/** T2: the tool takes its time. */
export function sayDelayed(mind: Mind): void {
  const { reply } = mind;
  const stage = excuses(mind)[mind.toolExcuses];
  if (!reply || !stage || reply.interruptedAt !== undefined) return;
  const quiet = reply.utterances.every(({ state }) => state === 'done' || state === 'failed');
  if (!quiet || mind.user !== 'silent') {
    mind.armIn('toolDelay', FLOOR_CHECK_MS);
    return;
  }
  mind.toolExcuses++;
  const line = pickLine(mind, stage[1]);
  if (line) addPiece(mind, reply, line.content);
  armDelayedLine(mind);
}
