import type { TranscriptMessage, TurnMetrics } from '../../contract/call-journal.ts';
import type {
  CallBatch,
  CallPatch,
  CallStore,
  WebhookUpdate,
  WebhookUpdateLine,
} from '../../ports/call-store.ts';
import type { Clock, Timer } from '../../ports/clock.ts';
import type { JournalLine } from '../../ports/journal.ts';

interface Deps {
  readonly callId: string;
  readonly clock: Clock;
  readonly store: CallStore;
  /** The store refused a batch, which will be written again unless it can never be; then `onLost` may fail as well. */
  readonly onRetry: (error: unknown, attempt: number) => void;
  /** Gets the batch that could not be stored by the deadline of `close`, to keep it elsewhere. */
  readonly onLost: (batch: CallBatch) => Promise<void>;
  /** The call belongs to another process, and nothing more can be written. Called once. */
  readonly onTaken: () => void;
}

const FLUSH_MS = 100;
const FLUSH_LINES = 256;
const MAX_LINES = 20_000;
const RETRY_MS = [250, 500, 1000, 2000, 5000] as const;
const CLOSE_MS = 15_000;
/** The longest that an effect outside waits for its line. */
const DURABLE_MS = 2_000;

interface Waiter {
  /** The number of lines that must be stored. */
  readonly lines: number;
  readonly stored: (isStored: boolean) => void;
}

/**
 * Writes a call's record to the store in batches, in order and one at a time: journal lines, messages, turns, status.
 * While the store is unreachable, the call goes on and the record is kept in memory.
 */
export class JournalWriter {
  readonly #deps: Deps;
  #lines: JournalLine[] = [];
  #webhookUpdates: WebhookUpdateLine[] = [];
  #messages = new Map<string, TranscriptMessage>();
  #turns: TurnMetrics[] = [];
  #patch: CallPatch = {};
  #timer: Timer | undefined;
  #writing: Promise<void> | undefined;
  #attempt = 0;
  #dropped = 0;
  #taken = false;
  /** Lines of all batches, accepted and stored. */
  #accepted = 0;
  #stored = 0;
  #waiters: Waiter[] = [];

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Journal lines dropped because the store was unreachable for too long. */
  get droppedLines(): number {
    return this.#dropped;
  }

  append(line: JournalLine, update?: WebhookUpdate): void {
    if (this.#taken) return;
    if (this.#lines.length >= MAX_LINES) this.#dropped++;
    else {
      this.#accepted++;
      this.#lines.push(line);
      if (update) this.#webhookUpdates.push({ seq: line.seq, at: line.at, ...update });
    }
    this.#schedule(this.#lines.length >= FLUSH_LINES ? 0 : FLUSH_MS);
  }

  message(message: TranscriptMessage): void {
    this.#messages.set(message.messageId, message);
    this.#schedule(FLUSH_MS);
  }

  turn(metrics: TurnMetrics): void {
    this.#turns.push(metrics);
    this.#schedule(FLUSH_MS);
  }

  patch(patch: CallPatch): void {
    this.#patch = { ...this.#patch, ...patch };
    this.#schedule(0);
  }

  /**
   * Stores all lines so far without waiting for more. Resolves with false if the store does not answer in time or the
   * call belongs to another process. Batches still end between two events.
   */
  durable(withinMs = DURABLE_MS): Promise<boolean> {
    if (this.#taken) return Promise.resolve(false);
    if (this.#stored === this.#accepted) return Promise.resolve(true);
    const { promise, resolve: stored } = Promise.withResolvers<boolean>();
    const waiter = { lines: this.#accepted, stored };
    this.#waiters.push(waiter);
    const timer = this.#deps.clock.setTimeout(() => {
      this.#waiters = this.#waiters.filter((other) => other !== waiter);
      stored(false);
    }, withinMs);
    // Later than all commands of the event, so that its lines stay together.
    queueMicrotask(() => this.#hurry());
    return promise.finally(() => this.#deps.clock.clearTimeout(timer));
  }

  /** False once another process owns the call; asks the store where lines are still to be written. */
  async ownsCall(): Promise<boolean> {
    await this.durable();
    return !this.#taken;
  }

  #hurry(): void {
    if (this.#waiters.length === 0) return;
    if (this.#attempt === 0) this.#flush();
    this.#deps.store.hurry?.();
  }

  /** Resolves when everything is stored, or was given to `onLost` after the deadline. */
  async close(): Promise<void> {
    const { clock } = this.#deps;
    const giveUpAt = clock.now() + CLOSE_MS;
    while (this.#pending() || this.#writing) {
      if (clock.now() >= giveUpAt) {
        this.#cancelTimer();
        await this.#deps.onLost(this.#take());
        return;
      }
      if (!this.#writing && this.#attempt === 0) this.#flush();
      await (this.#writing ?? this.#pause());
    }
    this.#cancelTimer();
  }

  #pending(): boolean {
    if (this.#taken) return false;
    return (
      this.#lines.length > 0 ||
      this.#messages.size > 0 ||
      this.#turns.length > 0 ||
      Object.keys(this.#patch).length > 0
    );
  }

  #schedule(delayMs: number): void {
    if (this.#writing || this.#attempt > 0) return;
    if (delayMs === 0) this.#cancelTimer();
    this.#timer ??= this.#deps.clock.setTimeout(() => this.#flush(), delayMs);
  }

  #flush(): void {
    this.#cancelTimer();
    if (this.#writing || !this.#pending()) return;
    const batch = this.#take();
    this.#writing = this.#deps.store.write(batch).then(
      () => this.#written(batch),
      (error) => this.#failed(batch, error),
    );
  }

  #written({ lines }: CallBatch): void {
    this.#writing = undefined;
    this.#attempt = 0;
    this.#stored += lines.length;
    const [due, others] = [[] as Waiter[], [] as Waiter[]];
    for (const waiter of this.#waiters) (waiter.lines <= this.#stored ? due : others).push(waiter);
    this.#waiters = others;
    for (const { stored } of due) stored(true);
    if (others.length > 0) this.#hurry();
    else if (this.#pending()) this.#schedule(FLUSH_MS);
  }

  #failed(batch: CallBatch, error: unknown): void | Promise<void> {
    this.#writing = undefined;
    if (codeOf(error) === 'call-taken') {
      this.#taken = true;
      for (const { stored } of this.#waiters.splice(0)) stored(false);
      this.#deps.onTaken();
      return;
    }
    if (isFinal(error)) {
      // The store will never take this batch: those after it must not wait for it.
      this.#deps.onRetry(error, this.#attempt);
      this.#writing = this.#deps
        .onLost(batch)
        .catch((lost: unknown) => this.#deps.onRetry(lost, this.#attempt))
        .then(() => this.#written(batch));
      return this.#writing;
    }
    this.#putBack(batch);
    const delayMs = RETRY_MS[Math.min(this.#attempt, RETRY_MS.length - 1)] as number;
    this.#attempt++;
    this.#deps.onRetry(error, this.#attempt);
    this.#timer = this.#deps.clock.setTimeout(() => this.#flush(), delayMs);
  }

  #take(): CallBatch {
    const batch: CallBatch = {
      callId: this.#deps.callId,
      lines: this.#lines,
      ...(this.#webhookUpdates.length > 0 ? { webhookUpdates: this.#webhookUpdates } : {}),
      messages: [...this.#messages.values()],
      ...(this.#turns.length > 0 ? { turns: this.#turns } : {}),
      patch: this.#patch,
    };
    this.#lines = [];
    this.#webhookUpdates = [];
    this.#messages = new Map();
    this.#turns = [];
    this.#patch = {};
    return batch;
  }

  // Anything that came in meanwhile is newer and wins.
  #putBack(batch: CallBatch): void {
    this.#lines = [...batch.lines, ...this.#lines];
    this.#webhookUpdates = [...(batch.webhookUpdates ?? []), ...this.#webhookUpdates];
    const messages = new Map(batch.messages.map((message) => [message.messageId, message]));
    for (const [id, message] of this.#messages) messages.set(id, message);
    this.#messages = messages;
    this.#turns = [...(batch.turns ?? []), ...this.#turns];
    this.#patch = { ...batch.patch, ...this.#patch };
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      this.#deps.clock.setTimeout(resolve, 50);
    });
  }

  #cancelTimer(): void {
    if (this.#timer !== undefined) this.#deps.clock.clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;

/** True for an error that is marked as not retryable. */
function isFinal(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'retryable' in error && !error.retryable;
}
