import type { EventOf } from '../machine/chart-events.ts';
import type { Effects } from '../machine/effects.ts';
import { dropDraft } from '../reply/draft.ts';
import { nextId } from '../reply/next-id.ts';
import { freezeReply, silence } from '../reply/reply.ts';
import type { CallState } from '../state/call-state.ts';

/** Y5: a person speaks with the caller; the assistant falls silent, and says nothing until the call is given back. */
export function takeOver(state: CallState, effects: Effects, by: string): void {
  state.assistant.supervisor = { by, since: effects.now };
  state.assistant.textsToSay = [];
  dropDraft(state, effects);
  const { reply } = state.assistant;
  const { assistant } = effects.chart;
  if (assistant === 'speaking' || assistant === 'held') effects.raise('internal.interrupt');
  else if (reply && assistant !== 'yielding') {
    silence(state, effects, reply);
    freezeReply(state, effects, reply, true);
    effects.raise('internal.replyOver');
  }
  effects.emit({ type: 'supervisor.join', by });
  note(state, effects, `${by} has taken over and speaks with the caller. Say nothing.`);
}

/** Y6: the assistant goes on; it answers what the caller says next, and knows that somebody has spoken with them. */
export function giveBack(state: CallState, effects: Effects): void {
  const { supervisor } = state.assistant;
  if (!supervisor) return;
  state.assistant.supervisor = undefined;
  effects.emit({ type: 'supervisor.leave' });
  const seconds = Math.round((effects.now - supervisor.since) / 1000);
  const said = supervisor.isWrittenDown ? '' : ' What they said is not written here.';
  note(
    state,
    effects,
    `${supervisor.by} has spoken with the caller for ${seconds} s and has given the call back.${said} Go on with the call.`,
  );
}

/** Y5: the words of the person, for the record and for the model; the last ones may come after the call was given back. */
export function supervisorSaid(
  state: CallState,
  effects: Effects,
  { by, text, startAt }: EventOf<'supervisor.said'>,
): void {
  if (text.trim() === '') return;
  const { supervisor } = state.assistant;
  if (supervisor) state.assistant.supervisor = { ...supervisor, isWrittenDown: true };
  const prefix = `${by} said to the caller: `;
  note(state, effects, `${prefix}${text}`, { at: startAt, spokenFrom: prefix.length });
}

interface Spoken {
  /** When it was said, in ms of the call. */
  readonly at: number;
  /** Where in the note the words begin. */
  readonly spokenFrom: number;
}

function note(state: CallState, effects: Effects, text: string, spoken?: Spoken): void {
  const messageId = `s${nextId(state, 'message')}`;
  state.entries.push({ role: 'system', text, ...(spoken ? { isSpoken: true } : {}) });
  effects.emit({
    type: 'transcript.append',
    message: { messageId, role: 'system', text, at: effects.now, ...spoken },
  });
}
