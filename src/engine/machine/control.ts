import { beginFarewell } from '../reply/farewell.ts';
import { addPiece, beginReply } from '../reply/reply.ts';
import { beginTransfer } from '../transfer/transfer.ts';
import { muteAssistant, unmuteAssistant } from '../turn/mute.ts';
import type { CallEvent } from './events.ts';
import type { Mind } from './mind.ts';

export type ControlEvent = Extract<CallEvent, { type: `control.${string}` }>;

/** Y1-Y4: what the API asks of a live call; always answered. */
export function obeyControl(mind: Mind, event: ControlEvent): void {
  const reason = refusal(mind, event);
  if (reason !== undefined) {
    mind.emit({ type: 'control.refused', reason });
    return;
  }
  mind.emit({ type: 'control.accepted' });
  switch (event.type) {
    case 'control.say':
      say(mind, event.text);
      break;
    case 'control.end':
      beginFarewell(
        mind,
        { reason: 'ended-by-control', trigger: 'assistant' },
        event.text ?? mind.settings.endCall.message,
      );
      break;
    case 'control.forward':
      beginTransfer(mind, event.to === undefined ? {} : { to: event.to });
      break;
    case 'control.dtmf':
      mind.emit({ type: 'leg.dtmf', digits: event.digits });
      break;
    case 'control.addMessage':
      addNote(mind, event.text);
      break;
    case 'control.mute':
      if (event.who === 'user') mind.userMuted = event.on;
      else if (event.on) muteAssistant(mind);
      else unmuteAssistant(mind);
      break;
  }
}

function refusal(mind: Mind, event: ControlEvent): string | undefined {
  const { lifecycle, settings, transfer } = mind;
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
function say(mind: Mind, text: string): void {
  const { reply } = mind;
  if (reply && reply.startedAt === undefined && reply.kind === 'answer' && !reply.gated) {
    addPiece(mind, reply, text, { first: true });
    return;
  }
  mind.says.push(text);
  sayNext(mind);
}

/** Speaks what waits to be said as soon as the floor is free. */
export function sayNext(mind: Mind): void {
  if (mind.reply || mind.turn || mind.voiced || mind.lifecycle !== 'ongoing') return;
  const text = mind.says.shift();
  if (text !== undefined) beginReply(mind, 'say', { text });
}

function addNote(mind: Mind, text: string): void {
  const messageId = `s${mind.next('message')}`;
  mind.entries.push({ role: 'system', text });
  mind.emit({
    type: 'transcript.append',
    message: { messageId, role: 'system', text, at: mind.now },
  });
}
