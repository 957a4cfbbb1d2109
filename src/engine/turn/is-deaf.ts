import type { Effects } from '../machine/effects.ts';
import type { CallState } from '../state/call-state.ts';

/** The assistant does not listen: the caller is muted or on hold, a machine speaks, or the conversation is over. */
export const isDeaf = ({ user, transfer }: CallState, { chart }: Effects) =>
  user.muted ||
  transfer.current !== undefined ||
  chart.screening === 'machine' ||
  chart.lifecycle !== 'ongoing';
