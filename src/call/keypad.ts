import { CONSTANTS } from './constants.ts';
import { isDeaf, type Mind } from './mind.ts';
import { openTurn } from './user-turn.ts';

/** D1: a key. It takes the floor like a word does, and what has been keyed waits for more. */
export function pressKey(mind: Mind, digit: string): void {
  if (!mind.settings.dtmfInput || isDeaf(mind)) {
    mind.emit({ type: 'log', note: 'key', data: { digit } });
    return;
  }
  const { reply } = mind;
  const interruptible = reply?.startedAt !== undefined && reply.interruptedAt === undefined;
  if (interruptible && !reply.isProtected) mind.raise('mind.interrupt');
  else if (reply && !reply.isProtected) reply.gated = true;
  mind.disarm('endpoint', 'noText');
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
  const turn = openTurn(mind, mind.now);
  turn.segments.set('keypad', { text: `[keypad] ${keys}`, final: true });
  turn.keyed = true;
  turn.textAt = mind.now;
  turn.speechEndAt = mind.now;
  mind.raise('mind.keyed');
}
