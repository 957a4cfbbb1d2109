import type { Effects } from '../machine/effects.ts';
import type { CallState } from '../state/call-state.ts';

/** Muted, on hold, a machine, or not (any longer) in conversation: what the caller says is for nobody. */
export const isDeaf = ({ user, transfer }: CallState, { chart }: Effects) =>
  user.muted ||
  transfer.current !== undefined ||
  chart.screening === 'machine' ||
  chart.lifecycle !== 'ongoing';
