import type { Call } from '../engine/machine/call.ts';
import type { StampedCommand } from '../engine/machine/commands.ts';
import type { CallEvent } from '../engine/machine/events.ts';
import { JournalForm } from '../engine/machine/journal-form.ts';
import type { Clock, Timer } from '../ports/clock.ts';
import type { JournalLine } from '../ports/journal.ts';

interface Deps {
  readonly clock: Clock;
  readonly call: Call;
  /** The clock's reading at the call's instant 0. */
  readonly startedAtMs: number;
  readonly append: (line: JournalLine) => void;
  /** Carries one command out. */
  readonly run: (command: StampedCommand) => void;
  /** Machine or command failed: the call cannot go on. */
  readonly onCrash: (error: unknown) => void;
}

interface Waiting {
  readonly event: CallEvent;
  readonly at: number;
  readonly answer?: (commands: readonly StampedCommand[]) => void;
}

/**
 * Feeds the call machine: stamps and journals every event in the order it came, hands its commands to the
 * session, and keeps the one real timer that a call has. Never re-entrant: an event raised while a command
 * runs waits for its turn.
 */
export class CallRunner {
  readonly #deps: Deps;
  // The instant is taken when an event comes in, its place in the journal when it is its turn.
  readonly #queue: Waiting[] = [];
  readonly #form = new JournalForm();
  #seq = 1;
  #lastAt = 0;
  #draining = false;
  #timer: Timer | undefined;
  #armedFor: number | undefined;
  #stopped = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Whole ms since the call was created; never goes back. */
  now(): number {
    this.#lastAt = Math.max(this.#lastAt, this.at(this.#deps.clock.now()));
    return this.#lastAt;
  }

  /** A clock instant on the call's own scale. */
  at(clockMs: number): number {
    return Math.max(0, Math.floor(clockMs - this.#deps.startedAtMs));
  }

  send(event: CallEvent): void {
    this.#push({ event, at: this.now() });
  }

  /** The commands with which the machine answers this event; none when the call is over. */
  ask(event: CallEvent): Promise<readonly StampedCommand[]> {
    return new Promise((answer) => {
      if (this.#stopped) answer([]);
      else this.#push({ event, at: this.now(), answer });
    });
  }

  #push(waiting: Waiting): void {
    if (this.#stopped) return;
    this.#queue.push(waiting);
    if (this.#draining) return;
    this.#draining = true;
    queueMicrotask(() => this.#drain());
  }

  /** A line for people; changes nothing. */
  note(type: string, data: Readonly<Record<string, unknown>>): void {
    this.#deps.append({ seq: this.#seq++, at: this.now(), kind: 'note', type, data });
  }

  stop(): void {
    this.#stopped = true;
    for (const waiting of this.#queue.splice(0)) waiting.answer?.([]);
    if (this.#timer !== undefined) this.#deps.clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#deps.call.stop();
  }

  #drain(): void {
    try {
      for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
        const { event, at, answer } = next;
        const { type, ...data } = event;
        const seq = this.#seq++;
        this.#deps.append({ seq, at, kind: 'event', type, data });
        const commands = this.#deps.call.dispatch({ ...event, seq, at });
        answer?.(commands);
        this.#obey(commands);
      }
    } catch (error) {
      this.#deps.onCrash(error);
    } finally {
      this.#draining = false;
    }
    this.#arm();
  }

  #obey(commands: readonly StampedCommand[]): void {
    for (const command of commands) {
      const { at, ...given } = command;
      const { type, data } = this.#form.of(given);
      this.#deps.append({ seq: this.#seq++, at, kind: 'command', type, data });
      this.#deps.run(command);
    }
  }

  #arm(): void {
    const dueAt = this.#stopped ? undefined : this.#deps.call.nextDueAt();
    if (this.#timer !== undefined && dueAt === this.#armedFor) return;
    if (this.#timer !== undefined) this.#deps.clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#armedFor = dueAt;
    if (dueAt === undefined) return;
    const delayMs = this.#deps.startedAtMs + dueAt - this.#deps.clock.now();
    this.#timer = this.#deps.clock.setTimeout(() => this.#due(), Math.max(0, Math.ceil(delayMs)));
  }

  #due(): void {
    this.#timer = undefined;
    try {
      this.#obey(this.#deps.call.advanceTo(this.now()));
    } catch (error) {
      this.#deps.onCrash(error);
    }
    this.#arm();
  }
}
