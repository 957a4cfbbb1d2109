import type { CallState } from '../state/call-state.ts';

/** Neither side speaks or is about to. */
export const isFloorFree = ({ assistant, user }: CallState) =>
  !assistant.reply && !user.turn && !user.voiced;
