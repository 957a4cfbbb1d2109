import type { Effects } from '../machine/effects.ts';
import { CONSTANTS } from '../settings/constants.ts';
import type { CallState } from '../state/call-state.ts';
import type { Draft, ModelRequest } from '../state/reply.ts';
import type { OpenTurn } from '../state/user-turn.ts';
import { answerKind } from '../turn/answer-kind.ts';
import { asksToHold } from '../turn/caller-hold.ts';
import { judgePause } from '../turn/turn-end.ts';
import { ADDRESSEE_PROMPT } from './addressee-prompt.ts';
import { withUserText } from './conversation.ts';
import { withHeardPart } from './heard-reply.ts';
import { modelRequest } from './model-request.ts';
import { nextId } from './next-id.ts';
import { newUtterance, normalise, voiceUtterance } from './reply.ts';
import { textOf } from './segments.ts';

/** Drops a draft when something that it depends on has changed, and begins one when the turn may be over. */
export function reviewDraft(state: CallState, effects: Effects): void {
  const { turn } = state.user;
  const { draft } = state.assistant;
  const text = turn && mayDraft(state, effects, turn) ? textOf(turn.segments) : '';
  if (draft && (draft.turn !== turn?.turn || draft.text !== normalise(text)))
    dropDraft(state, effects);
  if (!turn || text === '') return;
  if (state.assistant.draft) speakAhead(state, effects, state.assistant.draft, text);
  else if (turn.drafts < CONSTANTS.draftMaxTries) considerDraft(state, effects, turn, text);
}

/** S1: nothing else has to come before an answer to this turn. */
function mayDraft(state: CallState, effects: Effects, turn: OpenTurn): boolean {
  const speakingMs = turn.voiceStartAt === undefined ? 0 : effects.now - turn.voiceStartAt;
  return (
    state.settings.drafts &&
    effects.chart.lifecycle === 'ongoing' &&
    state.ending === undefined &&
    !state.assistant.supervisor &&
    (!state.assistant.reply || isJudged(turn)) &&
    !state.transfer.current &&
    effects.chart.screening !== 'classifying' &&
    state.tools.awaited.length === 0 &&
    state.assistant.textsToSay.length === 0 &&
    state.user.keys === '' &&
    !turn.keyed &&
    !turn.greeted &&
    !turn.continues &&
    effects.chart.welcome !== 'due' &&
    turn.voicedMs + speakingMs <= CONSTANTS.draftMaxSpeechMs
  );
}

// B17: the model is asked for whom the words are while a reply is held for them.
const isJudged = ({ addressee }: OpenTurn) =>
  addressee.name === 'asked' || addressee.name === 'meant';

function considerDraft(state: CallState, effects: Effects, turn: OpenTurn, text: string): void {
  const dueAt = draftDueAt(state, effects, turn, text);
  if (dueAt === undefined) return;
  if (effects.now < dueAt) effects.arm('draft', dueAt);
  else if (!asksToHold(state, text) && answerKind(state, text) === 'model')
    startDraft(state, effects, turn, text);
}

/** When a draft may begin, as things stand; undefined while that depends on the caller. */
function draftDueAt(
  state: CallState,
  { now }: Effects,
  turn: OpenTurn,
  text: string,
): number | undefined {
  const isOpen = turn.segments.some((segment) => !segment.final);
  const isJudged = turn.judged !== 'open';
  if (state.user.voiced && isOpen && !isJudged) return undefined;
  // The text is final, or has not changed for a while, or the recogniser says that the turn is over.
  const settledAt = isJudged ? now : (turn.textAt ?? now) + (isOpen ? CONSTANTS.draftStableMs : 0);
  if (now < settledAt) return settledAt;
  const { p, closed } = judgePause(state, text);
  if (isJudged || closed || (p !== undefined && p < CONSTANTS.draftMaxProbability)) return now;
  if (state.user.voiced) return undefined;
  // After a long silence the turn will be answered in any case, so a draft saves time.
  const isCertain = (p ?? 1) >= CONSTANTS.draftCertainProbability;
  return turn.speechEndAt + (isCertain ? CONSTANTS.draftLateMs : CONSTANTS.draftAfterMs);
}

function startDraft(state: CallState, effects: Effects, turn: OpenTurn, text: string): void {
  const genId = nextId(state, 'gen');
  const request = modelRequest(state, withUserText(withHeardPart(state), text));
  const judges = turn.addressee.name === 'asked';
  effects.disarm('draft');
  turn.drafts++;
  state.assistant.draft = {
    genId,
    turn: turn.turn,
    text: normalise(text),
    request,
    startedAt: effects.now,
    pieces: [],
    toolCalls: [],
    firstTextAt: undefined,
    firstAudioAt: undefined,
    done: false,
    utterance: undefined,
    judges,
  };
  effects.emit({
    type: 'llm.start',
    genId,
    turn: turn.turn,
    ...request,
    ...(judges && {
      messages: [...request.messages, { role: 'system', content: ADDRESSEE_PROMPT }],
    }),
    toolChoice: 'auto',
    speculative: true,
  });
}

/** S2: synthesises the first sentence too if the turn is almost certainly over, or the silence has become long. */
function speakAhead(state: CallState, effects: Effects, draft: Draft, text: string): void {
  const [first] = draft.pieces;
  const { turn, voiced } = state.user;
  if (first === undefined || draft.utterance || !turn) return;
  const { p } = judgePause(state, text);
  if (p === undefined || p > CONSTANTS.draftVoicedMaxProbability) {
    if (voiced) return;
    const dueAt = turn.speechEndAt + CONSTANTS.draftVoicedAfterMs;
    if (effects.now < dueAt) {
      effects.arm('draft', dueAt);
      return;
    }
  }
  draft.utterance = newUtterance(state, effects, first);
  voiceUtterance(effects, draft.utterance, false);
}

export function draftSaid(effects: Effects, draft: Draft, text: string): void {
  if (text.trim() === '') return;
  draft.firstTextAt ??= effects.now;
  draft.pieces.push(text);
}

/** S5: cancels the draft. */
export function dropDraft(state: CallState, effects: Effects): void {
  const { draft } = state.assistant;
  state.assistant.draft = undefined;
  if (!draft) return;
  effects.emit({ type: 'llm.cancel', genId: draft.genId });
  if (draft.utterance) effects.emit({ type: 'tts.cancel', uttId: draft.utterance.uttId });
}

/** S3: takes the draft if it answers the conversation as it is now; drops it otherwise. */
export function takeDraft(state: CallState, effects: Effects): Draft | undefined {
  const { draft } = state.assistant;
  if (!draft) return undefined;
  if (draft.judges || !sameRequest(draft.request, modelRequest(state))) {
    dropDraft(state, effects);
    return undefined;
  }
  state.assistant.draft = undefined;
  return draft;
}

// Only case and punctuation of the caller's last words may differ.
function sameRequest(a: ModelRequest, b: ModelRequest): boolean {
  const words = ({ messages, tools }: ModelRequest) => {
    const last = messages.at(-1);
    const folded = last?.role === 'user' ? normalise(last.content) : last;
    return JSON.stringify([messages.slice(0, -1), folded, tools]);
  };
  return words(a) === words(b);
}
