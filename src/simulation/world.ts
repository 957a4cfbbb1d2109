import { Call, ENGINE_VERSION } from '../engine/machine/call.ts';
import type { StampedCommand } from '../engine/machine/commands.ts';
import type { CallEvent, StampedEvent } from '../engine/machine/events.ts';
import { JournalForm } from '../engine/machine/journal-form.ts';
import type { RestoredCall } from '../engine/machine/replay.ts';
import type { CallSettings } from '../engine/settings/settings.ts';
import { VirtualClock } from '../lib/virtual-clock.ts';
import type { JournalLine } from '../ports/journal.ts';
import { modelEvents, toolEvent, voiceEvents } from './answer-events.ts';
import type { CallerLine, SimulatedCaller, SpokenText, ToolAnswer, WorldParts } from './parts.ts';
import { SimulatedPlayout } from './playout.ts';
import type { DatedEvent } from './utterance.ts';

export interface WorldInit {
  readonly callId: string;
  readonly settings: CallSettings;
  /** Goes on with a call from the last line of its journal. */
  readonly goesOn?: { readonly restored: RestoredCall; readonly journal: readonly JournalLine[] };
}

export interface FollowedCommand {
  readonly command: StampedCommand;
  readonly line: JournalLine;
}

/** No call lives longer: its own limit is shorter. */
const LONGEST_MS = 5 * 3_600_000;

/** A call on virtual time: the engine, and around it a world of known answers. It writes the journal of a live call. */
export class SimulatedWorld {
  readonly call: Call;
  readonly playout: SimulatedPlayout;
  readonly commands: StampedCommand[] = [];
  readonly journal: JournalLine[] = [];
  /** By utterance id. */
  readonly spoken = new Map<number, { readonly text: string; readonly voice: SpokenText }>();
  readonly #clock = new VirtualClock();
  readonly #form: JournalForm;
  readonly #parts: WorldParts;
  readonly #caller: SimulatedCaller;
  readonly #cancelled = new Set<string>();
  #waiting: Promise<void>[] = [];
  #now = 0;
  /** What was under way before it changed is void. */
  #life = 0;

  constructor({ callId, settings, goesOn }: WorldInit, parts: WorldParts) {
    this.#parts = parts;
    this.call = goesOn?.restored.call ?? new Call({ settings });
    this.#form = goesOn?.restored.form ?? new JournalForm();
    this.playout = new SimulatedPlayout(
      (at, event, valid) => this.schedule(at, event, valid),
      (uttId) => this.spoken.get(uttId)?.voice.totalMs ?? 0,
      (uttId) => this.spoken.get(uttId)?.voice.words ?? [],
      (uttId) => this.spoken.get(uttId)?.voice.stallsAfterMs ?? Number.POSITIVE_INFINITY,
    );
    this.#caller = parts.caller?.(this.#line()) ?? {};
    if (!goesOn) {
      this.#record('note', 0, 'call.created', { callId, engineVersion: ENGINE_VERSION, settings });
      return;
    }
    this.journal.push(...goesOn.journal);
    this.commands.push(...goesOn.restored.commands);
    this.#now = goesOn.restored.last.at;
    this.#clock.advanceTo(this.#now);
  }

  get now(): number {
    return this.#now;
  }

  get finished(): boolean {
    return this.call.view.lifecycle === 'finished';
  }

  answer(): void {
    this.deliver({ type: 'leg.answered' });
    this.#caller.answered?.();
  }

  /** An event at an instant of the call, unless it is no longer valid by then. */
  schedule(at: number, event: CallEvent, valid: () => boolean = () => true): void {
    const life = this.#life;
    this.later(at, () => {
      if (life === this.#life && valid()) this.deliver(event);
    });
  }

  later(at: number, act: () => void): void {
    this.#clock.setTimeout(act, Math.round(at) - this.#clock.now());
  }

  /** Nothing that is under way will be heard of again. */
  forget(): void {
    this.#life++;
  }

  /** The engine is told at once. */
  deliver(event: CallEvent): void {
    const at = this.#now;
    this.#obey(this.call.advanceTo(at));
    if (this.finished) return;
    const { type, ...data } = event;
    const seq = this.journal.length;
    this.#record('event', at, type, data);
    this.#obey(this.call.dispatch({ ...event, seq, at } as StampedEvent));
    if (event.type === 'play.started') this.#caller.hears?.();
    if (event.type === 'play.finished') this.playout.finished(at);
    if (type === 'play.finished' || type === 'play.held' || type === 'play.cleared')
      this.#caller.hearsNothing?.();
  }

  /**
   * Plays a record on: tells the engine what it was told then, or only lets its timers fire. Nothing answers the
   * commands; returns them with their lines of the journal.
   */
  follow(at: number, event?: CallEvent): readonly FollowedCommand[] {
    this.#now = at;
    this.#clock.advanceTo(at);
    if (!event) return this.#written(this.call.advanceTo(at));
    const { type, ...data } = event;
    const seq = this.journal.length;
    this.#record('event', at, type, data);
    return this.#written(this.call.dispatch({ ...event, seq, at } as StampedEvent));
  }

  /** Has the world answer commands that were followed. */
  take(followed: readonly FollowedCommand[]): void {
    for (const each of followed) this.#react(each);
  }

  /** The voice speaks an utterance from its beginning, or, with `fromAt`, gives what is left of it by then. */
  speak(uttId: number, text: string, at: number, fromAt = at): void {
    const voice = this.#parts.voice(text);
    this.spoken.set(uttId, { text, voice });
    const events = voiceEvents(uttId, voice, at);
    this.scheduleOf(
      'utt',
      uttId,
      events.filter((event) => event.at >= fromAt),
    );
  }

  /** What is left of an answer of the model of which `given` parts came already. */
  generate({ command, line }: FollowedCommand, given: number): void {
    if (command.type !== 'llm.start') return;
    this.#then(this.#parts.model(command, String(line.data.digest)), (parts) =>
      this.scheduleOf(
        'gen',
        command.genId,
        modelEvents(command.genId, parts.slice(given), command.at),
      ),
    );
  }

  answerTool(toolCallId: string, answer: ToolAnswer, at: number): void {
    this.scheduleOf('tool', toolCallId, [toolEvent(toolCallId, answer, at)]);
  }

  /** Events of a generation, an utterance or a tool call that come unless it is cancelled by then. */
  scheduleOf(
    part: 'gen' | 'utt' | 'tool',
    id: number | string,
    events: readonly DatedEvent[],
  ): void {
    for (const { at, event } of events)
      this.schedule(at, event, () => !this.#cancelled.has(`${part}${id}`));
  }

  /** Lets the call live until then, or its end. Throws if the world waits for an answer from outside. */
  runTo(until: number = LONGEST_MS): void {
    if (!this.#live(until).next().done)
      throw new Error('the world waits for an answer from outside');
  }

  /** The same, waiting for answers from outside; virtual time stands still meanwhile. */
  async run(until: number = LONGEST_MS, signal?: AbortSignal): Promise<void> {
    for (const answers of this.#live(until)) {
      await answers;
      signal?.throwIfAborted();
    }
  }

  *#live(until: number): Generator<Promise<unknown>, void> {
    for (;;) {
      while (this.#waiting.length > 0) yield Promise.all(this.#waiting.splice(0));
      if (this.finished) return;
      const timer = this.call.nextDueAt() ?? Number.POSITIVE_INFINITY;
      const world = this.#clock.nextDueAt() ?? Number.POSITIVE_INFINITY;
      if (Math.min(timer, world) > until) {
        this.#now = until;
        return;
      }
      // As in the service: what the engine does by itself at an instant comes before what happens then.
      if (timer <= world) {
        this.#now = Math.max(this.#now, timer);
        this.#obey(this.call.advanceTo(this.#now));
      } else {
        this.#now = Math.max(this.#now, world);
        this.#clock.advanceTo(world);
      }
    }
  }

  #line(): CallerLine {
    return {
      now: () => this.#now,
      later: (at, act) => this.later(at, act),
      emit: (event) => this.deliver(event),
      soundsAt: (at) => this.playout.soundsAt(at),
      quietSince: () => this.playout.quietSince(),
    };
  }

  #record(
    kind: JournalLine['kind'],
    at: number,
    type: string,
    data: Readonly<Record<string, unknown>>,
  ): JournalLine {
    const line = { seq: this.journal.length, at, kind, type, data };
    this.journal.push(line);
    return line;
  }

  #obey(commands: readonly StampedCommand[]): void {
    this.take(this.#written(commands));
  }

  #written(commands: readonly StampedCommand[]): readonly FollowedCommand[] {
    return commands.map((command) => {
      this.commands.push(command);
      const { at, ...given } = command;
      const { type, data } = this.#form.of(given);
      const line = this.#record('command', at, type, data);
      return { command, line };
    });
  }

  #react(followed: FollowedCommand): void {
    const { command } = followed;
    const { at } = command;
    switch (command.type) {
      case 'llm.start':
        this.generate(followed, 0);
        return;
      case 'llm.cancel':
        this.#cancelled.add(`gen${command.genId}`);
        return;
      case 'tts.start':
        this.speak(command.uttId, command.text, at);
        return;
      case 'tts.cancel':
        this.#cancelled.add(`utt${command.uttId}`);
        return;
      case 'tool.invoke':
        this.#then(this.#parts.tool(command), (answer) => {
          if (answer) this.answerTool(command.toolCallId, answer, at);
        });
        return;
      case 'tool.cancel':
        this.#cancelled.add(`tool${command.toolCallId}`);
        return;
      case 'play.start':
        this.playout.start(command.uttId, at);
        return;
      case 'play.hold':
        this.playout.hold(at);
        return;
      case 'play.release':
        this.playout.release(at);
        if (this.playout.soundsAt(at)) this.#caller.hears?.();
        return;
      case 'play.clear':
        this.playout.clear(at);
        return;
      case 'stt.flush':
        this.#caller.flush?.();
        return;
      default:
        for (const { afterMs, event } of this.#parts.others?.(command) ?? [])
          this.schedule(at + afterMs, event);
    }
  }

  #then<Answer>(answer: Answer | Promise<Answer>, take: (answer: Answer) => void): void {
    if (answer instanceof Promise) this.#waiting.push(answer.then(take));
    else take(answer);
  }
}
