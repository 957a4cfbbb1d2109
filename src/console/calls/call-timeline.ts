import type { AssistantState, TurnMetrics, UserState } from '../../engine/machine/commands.ts';
import type { JournalLine } from './journal.ts';
import { momentOf, type StoryMoment } from './timeline-events.ts';
import { type SpokenLine, StoryLines } from './timeline-lines.ts';

/** Something that lasted; without an end it goes on. */
export interface Span<State extends string = string> {
  readonly state: State;
  readonly fromMs: number;
  readonly toMs?: number;
}

/** One use of a tool. */
export interface ToolUse {
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly atMs: number;
  readonly doneMs?: number;
  readonly result?: string;
  readonly error?: string;
  readonly cancelled?: boolean;
}

/** An answer, and where its time went. */
export interface StoryTurn {
  readonly metrics: TurnMetrics;
  /** Its first sound, on the call's time line. */
  readonly atMs: number;
}

/**
 * A call as its log tells it: what was said, what happened, and how both sides stood, on one time line. What is shown
 * of it is replaced when it changes.
 */
export class CallTimeline {
  readonly #lines = new StoryLines();
  #moments: readonly StoryMoment[] = [];
  readonly #user: Span<UserState>[] = [];
  readonly #assistant: Span<AssistantState>[] = [];
  readonly #tools = new Map<string, ToolUse>();
  #turns: readonly StoryTurn[] = [];
  #muted = { user: false, assistant: false };
  #seq = -1;
  #durationMs = 0;
  #ended = false;

  static of(lines: Iterable<JournalLine>): CallTimeline {
    const story = new CallTimeline();
    for (const line of lines) story.add(line);
    return story;
  }

  /** Place of the newest line. */
  get seq(): number {
    return this.#seq;
  }

  get lines(): readonly SpokenLine[] {
    return this.#lines.lines;
  }

  /** In the order in which they happened. */
  get moments(): readonly StoryMoment[] {
    return this.#moments;
  }

  get states(): {
    readonly user: readonly Span<UserState>[];
    readonly assistant: readonly Span<AssistantState>[];
  } {
    return { user: this.#user, assistant: this.#assistant };
  }

  get tools(): readonly ToolUse[] {
    return [...this.#tools.values()];
  }

  get turns(): readonly StoryTurn[] {
    return this.#turns;
  }

  /** Who is not heard, because somebody asked for it. */
  get muted(): { readonly user: boolean; readonly assistant: boolean } {
    return this.#muted;
  }

  /** How far the log goes. */
  get durationMs(): number {
    return this.#durationMs;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Takes the next line; one that was there already is passed by. */
  add(line: JournalLine): void {
    if (line.seq <= this.#seq) return;
    this.#seq = line.seq;
    this.#durationMs = Math.max(this.#durationMs, line.at);
    this.#lines.add(line);
    const moment = momentOf(line);
    if (moment) this.#place(moment);
    switch (line.type) {
      case 'state':
        turnTo(this.#user, line.data.user, line.at);
        turnTo(this.#assistant, line.data.assistant, line.at);
        break;
      case 'transcript.patch':
        this.#correct(line.data.messageId, line.data.text);
        break;
      case 'control.mute':
        this.#muted = { ...this.#muted, [line.data.who]: line.data.on };
        break;
      case 'turn.metrics':
        this.#turns = [...this.#turns, { metrics: line.data.metrics, atMs: line.at }];
        break;
      case 'tool.invoke':
        this.#tools.set(line.data.toolCallId, {
          id: line.data.toolCallId,
          name: line.data.name,
          arguments: line.data.arguments,
          atMs: line.at,
        });
        break;
      case 'llm.toolCall':
        this.#refuse(line.data, line.at);
        break;
      case 'tool.result':
        this.#settle(line.data.toolCallId, { doneMs: line.at, result: line.data.result });
        break;
      case 'tool.error':
        this.#settle(line.data.toolCallId, { doneMs: line.at, error: line.data.error });
        break;
      case 'tool.cancel':
        this.#settle(line.data.toolCallId, { doneMs: line.at, cancelled: true });
        break;
      case 'finish':
        this.#ended = true;
        close(this.#user, line.at);
        close(this.#assistant, line.at);
        break;
      default:
    }
  }

  /** The model asked for what cannot be: nobody was called. */
  #refuse(
    asked: { toolCallId: string; name: string; arguments: string; problem?: string },
    at: number,
  ) {
    const { toolCallId: id, name, arguments: text, problem: error } = asked;
    if (error === undefined) return;
    this.#tools.set(id, { id, name, arguments: readArguments(text), atMs: at, doneMs: at, error });
  }

  #settle(id: string, end: Partial<ToolUse>): void {
    const use = this.#tools.get(id);
    if (use && use.doneMs === undefined) this.#tools.set(id, { ...use, ...end });
  }

  #correct(messageId: string, detail: string): void {
    const at = this.#moments.findIndex((moment) => moment.messageId === messageId);
    const moment = this.#moments[at];
    if (moment) this.#moments = this.#moments.with(at, { ...moment, detail });
  }

  // What a caller said is written when it is over, and belongs where it began.
  #place(moment: StoryMoment): void {
    const after = this.#moments.findLastIndex(({ atMs }) => atMs <= moment.atMs);
    this.#moments = this.#moments.toSpliced(after + 1, 0, moment);
  }
}

function readArguments(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return { ...value };
  } catch {
    // Shown as they came.
  }
  return { text };
}

function turnTo<State extends string>(spans: Span<State>[], state: State, at: number): void {
  const last = spans.at(-1);
  if (last?.state === state && last.toMs === undefined) return;
  close(spans, at);
  spans.push({ state, fromMs: at });
}

function close<State extends string>(spans: Span<State>[], at: number): void {
  const last = spans.at(-1);
  if (last && last.toMs === undefined) spans[spans.length - 1] = { ...last, toMs: at };
}
