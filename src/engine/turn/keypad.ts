import { CONSTANTS } from '../machine/constants.ts';
import { isDeaf, type Mind } from '../machine/mind.ts';
import { openTurn } from './user-turn.ts';

/** D1: a key. It takes the floor like a word does, and what has been keyed waits for more. */
export function pressKey(mind: Mind, digit: string): void {
  if (!mind.settings.dtmfInput || isDeaf(mind)) {
    mind.emit({ type: 'log', note: 'key', data: { digit } });
    return;
  }
  takeFloor(mind);
  if (digit !== '#') mind.keys += digit;
  if (digit === '#' || mind.keys.length >= CONSTANTS.dtmfMax) flushKeys(mind);
  else mind.armIn('keys', CONSTANTS.dtmfGap);
}

/** D2: the keys are a turn, together with what was said meanwhile. */
export function flushKeys(mind: Mind): void {
  const { keys } = mind;
  mind.keys = '';
  mind.disarm('keys');
  if (keys === '') return;
  addToTurn(mind, 'keypad', `[keypad] ${keys}`);
}

/** D1, D2: a line that was typed instead of spoken. It takes the floor, and is complete as it comes. */
export function takeTyped(mind: Mind, text: string): void {
  if (isDeaf(mind)) {
    mind.emit({ type: 'log', note: 'typed', data: { text } });
    return;
  }
  takeFloor(mind);
  addToTurn(mind, `typed-${mind.now}`, text);
}

function takeFloor(mind: Mind): void {
  const { reply } = mind;
  const interruptible = reply?.startedAt !== undefined && reply.interruptedAt === undefined;
  if (interruptible && !reply.isProtected) mind.raise('mind.interrupt');
  else if (reply && !reply.isProtected) reply.gated = true;
  mind.disarm('endpoint', 'noText');
}

function addToTurn(mind: Mind, segId: string, text: string): void {
  const turn = openTurn(mind, mind.now);
  turn.segments.set(segId, { text, final: true });
  turn.keyed = true;
  turn.textAt = mind.now;
  turn.speechEndAt = mind.now;
  mind.raise('mind.keyed');
}
