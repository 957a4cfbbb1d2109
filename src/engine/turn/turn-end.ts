import { vocabularyOf } from '../language/vocabulary.ts';
import type { Effects } from '../machine/effects.ts';
import { textOf } from '../reply/segments.ts';
import { CONSTANTS, sttGraceMs } from '../settings/constants.ts';
import type { CallState } from '../state/call-state.ts';
import type { OpenTurn } from '../state/user-turn.ts';
import { acknowledgeAtPause } from './acknowledge.ts';
import { askPredictor, predictionDueAt } from './ask-predictor.ts';
import { decideWait } from './endpointing.ts';
import { lastQuestion } from './last-question.ts';
import { combineJudgements, predictUnfinished } from './predictor.ts';

/** How long to wait, and how likely it is that the caller goes on. */
export function judgePause(
  state: CallState,
  text: string,
): { readonly waitMs: number; readonly p: number | undefined; readonly closed: boolean } {
  const { settings } = state;
  const { language } = vocabularyOf(state.settings);
  const options = settings.startSpeaking;
  const { expectation, askedYesNo } = lastQuestion(state.assistant.lastHeard, language);
  const about = { text, language, expectation, askedYesNo };
  const judged = options.smartEndpointing === 'predictor' && language.supported;
  const words = judged
    ? predictUnfinished({ ...about, expected: state.settings.expected })
    : undefined;
  const sound = soundOf(state.user.turn, text);
  const p =
    sound !== undefined && words !== undefined ? combineJudgements(sound, words) : (sound ?? words);
  const { waitMs, closed } = decideWait({
    ...about,
    options,
    hints: vocabularyOf(state.settings).hintPhrases,
    judgedOver: state.user.turn?.judged === 'over' || state.user.turn?.keyed === true,
    p,
    heard: sound !== undefined,
    cutInMs: state.user.cutInTurns > 0 ? state.user.cutInMs : 0,
  });
  return { waitMs, p, closed };
}

/** N2: what the predictor outside answered, else what the recogniser thinks of just this text. */
const soundOf = (turn: OpenTurn | undefined, text: string): number | undefined =>
  turn?.predicted ?? (turn?.signalled?.text === text ? turn.signalled.p : undefined);

/** Arms the end of the open turn; called again on every change of its text. */
export function armEndpoint(state: CallState, effects: Effects): void {
  const { turn } = state.user;
  const { settings } = state;
  if (!turn) return;
  if (state.user.keys !== '') return;
  askPredictor(state, effects);
  const text = textOf(turn.segments);
  const grace = sttGraceMs(settings.sttP99Ms);
  if (text === '') {
    const dropAt = turn.speechEndAt + grace + CONSTANTS.noTextExtraMs;
    effects.disarm('endpoint');
    effects.arm('noText', Math.max(effects.now, dropAt));
    return;
  }
  effects.disarm('noText');
  const { waitMs, p } = judgePause(state, text);
  const open = turn.segments.some((segment) => !segment.final);
  const textReadyAt = open ? turn.speechEndAt + grace : 0;
  const overAt = Math.max(turn.speechEndAt + waitMs, textReadyAt, predictionDueAt(state));
  effects.arm('endpoint', Math.max(effects.now, overAt));
  acknowledgeAtPause(state, effects, text, p);
}

/**
 * A recogniser that knows turns gives the probability that the turn is over. N1: where it decides, it ends the turn, and
 * may revise an eager judgement. N2: elsewhere it counts as the prediction by sound.
 */
export function judgeTurn(
  state: CallState,
  effects: Effects,
  { eager, p }: { readonly eager: boolean; readonly p: number },
): void {
  const { turn } = state.user;
  const { smartEndpointing } = state.settings.startSpeaking;
  if (!turn || smartEndpointing === 'off') return;
  if (smartEndpointing === 'predictor') {
    turn.signalled = { text: textOf(turn.segments), p: Math.min(1, Math.max(0, 1 - p)) };
    if (effects.chart.user === 'pausing') armEndpoint(state, effects);
    return;
  }
  if (turn.judged !== 'over') turn.judged = eager ? 'eager' : 'over';
  if (!eager && !state.user.voiced) armEndpoint(state, effects);
}
