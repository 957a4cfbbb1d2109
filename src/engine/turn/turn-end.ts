import { CONSTANTS, sttGraceMs } from '../machine/constants.ts';
import type { Mind } from '../machine/mind.ts';
import { textOf } from '../reply/segments.ts';
import { acknowledgeAtPause } from './acknowledge.ts';
import { askPredictor, predictionDueAt } from './ask-predictor.ts';
import { expectedValue } from './dictation.ts';
import { asksYesNo, decideWait } from './endpointing.ts';
import { combineJudgements, predictUnfinished } from './predictor.ts';

/** How long to wait, and how likely it is that the caller goes on. */
export function judgePause(
  mind: Mind,
  text: string,
): { readonly waitMs: number; readonly p: number | undefined; readonly closed: boolean } {
  const { settings, language } = mind;
  const options = settings.startSpeaking;
  const expectation = expectedValue(mind.lastHeard, language);
  const askedYesNo = asksYesNo(mind.lastHeard, language);
  const about = { text, language, expectation, askedYesNo };
  const judged = options.smartEndpointing === 'predictor' && language.supported;
  const words = judged
    ? predictUnfinished({ ...about, expected: mind.settings.expected })
    : undefined;
  const sound = mind.turn?.predicted;
  const p =
    sound !== undefined && words !== undefined ? combineJudgements(sound, words) : (sound ?? words);
  const { waitMs, closed } = decideWait({
    ...about,
    options,
    hints: mind.hintPhrases,
    judgedOver: mind.turn?.judgedOver === true || mind.turn?.keyed === true,
    p,
    cutInMs: mind.cutInTurns > 0 ? mind.cutInMs : 0,
  });
  return { waitMs, p, closed };
}

/** When the open turn counts as over (§3); re-armed on every change of its text. */
export function armEndpoint(mind: Mind): void {
  const { turn, settings } = mind;
  if (!turn) return;
  if (mind.keys !== '') return;
  askPredictor(mind);
  const text = textOf(turn.segments);
  const grace = sttGraceMs(settings.sttP99Ms);
  if (text === '') {
    mind.disarm('endpoint');
    mind.arm('noText', Math.max(mind.now, turn.speechEndAt + grace + CONSTANTS.noTextExtra));
    return;
  }
  mind.disarm('noText');
  const { waitMs, p } = judgePause(mind, text);
  const open = [...turn.segments.values()].some((segment) => !segment.final);
  const textReadyAt = open ? turn.speechEndAt + grace : 0;
  const overAt = Math.max(turn.speechEndAt + waitMs, textReadyAt, predictionDueAt(mind));
  mind.arm('endpoint', Math.max(mind.now, overAt));
  acknowledgeAtPause(mind, text, p);
}
