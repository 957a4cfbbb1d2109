import type { Effects } from '../machine/effects.ts';
import { isOver } from '../reply/reply-phase.ts';
import type { CallState } from '../state/call-state.ts';

export const allTools = ({ tools }: CallState) => [...tools.waited, ...tools.async];

/** Tools that their servers have not been asked for: the turn may still be taken back, or a line comes first. */
export const unstarted = (state: CallState) => allTools(state).filter(({ invoked }) => !invoked);

export function openGateAt(state: CallState, effects: Effects, at: number): void {
  state.tools.gateAt = at;
  effects.arm('toolGate', at);
}

/** T1: a blocking line that was said, or that no voice could say, blocks no longer. */
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
