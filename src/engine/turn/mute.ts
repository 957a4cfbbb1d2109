import type { Effects } from '../machine/effects.ts';
import { freezeReply, pump, silence } from '../reply/reply.ts';
import type { CallState } from '../state/call-state.ts';

/** Y4: mutes the assistant and holds its current reply. */
export function muteAssistant(state: CallState, effects: Effects): void {
  if (state.assistant.muted) return;
  state.assistant.muted = true;
  if (effects.chart.assistant !== 'speaking') return;
  effects.emit({ type: 'play.hold' });
  effects.raise('internal.mute');
}

/** Y4: resumes a held reply and starts a waiting one. */
export function unmuteAssistant(state: CallState, effects: Effects): void {
  if (!state.assistant.muted) return;
  state.assistant.muted = false;
  if (effects.chart.assistant === 'held' && !state.user.voiced) effects.raise('internal.release');
  pump(state, effects);
}

/** Y4: a reply waits for the assistant to be unmuted. */
export const keepsReply = ({ assistant: { muted, reply } }: CallState) =>
  muted && reply !== undefined && reply.phase.name !== 'cut';

/** Y4: drops a reply that has waited for too long. */
export function dropMuted(state: CallState, effects: Effects): void {
  const { reply } = state.assistant;
  if (!state.assistant.muted || !reply) return;
  effects.emit({ type: 'log', note: 'muted reply dropped' });
  if (effects.chart.assistant === 'held') {
    effects.raise('internal.interrupt');
    return;
  }
  silence(state, effects, reply);
  freezeReply(state, effects, reply, true);
  effects.raise('internal.replyOver');
}
