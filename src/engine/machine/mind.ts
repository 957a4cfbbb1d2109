import type { EndReason } from '../../contract/failures.ts';
import type { VirtualClock } from '../../lib/virtual-clock.ts';
import { type Language, languageOf } from '../language/language.ts';
import { wordsOf } from '../language/words.ts';
import type { Entry } from '../reply/conversation.ts';
import type { Draft } from '../reply/draft.ts';
import type { Reply } from '../reply/reply.ts';
import type { CallSettings } from '../settings/settings.ts';
import type { AnswerLine } from '../tools/tool-lines.ts';
import type { Transfer } from '../transfer/transfer-leg.ts';
import type { PlayedWord } from '../turn/echo.ts';
import type { CommittedTurn } from '../turn/user-message.ts';
import type { OpenTurn } from '../turn/user-turn.ts';
import { type Progress, startWorkflow } from '../workflow/workflow-start.ts';
import type { AssistantState, CallCommand, StampedCommand, UserState } from './commands.ts';

/** Everything that waits for an instant. At most one of each is pending. */
export type DeadlineName =
  | 'welcome'
  | 'endpoint'
  | 'draft'
  | 'predict'
  | 'noText'
  | 'unheeded'
  | 'keys'
  | 'ack'
  | 'ungate'
  | 'voiceAlive'
  | 'audioFloor'
  | 'hold'
  | 'voiceOnly'
  | 'resume'
  | 'heldMax'
  | 'cleared'
  | 'stall'
  | 'llmFirst'
  | 'hang'
  | 'filler'
  | 'giveUp'
  | 'toolGate'
  | 'toolHold'
  | 'toolDelay'
  | 'toolOverdue'
  | 'transfer'
  | 'briefing'
  | 'screen'
  | 'beep'
  | 'parked'
  | 'muted'
  | 'murmur'
  | 'idle'
  | 'maxDuration'
  | 'maxDurationGrace'
  | 'farewell'
  | 'mediaLost';

/** What one part of the mind tells another; goes through the statechart like any event. */
export type InnerEvent =
  | { readonly type: `due.${DeadlineName}` }
  | {
      readonly type:
        | 'mind.reply'
        | 'mind.replyOver'
        | 'mind.hold'
        | 'mind.release'
        | 'mind.interrupt'
        | 'mind.turnOpened'
        | 'mind.keyed'
        | 'mind.transfer'
        | 'mind.announced'
        | 'mind.bridge'
        | 'mind.bridged'
        | 'mind.summed'
        | 'mind.transferOver'
        | 'mind.screen'
        | 'mind.unscreen'
        | 'mind.machine'
        | 'mind.close'
        | 'mind.finish'
        | 'mind.toolsSettled';
    };

export interface PendingTool {
  readonly toolCallId: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Name and arguments as one text: the same call has the same. */
  readonly key: string;
  /** The reply that asked for it. */
  readonly replyId: string;
  /** Asked of the tool's server; before that the turn may still be taken back. */
  invoked: boolean;
  /** T1: the blocking line that has to be said first. */
  afterUtterance: number | undefined;
  /** Its time-out, once it has been invoked. */
  dueAt: number | undefined;
}

export interface Ending {
  readonly reason: EndReason;
  readonly trigger: 'user' | 'assistant' | undefined;
  readonly failure?: { readonly code: string; readonly message: string };
  /** The last words, where they are not the assistant's usual ones. */
  readonly farewell?: string;
}

/**
 * What the statechart knows: the data of one call, the commands it gives and the instants it waits for.
 * Deadlines are absolute, so that a mind can be armed anew from its data.
 */
export class Mind {
  readonly settings: CallSettings;
  readonly language: Language;
  readonly hints: ReadonlySet<string>;
  readonly hintPhrases: readonly (readonly string[])[];
  readonly entries: Entry[] = [];
  readonly says: string[] = [];
  /** Tools the reply waits for, and those it does not. */
  readonly tools = new Map<string, PendingTool>();
  readonly asyncTools = new Map<string, PendingTool>();
  /** When the tools that the reply waits for were asked for, and how many excuses were made since. */
  toolsSince = 0;
  /** Of the tools asked for last, one has an answer that no line of its own speaks. */
  toolsToTell = false;
  /** Answers that came when their reply was over and that no model has been told since. */
  untold: AnswerLine[] = [];
  toolExcuses = 0;
  readonly deadlines = new Map<DeadlineName, number>();
  readonly inbox: InnerEvent[] = [];
  user: UserState = 'silent';
  assistant: AssistantState = 'idle';
  lifecycle: 'queued' | 'ongoing' | 'closing' | 'forwarded' | 'finished' = 'queued';
  turn: OpenTurn | undefined;
  committed: CommittedTurn | undefined;
  reply: Reply | undefined;
  draft: Draft | undefined;
  /** Under way; before that, asked for by the model in a reply that is still being said. */
  transfer: Transfer | undefined;
  transferDue: { readonly toolCallId: string; readonly messageId: string } | undefined;
  transfers = 0;
  forwarded = false;
  /** Whether a called party may be a machine. */
  screening: 'off' | 'listening' | 'classifying' | 'machine' = 'off';
  /** We have been put on hold. */
  parked = false;
  ending: Ending | undefined;
  answeredAt: number | undefined;
  voiced = false;
  lastHeard = '';
  welcomed = false;
  idlePrompts = 0;
  /** An interruption is still to be acknowledged, and how many were. */
  ackDue = false;
  acks = 0;
  modelFailures = 0;
  ttsFailures = 0;
  misheard = 0;
  /** First audio of the call. */
  firstAudioAt: number | undefined;
  falseHolds: readonly number[] = [];
  noisyUntil = 0;
  /** Extra wait, learnt from having cut in on this caller, and for how many turns. */
  cutInMs = 0;
  cutInTurns = 0;
  /** Keys pressed and not yet taken as a turn. */
  keys = '';
  played: readonly PlayedWord[] = [];
  /** How loud the assistant is for the caller, beside its usual. */
  volumeDb = 0;
  /** Where the call stands in its workflow, where it has one. */
  readonly progress: Progress | undefined;
  mediaLost = false;
  userMuted = false;
  assistantMuted = false;
  /** Backchannels given, and when the last. */
  murmurs = 0;
  murmuredAt = Number.NEGATIVE_INFINITY;
  sttDown = false;
  readonly #clock: VirtualClock;
  readonly #timers = new Map<DeadlineName, unknown>();
  readonly #counters = new Map<string, number>();
  #out: StampedCommand[] = [];

  constructor(settings: CallSettings, clock: VirtualClock) {
    this.settings = settings;
    const { workflow } = settings;
    this.progress = workflow && startWorkflow(workflow, workflow.variables);
    this.#clock = clock;
    this.language = languageOf(settings.languages);
    this.hintPhrases = settings.hints.map((hint) => wordsOf(hint));
    this.hints = new Set(settings.hints.flatMap((hint) => wordsOf(hint)));
  }

  get now(): number {
    return this.#clock.now();
  }

  emit(command: CallCommand): void {
    this.#out.push({ ...command, at: this.now });
  }

  /** The commands given since the last time. */
  takeCommands(): readonly StampedCommand[] {
    const commands = this.#out;
    this.#out = [];
    return commands;
  }

  raise(type: InnerEvent['type']): void {
    this.inbox.push({ type } as InnerEvent);
  }

  /** The next number of a kind: 1, 2, 3… */
  next(kind: 'gen' | 'utt' | 'turn' | 'message' | 'rev' | 'leg'): number {
    const number = (this.#counters.get(kind) ?? 0) + 1;
    this.#counters.set(kind, number);
    return number;
  }

  /** (Re-)arms a deadline; it comes back as `due.<name>`. */
  arm(name: DeadlineName, at: number): void {
    if (this.deadlines.get(name) === at) return;
    this.disarm(name);
    this.deadlines.set(name, at);
    const timer = this.#clock.setTimeout(() => {
      this.#timers.delete(name);
      this.deadlines.delete(name);
      this.raise(`due.${name}`);
    }, at - this.now);
    this.#timers.set(name, timer);
  }

  armIn(name: DeadlineName, delayMs: number): void {
    this.arm(name, this.now + delayMs);
  }

  disarm(...names: DeadlineName[]): void {
    for (const name of names) {
      this.#clock.clearTimeout(this.#timers.get(name));
      this.#timers.delete(name);
      this.deadlines.delete(name);
    }
  }

  disarmAll(): void {
    this.disarm(...this.deadlines.keys());
  }
}

/** Muted, on hold, a machine, or not (any longer) in conversation: what the caller says is nobody's. */
export const isDeaf = (mind: Mind) =>
  mind.userMuted ||
  mind.transfer !== undefined ||
  mind.screening === 'machine' ||
  mind.lifecycle !== 'ongoing';
