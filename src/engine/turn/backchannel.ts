import { vocabularyOf } from '../language/vocabulary.ts';
import type { Effects } from '../machine/effects.ts';
import { textOf } from '../reply/segments.ts';
import { CONSTANTS } from '../settings/constants.ts';
import type { CallState } from '../state/call-state.ts';
import { progressOf } from './dictation.ts';
import { lastQuestion } from './last-question.ts';
import { judgePause } from './turn-end.ts';

/** In a pause of a caller who speaks at length, a backchannel may show that the assistant listens. */
export function awaitBackchannel(state: CallState, effects: Effects): void {
  const { turn } = state.user;
  if (!state.settings.backchanneling || !turn || turn.voicedMs < CONSTANTS.backchannelAfterMs)
    return;
  effects.arm(
    'backchannel',
    Math.max(effects.now, turn.speechEndAt + CONSTANTS.backchannelPauseMs.from),
  );
}

/** Gives a backchannel if the caller will probably go on. It is no reply and no message. */
export function giveBackchannel(state: CallState, effects: Effects): void {
  const { turn } = state.user;
  const { settings } = state;
  const { language } = vocabularyOf(state.settings);
  const text = turn ? textOf(turn.segments) : '';
  const { reply, muted, supervisor } = state.assistant;
  if (!turn || state.user.voiced || reply || muted || supervisor || text === '') return;
  if (effects.now > turn.speechEndAt + CONSTANTS.backchannelPauseMs.to) return;
  if (turn.backchannels >= CONSTANTS.backchannelsPerTurn) return;
  if (
    effects.now - (state.assistant.backchannelAt ?? Number.NEGATIVE_INFINITY) <
    CONSTANTS.backchannelEveryMs
  )
    return;
  if (
    progressOf(lastQuestion(state.assistant.lastHeard, language).expectation, text, language) !==
    'whole'
  )
    return;
  if ((judgePause(state, text).p ?? 0) < CONSTANTS.backchannelMinProbability) return;
  const { backchannels } = settings.lines;
  const phrase =
    backchannels[(settings.seed + state.assistant.backchannels) % Math.max(1, backchannels.length)];
  if (phrase === undefined) return;
  turn.backchannels++;
  state.assistant.backchannels++;
  state.assistant.backchannelAt = effects.now;
  effects.emit({ type: 'play.backchannel', text: phrase });
}
