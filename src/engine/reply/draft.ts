import type { LlmToolCall } from '../../ports/llm.ts';
import { CONSTANTS } from '../machine/constants.ts';
import type { Mind } from '../machine/mind.ts';
import { answerKind } from '../turn/answer-kind.ts';
import { asksToHold } from '../turn/caller-hold.ts';
import { judgePause } from '../turn/turn-end.ts';
import type { OpenTurn } from '../turn/user-turn.ts';
import { withUserText } from './conversation.ts';
import { type ModelRequest, modelRequest } from './model-request.ts';
import { newUtterance, normalise, type Utterance, voiceUtterance } from './reply.ts';
import { textOf } from './segments.ts';

/** A reply that the model writes before the caller's turn is certain to be over. Nothing of it shows. */
export interface Draft {
  readonly genId: number;
  readonly turn: number;
  /** The caller's words it answers. */
  readonly text: string;
  readonly request: ModelRequest;
  readonly startedAt: number;
  readonly pieces: string[];
  /** S4: kept, and invoked only if the draft becomes the reply. */
  readonly toolCalls: LlmToolCall[];
  firstTextAt: number | undefined;
  firstAudioAt: number | undefined;
  done: boolean;
  /** S2: its first piece, spoken ahead. */
  utterance: Utterance | undefined;
}

/** Runs after every event: a draft lives while nothing changes, and one begins when the turn may well be over. */
export function watchDraft(mind: Mind): void {
  const { turn, draft } = mind;
  const text = turn && mayDraft(mind, turn) ? textOf(turn.segments) : '';
  if (draft && (draft.turn !== turn?.turn || draft.text !== normalise(text))) dropDraft(mind);
  if (!turn || text === '') {
    mind.disarm('draft');
    return;
  }
  if (mind.draft) speakAhead(mind, mind.draft, text);
  else if (turn.drafts < CONSTANTS.draftMaxTries && isSettled(mind, turn))
    considerDraft(mind, turn, text);
}

/** S1: nothing else is under way that would have to come first. */
function mayDraft(mind: Mind, turn: OpenTurn): boolean {
  const speakingMs = turn.voiceStartAt === undefined ? 0 : mind.now - turn.voiceStartAt;
  return (
    mind.settings.drafts &&
    mind.lifecycle === 'ongoing' &&
    mind.ending === undefined &&
    !mind.reply &&
    !mind.transfer &&
    mind.screening !== 'classifying' &&
    mind.tools.size === 0 &&
    mind.says.length === 0 &&
    mind.keys === '' &&
    !turn.keyed &&
    !turn.greeted &&
    !turn.continues &&
    !mind.deadlines.has('welcome') &&
    turn.voicedMs + speakingMs <= CONSTANTS.draftMaxSpeech
  );
}

/** Final, or unchanged for a while, or judged over by the recogniser. */
function isSettled(mind: Mind, turn: OpenTurn): boolean {
  const open = [...turn.segments.values()].some((segment) => !segment.final);
  if (mind.voiced && open && !turn.eagerEnd) return false;
  const settledAt = (turn.textAt ?? mind.now) + (open ? CONSTANTS.draftStable : 0);
  if (turn.eagerEnd || mind.now >= settledAt) return true;
  mind.arm('draft', settledAt);
  return false;
}

function considerDraft(mind: Mind, turn: OpenTurn, text: string): void {
  const { p, closed } = judgePause(mind, text);
  const likely =
    turn.eagerEnd ||
    closed ||
    (p !== undefined && p < CONSTANTS.draftUnfinished) ||
    wasSilentLong(mind, turn, p);
  if (likely && !asksToHold(mind, text) && answerKind(mind, text) === 'model')
    startDraft(mind, turn, text);
}

// What a long silence follows is answered sooner or later, and thinking costs more time than it takes back.
function wasSilentLong(mind: Mind, turn: OpenTurn, p: number | undefined): boolean {
  if (mind.voiced) return false;
  const certain = (p ?? 1) >= CONSTANTS.draftCertain;
  const at = turn.speechEndAt + (certain ? CONSTANTS.draftLate : CONSTANTS.draftAfter);
  if (mind.now >= at) return true;
  mind.arm('draft', at);
  return false;
}

function startDraft(mind: Mind, turn: OpenTurn, text: string): void {
  const genId = mind.next('gen');
  const request = modelRequest(mind, withUserText(mind.entries, text));
  turn.drafts++;
  mind.draft = {
    genId,
    turn: turn.turn,
    text: normalise(text),
    request,
    startedAt: mind.now,
    pieces: [],
    toolCalls: [],
    firstTextAt: undefined,
    firstAudioAt: undefined,
    done: false,
    utterance: undefined,
  };
  mind.emit({
    type: 'llm.start',
    genId,
    turn: turn.turn,
    ...request,
    toolChoice: 'auto',
    speculative: true,
  });
}

/** S2: where the turn is all but over, the first sentence gets its voice too. */
function speakAhead(mind: Mind, draft: Draft, text: string): void {
  const [first] = draft.pieces;
  if (first === undefined || draft.utterance) return;
  const { p } = judgePause(mind, text);
  if (p === undefined || p > CONSTANTS.draftVoiced) return;
  draft.utterance = newUtterance(mind, first);
  voiceUtterance(mind, draft.utterance, false);
}

export function draftSaid(mind: Mind, draft: Draft, text: string): void {
  if (text.trim() === '') return;
  draft.firstTextAt ??= mind.now;
  draft.pieces.push(text);
}

/** S5: what was written ahead is no answer any more. */
export function dropDraft(mind: Mind): void {
  const { draft } = mind;
  mind.draft = undefined;
  mind.disarm('draft');
  if (!draft) return;
  mind.emit({ type: 'llm.cancel', genId: draft.genId });
  if (draft.utterance) mind.emit({ type: 'tts.cancel', uttId: draft.utterance.uttId });
}

/** S3: the draft, if it answers exactly what stands in the conversation now. */
export function takeDraft(mind: Mind): Draft | undefined {
  const { draft } = mind;
  if (!draft) return undefined;
  if (!sameRequest(draft.request, modelRequest(mind))) {
    dropDraft(mind);
    return undefined;
  }
  mind.draft = undefined;
  mind.disarm('draft');
  return draft;
}

// Of the caller's last words case and punctuation may differ, of everything else nothing.
function sameRequest(a: ModelRequest, b: ModelRequest): boolean {
  const words = ({ messages, tools }: ModelRequest) => {
    const last = messages.at(-1);
    const folded = last?.role === 'user' ? normalise(last.content) : last;
    return JSON.stringify([messages.slice(0, -1), folded, tools]);
  };
  return words(a) === words(b);
}
