import type { EndReason } from '../../contract/failures.ts';
import type { CallSettings } from '../settings/settings.ts';
import type { Draft, Reply } from './reply.ts';
import type { AnswerLine, PendingTool } from './tools.ts';
import type { Entry, PlayedWord } from './transcript.ts';
import type { RequestedTransfer, Transfer } from './transfer.ts';
import type { CommittedTurn, OpenTurn } from './user-turn.ts';
import type { Progress } from './workflow.ts';

/** Things that a call numbers from 1. */
export type Numbered = 'gen' | 'utt' | 'turn' | 'message' | 'rev' | 'leg';

/** Why a call ends, decided before it does. */
export interface Ending {
  readonly reason: EndReason;
  readonly trigger: 'user' | 'assistant' | undefined;
  readonly failure?: { readonly code: string; readonly message: string };
  /** The last words, where they are not the assistant's usual ones. */
  readonly farewell?: string;
}

/** The caller. */
export interface UserSide {
  turn: OpenTurn | undefined;
  committed: CommittedTurn | undefined;
  voiced: boolean;
  muted: boolean;
  /** Keys pressed and not yet taken as a turn. */
  keys: string;
  /** V2: the caller has put the assistant on hold. */
  onHold: boolean;
  /** Turns in a row of which no word was understood. */
  misheard: number;
  /** N7: extra wait, learnt from having cut in on this caller, and for how many turns. */
  cutInMs: number;
  cutInTurns: number;
  /** B12: when a reply was last held for nothing, and until when voice alone holds none. */
  falseHolds: readonly number[];
  noisyUntil: number;
  /** The recogniser is away. */
  sttDown: boolean;
}

/** The assistant. */
export interface AssistantSide {
  reply: Reply | undefined;
  draft: Draft | undefined;
  /** Y1: texts that the API asked to have said. */
  says: string[];
  /** T5: answers that came when their reply was over and that no model has been told since. */
  lateResults: AnswerLine[];
  welcomed: boolean;
  muted: boolean;
  /** How loud it is for the caller, beside its usual. */
  volumeDb: number;
  /** First audio of the call. */
  firstAudioAt: number | undefined;
  /** What it last said, as far as it was heard. */
  lastHeard: string;
  played: readonly PlayedWord[];
  idlePrompts: number;
  /** An interruption is still to be acknowledged, and how many were. */
  ackDue: boolean;
  acks: number;
  /** Backchannels given, and when the last. */
  backchannels: number;
  backchannelAt: number | undefined;
  /** K3: the caller's patience with an answer runs. */
  isAwaited: boolean;
  modelFailures: number;
  ttsFailures: number;
}

/** Tool calls without an answer. */
export interface ToolsState {
  /** The reply waits for these. */
  waited: PendingTool[];
  /** T8: and not for these. */
  async: PendingTool[];
  /** T1: none is asked of its server before. */
  gateAt: number;
  /** When the waited ones were asked for, and how many excuses were made since. */
  since: number;
  excuses: number;
  /** Of the tools asked for last, one has an answer that no line of its own speaks. */
  toTell: boolean;
}

export interface TransferState {
  /** Under way. */
  current: Transfer | undefined;
  requested: RequestedTransfer | undefined;
  count: number;
}

/**
 * The data of one call: plain JSON. Where the call stands is the statechart's, what it waits for the timers'.
 * Times are ms since the call was created.
 */
export interface CallState {
  readonly settings: CallSettings;
  readonly entries: Entry[];
  readonly user: UserSide;
  readonly assistant: AssistantSide;
  readonly tools: ToolsState;
  readonly transfer: TransferState;
  /** Where the call stands in its workflow, where it has one. */
  readonly progress: Progress | undefined;
  readonly counters: Partial<Record<Numbered, number>>;
  answeredAt: number | undefined;
  ending: Ending | undefined;
}
