import type { Effects } from '../machine/effects.ts';
import { beginFarewell } from '../reply/farewell.ts';
import { nextId } from '../reply/next-id.ts';
import { addPiece, beginReply } from '../reply/reply.ts';
import { wasHeard } from '../reply/reply-phase.ts';
import type { CallState } from '../state/call-state.ts';
import { beginTransfer } from '../transfer/transfer.ts';
import { isFloorFree } from '../turn/floor.ts';
import { muteAssistant, unmuteAssistant } from '../turn/mute.ts';
import type { CallEvent } from './events.ts';

export type ControlEvent = Extract<CallEvent, { type: `control.${string}` }>;

/** Y1-Y4: what the API asks of a live call; always answered. */
export function obeyControl(state: CallState, effects: Effects, event: ControlEvent): void {
  const reason = refusal(state, effects, event);
  if (reason !== undefined) {
    effects.emit({ type: 'control.refused', reason });
    return;
  }
  effects.emit({ type: 'control.accepted' });
  switch (event.type) {
    case 'control.say':
      say(state, effects, event.text);
      break;
    case 'control.end':
      beginFarewell(
        state,
        effects,
        { reason: 'ended-by-control', trigger: 'assistant' },
        event.text ?? state.settings.endCall.message,
      );
      break;
    case 'control.forward':
      beginTransfer(state, effects, event.to === undefined ? {} : { to: event.to });
      break;
    case 'control.dtmf':
      effects.emit({ type: 'leg.dtmf', digits: event.digits });
      break;
    case 'control.addMessage':
      addNote(state, effects, event.text);
      break;
    case 'control.mute':
      if (event.who === 'user') state.user.muted = event.on;
      else if (event.on) muteAssistant(state, effects);
      else unmuteAssistant(state, effects);
      break;
  }
  effects.raise('internal.floor');
}

function refusal(state: CallState, effects: Effects, event: ControlEvent): string | undefined {
  const { settings } = state;
  const { current: transfer } = state.transfer;
  const { lifecycle } = effects.chart;
  if (lifecycle !== 'ongoing' && !(lifecycle === 'forwarded' && event.type === 'control.end')) {
    return 'the call is not in progress';
  }
  switch (event.type) {
    case 'control.forward':
      if (transfer) return 'a transfer is under way';
      return (event.to ?? settings.transfer.phoneNumber) === ''
        ? 'the assistant has no number to transfer to'
        : undefined;
    case 'control.dtmf':
      return settings.callType === 'web' ? 'a web call takes no tones' : undefined;
    default:
      return undefined;
  }
}

/** Y1: now, before the reply, after it, or after the caller's turn, in the order asked. */
function say(state: CallState, effects: Effects, text: string): void {
  const { reply } = state.assistant;
  if (reply && !wasHeard(reply) && reply.kind === 'answer' && !reply.gated) {
    addPiece(state, effects, reply, text, { first: true });
    return;
  }
  state.assistant.says.push(text);
}

/** Y1: a text waits, and the floor is free. */
export const isSayDue = (state: CallState) => state.assistant.says.length > 0 && isFloorFree(state);

export function sayNext(state: CallState, effects: Effects): void {
  const text = state.assistant.says.shift();
  if (text !== undefined) beginReply(state, effects, 'say', { text });
}

function addNote(state: CallState, effects: Effects, text: string): void {
  const messageId = `s${nextId(state, 'message')}`;
  state.entries.push({ role: 'system', text });
  effects.emit({
    type: 'transcript.append',
    message: { messageId, role: 'system', text, at: effects.now },
  });
}
