import { CONSTANTS } from '../machine/constants.ts';
import type { Mind } from '../machine/mind.ts';
import { textOf } from '../reply/segments.ts';

/** A question to the predictor outside. */
export interface Asked {
  readonly rev: number;
  readonly at: number;
  readonly text: string;
  answered: boolean;
}

const judgedOutside = (mind: Mind) =>
  mind.settings.predictor === 'outside' &&
  mind.settings.startSpeaking.smartEndpointing === 'predictor';

/** N2: at the pause and whenever its text changes; `again` as the silence lasts. */
export function askPredictor(mind: Mind, again = false): void {
  const { turn } = mind;
  if (!turn || mind.voiced || !judgedOutside(mind)) return;
  const text = textOf(turn.segments);
  if (turn.asked?.text === text && !again) return;
  const rev = mind.next('rev');
  turn.asked = { rev, at: mind.now, text, answered: false };
  mind.emit({ type: 'predict', rev, text, lastAssistantText: mind.lastHeard });
  const next = CONSTANTS.predictAt
    .map((silenceMs) => turn.speechEndAt + silenceMs)
    .find((at) => at > mind.now);
  if (next === undefined) mind.disarm('predict');
  else mind.arm('predict', next);
}

/** The latest answer counts, if it comes in time. */
export function takePrediction(mind: Mind, rev: number, p: number): void {
  const { turn } = mind;
  if (!turn?.asked || turn.asked.rev !== rev || !Number.isFinite(p)) return;
  if (mind.now > turn.asked.at + CONSTANTS.predictTimeout) return;
  turn.asked.answered = true;
  turn.predicted = Math.min(1, Math.max(0, p));
}

/** Until when the turn may not end for want of an answer. */
export function predictionDueAt(mind: Mind): number {
  const asked = mind.turn?.asked;
  return !asked || asked.answered ? 0 : asked.at + CONSTANTS.predictTimeout;
}
