import type { ControlEvent } from '../../contract/control.ts';
import { beginFarewell } from '../reply/farewell.ts';
import { nextId } from '../reply/next-id.ts';
import { addPiece, beginReply } from '../reply/reply.ts';
import { wasHeard } from '../reply/reply-phase.ts';
import type { CallState } from '../state/call-state.ts';
import { beginTransfer } from '../transfer/transfer.ts';
import { isFloorFree } from '../turn/floor.ts';
import { muteAssistant, unmuteAssistant } from '../turn/mute.ts';
import { giveBack, takeOver } from '../turn/supervise.ts';
import type { Effects, Rule } from './effects.ts';

interface Control<Event extends ControlEvent> {
  readonly obey: Rule<Event>;
  /** The reason for a refusal, for people; undefined if the call can do it. */
  readonly refusal?: (state: CallState, event: Event) => string | undefined;
  /** Allowed also while the caller talks with the operator. */
  readonly whenForwarded?: boolean;
}

/** A control event is always answered: with `control.accepted` or `control.refused`. */
const answered =
  <Event extends ControlEvent>({
    obey,
    refusal,
    whenForwarded = false,
  }: Control<Event>): Rule<Event> =>
  (state, effects, event) => {
    const { lifecycle } = effects.chart;
    const isInProgress = lifecycle === 'ongoing' || (whenForwarded && lifecycle === 'forwarded');
    const reason = isInProgress ? refusal?.(state, event) : 'the call is not in progress';
    if (reason !== undefined) {
      effects.emit({ type: 'control.refused', reason });
      return;
    }
    effects.emit({ type: 'control.accepted' });
    obey(state, effects, event);
    effects.raise('internal.floor');
  };

const whileSupervised = ({ assistant: { supervisor } }: CallState): string | undefined =>
  supervisor && `${supervisor.by} speaks with the caller`;

/** Y1-Y6: what the API asks of a live call. */
export const CONTROL_EVENTS: {
  readonly [Type in ControlEvent['type']]: Rule<Extract<ControlEvent, { readonly type: Type }>>;
} = {
  'control.say': answered({
    obey: (state, effects, { text }) => say(state, effects, text),
    refusal: whileSupervised,
  }),
  'control.end': answered({
    obey: (state, effects, { text, reason }) => {
      const ending = { reason: reason ?? 'ended-by-control', trigger: 'assistant' } as const;
      beginFarewell(state, effects, ending, text);
    },
    whenForwarded: true,
  }),
  'control.forward': answered({
    obey: (state, effects, { to }) => beginTransfer(state, effects, to === undefined ? {} : { to }),
    refusal: (state, { to = state.settings.transfer.phoneNumber }) => {
      const { transfer, assistant } = state;
      if (assistant.supervisor) return whileSupervised(state);
      if (transfer.current) return 'a transfer is under way';
      return to === '' ? 'the assistant has no number to transfer to' : undefined;
    },
  }),
  'control.dtmf': answered({
    obey: (_state, effects, { digits }) => effects.emit({ type: 'leg.dtmf', digits }),
    refusal: ({ settings }) =>
      settings.callType === 'web' ? 'a web call takes no tones' : undefined,
  }),
  'control.takeOver': answered({
    obey: (state, effects, { by }) => takeOver(state, effects, by),
    refusal: (state) =>
      state.transfer.current ? 'a transfer is under way' : whileSupervised(state),
  }),
  'control.giveBack': answered({
    obey: giveBack,
    refusal: ({ assistant }) => (assistant.supervisor ? undefined : 'nobody has taken it over'),
  }),
  'control.addMessage': answered({
    obey: (state, effects, { text }) => addNote(state, effects, text),
  }),
  'control.mute': answered({
    obey: (state, effects, { who, on }) => {
      if (who === 'user') state.user.muted = on;
      else if (on) muteAssistant(state, effects);
      else unmuteAssistant(state, effects);
    },
  }),
};

/** Y1: the text is spoken now, before the reply, after it or after the caller's turn; texts keep their order. */
function say(state: CallState, effects: Effects, text: string): void {
  const { reply } = state.assistant;
  if (reply && !wasHeard(reply) && reply.kind === 'answer' && !reply.gated) {
    addPiece(state, effects, reply, text, { first: true });
    return;
  }
  state.assistant.textsToSay.push(text);
}

/** Y1: a text is waiting and the floor is free. */
export const isSayDue = (state: CallState) =>
  state.assistant.textsToSay.length > 0 && isFloorFree(state);

export function sayNext(state: CallState, effects: Effects): void {
  const text = state.assistant.textsToSay.shift();
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
