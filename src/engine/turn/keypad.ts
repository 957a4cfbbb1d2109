import type { Effects } from '../machine/effects.ts';
import { setSegment } from '../reply/segments.ts';
import { CONSTANTS } from '../settings/constants.ts';
import type { CallState } from '../state/call-state.ts';
import { isDeaf } from './floor.ts';
import { openTurn } from './user-turn.ts';

/** D1: a key takes the floor like a word; the keys so far wait for more. */
export function pressKey(state: CallState, effects: Effects, digit: string): void {
  if (!state.settings.dtmfInput || isDeaf(state, effects)) {
    effects.emit({ type: 'log', note: 'key', data: { digit } });
    return;
  }
  takeFloor(state, effects);
  if (digit !== '#') state.user.keys += digit;
  if (digit === '#' || state.user.keys.length >= CONSTANTS.dtmfMaxKeys) flushKeys(state, effects);
  else effects.raise('internal.key');
  effects.raise('internal.floor');
}

/** D2: makes the keys a turn, together with what was said meanwhile. */
export function flushKeys(state: CallState, effects: Effects): void {
  const { keys } = state.user;
  state.user.keys = '';
  effects.raise('internal.keysTaken');
  if (keys === '') return;
  addToTurn(state, effects, 'keypad', `[keypad] ${keys}`);
}

/** D1, D2: a typed line takes the floor and is a complete turn. */
export function takeTyped(state: CallState, effects: Effects, text: string): void {
  if (isDeaf(state, effects)) {
    effects.emit({ type: 'log', note: 'typed', data: { text } });
    return;
  }
  takeFloor(state, effects);
  addToTurn(state, effects, `typed-${effects.now}`, text);
}

function takeFloor(state: CallState, effects: Effects): void {
  const { reply } = state.assistant;
  const interruptible = reply?.phase.name === 'heard';
  if (interruptible && !reply.isProtected) effects.raise('internal.interrupt');
  else if (reply && !reply.isProtected) reply.gated = true;
  effects.disarm('endpoint', 'noText');
}

function addToTurn(state: CallState, effects: Effects, segId: string, text: string): void {
  const turn = openTurn(state, effects, effects.now);
  setSegment(turn.segments, { segId, text, final: true, skipped: 0 });
  turn.keyed = true;
  turn.textAt = effects.now;
  turn.speechEndAt = effects.now;
  effects.raise('internal.keyed');
}
