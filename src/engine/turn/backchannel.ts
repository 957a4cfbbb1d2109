import { CONSTANTS } from '../machine/constants.ts';
import type { Mind } from '../machine/mind.ts';
import { textOf } from '../reply/segments.ts';
import { expectedValue, progressOf } from './dictation.ts';
import { judgePause } from './turn-end.ts';

/** A pause of a caller who speaks at length: soon a murmur may show that we listen. */
export function awaitMurmur(mind: Mind): void {
  const { turn } = mind;
  if (!mind.settings.backchanneling || !turn || turn.voicedMs < CONSTANTS.murmurAfter) return;
  mind.arm('murmur', Math.max(mind.now, turn.speechEndAt + CONSTANTS.murmurPause.from));
}

/** Never an answer, never a message, and no more often than people do it. */
export function murmur(mind: Mind): void {
  const { turn, settings, language } = mind;
  const text = turn ? textOf(turn.segments) : '';
  if (!turn || mind.voiced || mind.reply || mind.assistantMuted || text === '') return;
  if (mind.now > turn.speechEndAt + CONSTANTS.murmurPause.to) return;
  if (turn.murmurs >= CONSTANTS.murmursATurn) return;
  if (mind.now - mind.murmuredAt < CONSTANTS.murmurEvery) return;
  if (progressOf(expectedValue(mind.lastHeard, language), text, language) !== 'whole') return;
  if ((judgePause(mind, text).p ?? 0) < CONSTANTS.murmurUnfinished) return;
  const { backchannels } = settings.lines;
  const phrase = backchannels[(settings.seed + mind.murmurs) % Math.max(1, backchannels.length)];
  if (phrase === undefined) return;
  turn.murmurs++;
  mind.murmurs++;
  mind.murmuredAt = mind.now;
  mind.emit({ type: 'play.backchannel', text: phrase });
}
