import type { EndReason } from '../../contract/failures.ts';
import type { CallSettings } from '../settings/settings.ts';
import type { HeardVoice } from './heard-voice.ts';
import type { Draft, Reply } from './reply.ts';
import type { AnswerLine, PendingTool } from './tools.ts';
import type { Entry, PlayedWord } from './transcript.ts';
import type { RequestedTransfer, Transfer } from './transfer.ts';
import type { CommittedTurn, OpenTurn } from './user-turn.ts';
import type { Progress } from './workflow.ts';

/** What a call numbers from 1. */
export type Numbered = 'gen' | 'utt' | 'turn' | 'message' | 'rev' | 'leg';

/** Why a call is about to end. */
export interface Ending {
  readonly reason: EndReason;
  readonly trigger: 'user' | 'assistant' | undefined;
  readonly failure?: { readonly code: string; readonly message: string };
  /** The farewell, if it differs from the assistant's usual one. */
  readonly farewell?: string;
}

/** The caller. */
export interface UserSide {
  turn: OpenTurn | undefined;
  committed: CommittedTurn | undefined;
  voiced: boolean;
  readonly heard: HeardVoice;
  muted: boolean;
  /** Keys that were pressed and are not yet part of a turn. */
  keys: string;
  /** V2: the caller has put the assistant on hold. */
  onHold: boolean;
  /** Consecutive turns without a recognised word. */
  misheard: number;
  /** N7: extra wait after the assistant cut in on this caller, and for how many more turns it applies. */
  cutInMs: number;
  cutInTurns: number;
  /** B12: when replies were held for mere noise, and until when voice alone may hold none. */
  falseHolds: readonly number[];
  noisyUntil: number;
  /** B16: the last words that were taken for a backchannel, although no list has them. */
  passedOver: { readonly turn: number; readonly at: number; readonly text: string } | undefined;
  /** The recogniser is not available. */
  sttDown: boolean;
}

/** The assistant. */
export interface AssistantSide {
  reply: Reply | undefined;
  draft: Draft | undefined;
  /** Y1: texts that the API asked the assistant to say. */
  textsToSay: string[];
  /** T5: tool results that came after their reply was over and that the model does not know yet. */
  lateResults: AnswerLine[];
  welcomed: boolean;
  muted: boolean;
  /** Y5: the person who speaks with the caller instead. */
  supervisor:
    | { readonly by: string; readonly since: number; readonly isWrittenDown?: boolean }
    | undefined;
  /** Change of its loudness for the caller. */
  volumeDb: number;
  /** When the first audio of the call played. */
  firstAudioAt: number | undefined;
  /** The part of its last reply that the caller heard. */
  lastHeard: string;
  played: readonly PlayedWord[];
  idlePrompts: number;
  /** Whether an interruption has to be acknowledged, and how many were. */
  ackDue: boolean;
  acks: number;
  /** How many backchannels were given, and when the last one was. */
  backchannels: number;
  backchannelAt: number | undefined;
  /** K3: the timers of a late answer are running. */
  isAwaited: boolean;
  modelFailures: number;
  ttsFailures: number;
}

/** Tool calls without an answer. */
export interface ToolsState {
  /** The reply waits for them. */
  awaited: PendingTool[];
  /** T8: the reply does not wait for them. */
  async: PendingTool[];
  /** T1: no tool is invoked earlier. */
  gateAt: number;
  /** When the model asked for the awaited tools, and how many delay messages were said since. */
  since: number;
  delayMessages: number;
  /** The model must be told a result of the last step, because no line of the tool speaks it. */
  mustTellModel: boolean;
}

export interface TransferState {
  /** The transfer under way. */
  current: Transfer | undefined;
  requested: RequestedTransfer | undefined;
  count: number;
}

/**
 * The data of one call: plain JSON. The states of the call are in the statechart, its deadlines in the timers.
 * Times are ms since the call was created.
 */
export interface CallState {
  readonly settings: CallSettings;
  readonly entries: Entry[];
  readonly user: UserSide;
  readonly assistant: AssistantSide;
  readonly tools: ToolsState;
  readonly transfer: TransferState;
  /** The position in the workflow, if the call has one. */
  readonly progress: Progress | undefined;
  readonly counters: Partial<Record<Numbered, number>>;
  answeredAt: number | undefined;
  ending: Ending | undefined;
}
