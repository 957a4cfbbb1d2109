import { wordsOf } from '../language/words.ts';
import { CONSTANTS } from '../machine/constants.ts';
import type { Mind } from '../machine/mind.ts';

/** V2: who asks us to hold, or plays us music, gets silence in return. */
export const asksToHold = (mind: Mind, text: string) =>
  mind.language.holdPhrases.within(wordsOf(text));

export function park(mind: Mind): void {
  mind.parked = true;
  mind.disarm('idle');
  mind.armIn('parked', CONSTANTS.parkedMax);
  mind.emit({ type: 'log', note: 'put on hold' });
}

export function unpark(mind: Mind): void {
  if (!mind.parked) return;
  mind.parked = false;
  mind.disarm('parked', 'idle');
}
