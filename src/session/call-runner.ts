import { type Call, ENGINE_VERSION } from '../engine/machine/call.ts';
import type { CallCommand, StampedCommand } from '../engine/machine/commands.ts';
import type { CallEvent } from '../engine/machine/events.ts';
import { JournalForm } from '../engine/machine/journal-form.ts';
import type { Checkpoint } from '../engine/machine/replay.ts';
import { loopRecorder } from '../lib/loop-recorder.ts';
import type { Clock, Timer } from '../ports/clock.ts';
import type { JournalLine } from '../ports/journal.ts';

interface Deps {
  readonly clock: Clock;
  readonly call: Call;
  /** The clock instant at which the call began. */
  readonly startedAtMs: number;
  /** Goes on with a journal from its last line; absent: a new one, whose first line the session writes. */
  readonly goesOn?: { readonly form: JournalForm; readonly last: Pick<JournalLine, 'seq' | 'at'> };
  /** A line of the journal, with the command it records. */
  readonly append: (line: JournalLine, command?: CallCommand) => void;
  /** Carries out one command. */
  readonly run: (command: StampedCommand) => void;
  /** The machine or a command threw: the call cannot go on. */
  readonly onCrash: (error: unknown) => void;
  /** The journal has grown by {@link CHECKPOINT_LINES}, and its last line has left the call as it is now. */
  readonly onCheckpoint?: (checkpoint: Omit<Checkpoint, 'messages'>) => void;
}

/** So many lines are run again in some 30 ms. */
export const CHECKPOINT_LINES = 500;

interface QueuedEvent {
  readonly event: CallEvent;
  readonly at: number;
  readonly answer?: (commands: readonly StampedCommand[]) => void;
}

/**
 * Feeds the call machine: stamps and journals every event in order of arrival, passes the machine's commands to the
 * session, and runs the call's only real timer. Never re-entrant: an event sent while a command runs is queued.
 */
export class CallRunner {
  readonly #deps: Deps;
  // An event is stamped when it arrives, and gets its `seq` when it is processed.
  readonly #queue: QueuedEvent[] = [];
  readonly #form: JournalForm;
  #seq: number;
  #checkpointSeq: number;
  #lastAt: number;
  /** Instant of the journal's last line, and of the command that is being carried out. */
  #lineAt: number;
  #carryingOutAt: number | undefined;
  #draining = false;
  #timer: Timer | undefined;
  #armedFor: number | undefined;
  #stopped = false;

  constructor(deps: Deps) {
    this.#deps = deps;
    const { form = new JournalForm(), last = { seq: 0, at: 0 } } = deps.goesOn ?? {};
    this.#form = form;
    this.#seq = last.seq + 1;
    this.#checkpointSeq = this.#seq;
    this.#lastAt = last.at;
    this.#lineAt = last.at;
  }

  get call(): Call {
    return this.#deps.call;
  }

  /** Whole ms since the call began; never goes back. */
  now(): number {
    this.#lastAt = Math.max(this.#lastAt, this.at(this.#deps.clock.now()));
    return this.#lastAt;
  }

  /** Converts a clock instant to ms since the call began. */
  at(clockMs: number): number {
    return Math.max(0, Math.floor(clockMs - this.#deps.startedAtMs));
  }

  send(event: CallEvent): void {
    this.#push({ event, at: this.now() });
  }

  /** Sends an event that happened when the last line was written. */
  sendAtLast(event: CallEvent): void {
    this.#push({ event, at: this.#lastAt });
  }

  /** Sends an event and resolves with the machine's commands for it; none if the call is over. */
  ask(event: CallEvent): Promise<readonly StampedCommand[]> {
    return new Promise((answer) => {
      if (this.#stopped) answer([]);
      else this.#push({ event, at: this.now(), answer });
    });
  }

  #push(queued: QueuedEvent): void {
    if (this.#stopped) return;
    this.#queue.push(queued);
    if (this.#draining) return;
    this.#draining = true;
    queueMicrotask(() => this.#drain());
  }

  /**
   * Writes a note to the journal; the machine does not get it. It stands before the events and timers that are still
   * to be handled, so it cannot be later than these.
   */
  note(type: string, data: Readonly<Record<string, unknown>>): void {
    const next = Math.min(this.#queue[0]?.at ?? Infinity, this.#deps.call.nextDueAt() ?? Infinity);
    const at = Math.max(this.#lineAt, Math.min(this.#carryingOutAt ?? this.now(), next));
    this.#append({ at, kind: 'note', type, data });
  }

  #append(line: Omit<JournalLine, 'seq'>, command?: CallCommand): void {
    this.#lineAt = line.at;
    this.#deps.append({ seq: this.#seq++, ...line }, command);
  }

  stop(): void {
    this.#stopped = true;
    for (const queued of this.#queue.splice(0)) queued.answer?.([]);
    if (this.#timer !== undefined) this.#deps.clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#deps.call.stop();
  }

  #drain(): void {
    try {
      for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
        const { at, answer } = next;
        // What timers do first stands before the event, in the journal too.
        this.#carryOut(this.#deps.call.advanceTo(at));
        if (this.#stopped) {
          answer?.([]);
          break;
        }
        loopRecorder.hold('call-event', () => this.#handle(next));
      }
    } catch (error) {
      this.#deps.onCrash(error);
    } finally {
      this.#draining = false;
    }
    this.#arm();
  }

  #handle({ event, at, answer }: QueuedEvent): void {
    const { type, ...data } = event;
    const seq = this.#seq;
    this.#append({ at, kind: 'event', type, data });
    const commands = this.#deps.call.dispatch({ ...event, seq, at });
    answer?.(commands);
    this.#carryOut(commands);
    // Nobody waits for what follows a mark.
    if (type === 'play.mark') this.#checkpoint();
  }

  #checkpoint(): void {
    const { call, startedAtMs, onCheckpoint } = this.#deps;
    const [seq, at] = [this.#seq - 1, this.#lineAt];
    // A timer that did nothing but change the call since would not fire when the journal is run up to this line.
    if (seq - this.#checkpointSeq < CHECKPOINT_LINES || call.snapshot.now !== at) return;
    this.#checkpointSeq = seq;
    onCheckpoint?.({
      engineVersion: ENGINE_VERSION,
      last: { seq, at },
      startedAtMs,
      call: call.snapshot,
      form: this.#form.snapshot,
    });
  }

  #carryOut(commands: readonly StampedCommand[]): void {
    for (const command of commands) {
      const { at, ...given } = command;
      const { type, data } = this.#form.of(given);
      this.#append({ at, kind: 'command', type, data }, given);
      this.#carryingOutAt = at;
      this.#deps.run(command);
    }
    this.#carryingOutAt = undefined;
  }

  #arm(): void {
    const dueAt = this.#stopped ? undefined : this.#deps.call.nextDueAt();
    if (this.#timer !== undefined && dueAt === this.#armedFor) return;
    if (this.#timer !== undefined) this.#deps.clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#armedFor = dueAt;
    if (dueAt === undefined) return;
    const delayMs = this.#deps.startedAtMs + dueAt - this.#deps.clock.now();
    this.#timer = this.#deps.clock.setTimeout(() => this.#due(), Math.max(0, delayMs));
  }

  #due(): void {
    this.#timer = undefined;
    try {
      loopRecorder.hold('call-timer', () => this.#carryOut(this.#deps.call.advanceTo(this.now())));
    } catch (error) {
      this.#deps.onCrash(error);
    }
    this.#arm();
  }
}
