import type { Effects } from '../machine/effects.ts';
import { nextId } from '../reply/next-id.ts';
import { textOf } from '../reply/segments.ts';
import { CONSTANTS } from '../settings/constants.ts';
import type { CallState } from '../state/call-state.ts';

const judgedOutside = (state: CallState) =>
  state.settings.predictor === 'outside' &&
  state.settings.startSpeaking.smartEndpointing === 'predictor';

/** N2: asks at the pause and whenever its text changes; with `again`, also while the silence lasts. */
export function askPredictor(state: CallState, effects: Effects, again = false): void {
  const { turn } = state.user;
  if (!turn || state.user.voiced || !judgedOutside(state)) return;
  const text = textOf(turn.segments);
  if (turn.asked?.text === text && !again) return;
  const rev = nextId(state, 'rev');
  turn.asked = { rev, at: effects.now, text, answered: false };
  effects.emit({ type: 'predict', rev, text, lastAssistantText: state.assistant.lastHeard });
  const next = CONSTANTS.predictAtMs
    .map((silenceMs) => turn.speechEndAt + silenceMs)
    .find((at) => at > effects.now);
  if (next !== undefined) effects.arm('predict', next);
}

/** Only the answer to the latest request counts, and only in time. */
export function takePrediction(state: CallState, effects: Effects, rev: number, p: number): void {
  const { turn } = state.user;
  if (!turn?.asked || turn.asked.rev !== rev || !Number.isFinite(p)) return;
  if (effects.now > turn.asked.at + CONSTANTS.predictTimeoutMs) return;
  turn.asked.answered = true;
  turn.predicted = Math.min(1, Math.max(0, p));
}

/** Until when the turn waits for the predictor's answer. */
export function predictionDueAt(state: CallState): number {
  const asked = state.user.turn?.asked;
  return !asked || asked.answered ? 0 : asked.at + CONSTANTS.predictTimeoutMs;
}
