import type { Effects } from '../machine/effects.ts';
import { isOver } from '../reply/reply-phase.ts';
import type { CallState } from '../state/call-state.ts';

export const allTools = ({ tools }: CallState) => [...tools.awaited, ...tools.async];

/** Tools that were not invoked yet, because the turn may be reopened or a line comes first. */
export const unstarted = (state: CallState) => allTools(state).filter(({ invoked }) => !invoked);

export function openGateAt(state: CallState, effects: Effects, at: number): void {
  state.tools.gateAt = at;
  effects.arm('toolGate', at);
}

/** T1: lets tools start whose blocking line was said, or could not be said by any voice. */
export function freeBlockedTools(state: CallState, effects: Effects): void {
  const { reply } = state.assistant;
  for (const tool of unstarted(state)) {
    if (tool.afterUtterance === undefined) continue;
    const line = reply?.utterances.find(({ uttId }) => uttId === tool.afterUtterance);
    if (line && !isOver(line)) continue;
    tool.afterUtterance = undefined;
    openGateAt(state, effects, Math.max(effects.now, state.tools.gateAt));
  }
}
