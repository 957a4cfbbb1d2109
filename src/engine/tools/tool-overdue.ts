import type { Effects } from '../machine/effects.ts';
import type { CallState } from '../state/call-state.ts';

/** T4: the next instant at which a tool has had its time. */
export function armOverdue(state: CallState, effects: Effects): void {
  const dues = [...state.tools.waited, ...state.tools.async].flatMap(({ dueAt }) => dueAt ?? []);
  if (dues.length === 0) effects.disarm('toolOverdue');
  else effects.arm('toolOverdue', Math.max(effects.now, Math.min(...dues)));
}
