import type { CallState } from '../state/call-state.ts';

/** Nobody speaks, or is about to. */
export const isFloorFree = ({ assistant, user }: CallState) =>
  !assistant.reply && !user.turn && !user.voiced;
