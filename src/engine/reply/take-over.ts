import { languageOf } from '../language/language.ts';
import type { Effects } from '../machine/effects.ts';
import { CONSTANTS } from '../settings/constants.ts';
import type { CallState } from '../state/call-state.ts';
import type { Reply, Utterance } from '../state/reply.ts';
import type { PendingTool } from '../state/tools.ts';
import { toolAnswered } from '../tools/tool-answers.ts';
import { armOverdue, findTool } from '../tools/tool-lines.ts';
import { resumeOperator } from '../transfer/transfer.ts';
import { dropDraft } from './draft.ts';
import { startGeneration } from './generation.ts';
import { heardPartOf } from './heard-reply.ts';
import { heardText } from './heard-text.ts';
import { newUtterance, pump, settleReply } from './reply.ts';
import { isOver } from './reply-phase.ts';

/** What the model is told of a tool whose answer was lost with the process that had asked. */
const UNKNOWN_OUTCOME =
  'the outcome is unknown, because the connection to the tool was lost: it may have been done or not';

const GO_ON =
  'The line broke off while you said this. Go on from there in the same words, without repeating anything.';

/**
 * R1-R4, R6: another process has taken the call over. Model, voices and tools of the one before are gone, and with them all
 * sound that was not heard.
 */
export function takeOver(
  state: CallState,
  effects: Effects,
  { gapMs }: { readonly gapMs: number },
): void {
  const { lifecycle } = effects.chart;
  if (lifecycle === 'forwarded') resumeOperator(state, effects);
  if (lifecycle !== 'ongoing' && lifecycle !== 'closing') return;
  state.user.sttDown = false;
  dropDraft(state, effects);
  const { reply } = state.assistant;
  const goesOn = reply !== undefined && reply.phase.name !== 'cut';
  if (goesOn) askAgain(state, effects, reply);
  if (gapMs >= CONSTANTS.gapWithoutWordsMs) sayBack(state, effects, goesOn ? reply : undefined);
  if (goesOn) {
    effects.raise('internal.release');
    pump(state, effects);
    settleReply(state, effects);
  }
  for (const tool of [...state.tools.awaited, ...state.tools.async])
    if (tool.invoked) invokeAgain(state, effects, tool);
}

/** R1, R2: keeps what was heard of the reply, and lets the rest be said anew. */
function askAgain(state: CallState, effects: Effects, reply: Reply): void {
  const { utterances, text } = reply;
  for (const [i, utterance] of [...utterances.entries()].toReversed()) {
    if (isOver(utterance)) continue;
    const parts = partsOf(state, effects, utterance);
    utterances.splice(i, 1, ...parts);
    const last = parts.at(-1)?.uttId;
    for (const tool of [...state.tools.awaited, ...state.tools.async])
      if (tool.afterUtterance === utterance.uttId) tool.afterUtterance = last;
  }
  if (text.name !== 'writing') return;
  utterances.splice(0, utterances.length, ...utterances.filter(isOver));
  effects.emit({ type: 'llm.cancel', genId: text.genId });
  const said = heardPartOf(reply);
  reply.steps--;
  startGeneration(
    state,
    effects,
    reply,
    said === ''
      ? state.entries
      : [
          ...state.entries,
          { role: 'assistant', messageId: reply.messageId, text: said, at: 0, cut: true },
          { role: 'system', text: GO_ON },
        ],
  );
}

/** R1: what the caller has heard of an utterance, and what is left of it. Without word times it is said again whole. */
function partsOf(state: CallState, effects: Effects, utterance: Utterance): readonly Utterance[] {
  const { text, filler, playedMs, words } = utterance;
  const heard =
    utterance.stage === 'playing' && words.length > 0
      ? heardText({ ...utterance, heardMs: playedMs, finished: false }).text
      : '';
  const rest = text.trim().startsWith(heard) ? text.trim().slice(heard.length).trim() : text;
  const before: Utterance = { ...utterance, text: heard, totalMs: playedMs, stage: 'done' };
  const after = newUtterance(state, effects, rest, filler);
  if (heard === '') return [after];
  return rest === '' ? [before] : [before, after];
}

/** R4: after a gap that the caller has noticed, one short phrase. */
function sayBack(state: CallState, effects: Effects, reply: Reply | undefined): void {
  const phrase = languageOf(state.settings.languages).data.takenOver;
  if (!reply) {
    // A caller who was talking gets the answer itself.
    if (state.user.turn) return;
    state.assistant.textsToSay.unshift(phrase);
    effects.raise('internal.floor');
    return;
  }
  const place = reply.utterances.findIndex((utterance) => !isOver(utterance));
  const filler = newUtterance(state, effects, phrase, true);
  reply.utterances.splice(place < 0 ? reply.utterances.length : place, 0, filler);
}

/** R3: what may be asked twice is asked again, by the same key; nobody knows what became of the rest. */
function invokeAgain(state: CallState, effects: Effects, tool: PendingTool): void {
  const { toolCallId, name } = tool;
  const known = findTool(state, name);
  if (known?.readOnly || known?.repeatable) {
    tool.dueAt = effects.now + known.timeoutMs;
    armOverdue(state, effects);
    effects.emit({ type: 'tool.invoke', toolCallId, name, arguments: tool.arguments });
    return;
  }
  const content = UNKNOWN_OUTCOME;
  toolAnswered(state, effects, { toolCallId, ok: false, content, message: undefined });
}
