import type { AssistantState, TurnMetrics, UserState } from '../../contract/call-journal.ts';
import type { JournalLine } from './journal.ts';
import { type TimelineEvent, timelineEventOf } from './timeline-events.ts';
import { type SpokenLine, TranscriptLines } from './timeline-lines.ts';

/** A state over a period of time; no `toMs` while it lasts. */
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

/** An answered turn with its latency metrics. */
export interface TimelineTurn {
  readonly metrics: TurnMetrics;
  /** Start of its first sound on the call's timeline. */
  readonly atMs: number;
}

/**
 * Builds transcript, events and states on one timeline from the call's journal. Objects handed out are replaced, not
 * changed, so that components can compare them.
 */
export class CallTimeline {
  readonly #lines = new TranscriptLines();
  #events: readonly TimelineEvent[] = [];
  readonly #user: Span<UserState>[] = [];
  readonly #assistant: Span<AssistantState>[] = [];
  readonly #tools = new Map<string, ToolUse>();
  #turns: readonly TimelineTurn[] = [];
  #muted = { user: false, assistant: false };
  #seq = -1;
  #durationMs = 0;
  #ended = false;

  static of(lines: Iterable<JournalLine>): CallTimeline {
    const timeline = new CallTimeline();
    for (const line of lines) timeline.add(line);
    return timeline;
  }

  /** Sequence number of the newest line. */
  get seq(): number {
    return this.#seq;
  }

  get lines(): readonly SpokenLine[] {
    return this.#lines.lines;
  }

  /** In chronological order. */
  get events(): readonly TimelineEvent[] {
    return this.#events;
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

  get turns(): readonly TimelineTurn[] {
    return this.#turns;
  }

  /** Sides muted through the API. */
  get muted(): { readonly user: boolean; readonly assistant: boolean } {
    return this.#muted;
  }

  /** Time of the last journal line. */
  get durationMs(): number {
    return this.#durationMs;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Takes the next journal line; ignores one that it already has. */
  add(line: JournalLine): void {
    if (line.seq <= this.#seq) return;
    this.#seq = line.seq;
    this.#durationMs = Math.max(this.#durationMs, line.at);
    this.#lines.add(line);
    const event = timelineEventOf(line);
    if (event) this.#place(event);
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

  /** Records a tool call with invalid arguments or an unknown tool, which was never executed. */
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
    const at = this.#events.findIndex((event) => event.messageId === messageId);
    const event = this.#events[at];
    if (event) this.#events = this.#events.with(at, { ...event, detail });
  }

  // The caller's speech is journalled when it ends, but belongs where it began.
  #place(event: TimelineEvent): void {
    const after = this.#events.findLastIndex(({ atMs }) => atMs <= event.atMs);
    this.#events = this.#events.toSpliced(after + 1, 0, event);
  }
}

function readArguments(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return { ...value };
  } catch {
    // Arguments that are not JSON are shown as they came.
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
