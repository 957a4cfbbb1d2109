import type { Effects } from '../machine/effects.ts';
import type { CallState } from '../state/call-state.ts';

/** Nobody speaks or is about to. */
export const isFloorFree = ({ assistant, user }: CallState) =>
  !assistant.supervisor && !assistant.reply && !user.turn && !user.voiced;

/** The assistant does not listen: the caller is muted or being transferred, a machine speaks or the call is over. */
export const isDeaf = ({ user, transfer }: CallState, { chart }: Effects) =>
  user.muted ||
  transfer.current !== undefined ||
  chart.screening === 'machine' ||
  chart.lifecycle !== 'ongoing';
