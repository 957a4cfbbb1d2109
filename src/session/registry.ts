import type { EndReason } from '../contract/failures.ts';
import type { CallControl, ControlCommand, ControlOutcome } from '../ports/call-control.ts';
import type { CallListener, CallMonitor, Listening } from '../ports/call-monitor.ts';

/** What the registry needs of a live session. */
interface LiveSession {
  readonly callId: string;
  readonly finished: Promise<void>;
  control(command: ControlCommand): Promise<ControlOutcome>;
  listen(listener: CallListener): Listening | 'not-live' | 'full';
  end(reason: EndReason): void;
}

/** The live calls of this process: how many there may be, how to reach one, how to let them all finish. */
export class SessionRegistry<Session extends LiveSession> implements CallControl, CallMonitor {
  readonly #maxCalls: number;
  readonly #load: { readonly isOver: boolean };
  readonly #sessions = new Map<string, Session>();
  #draining = false;
  // Places promised to calls that are being opened.
  #reserved = 0;

  /** `load` says whether the process has all it can do, however few calls that may be. */
  constructor(maxCalls: number, load: { readonly isOver: boolean } = { isOver: false }) {
    this.#maxCalls = maxCalls;
    this.#load = load;
  }

  get size(): number {
    return this.#sessions.size;
  }

  get draining(): boolean {
    return this.#draining;
  }

  /** A place for one more call, or why there is none; given back by `release` or taken by `add`. */
  reserve(): 'reserved' | 'full' | 'overloaded' | 'draining' {
    if (this.#draining) return 'draining';
    if (this.#sessions.size + this.#reserved >= this.#maxCalls) return 'full';
    if (this.#load.isOver) return 'overloaded';
    this.#reserved++;
    return 'reserved';
  }

  /** Whether a call that asks now would get a place, were the process not stopping. */
  get hasRoom(): boolean {
    return this.#sessions.size + this.#reserved < this.#maxCalls && !this.#load.isOver;
  }

  release(): void {
    this.#reserved--;
  }

  add(session: Session): void {
    this.#reserved--;
    this.#sessions.set(session.callId, session);
    void session.finished.then(() => this.#sessions.delete(session.callId));
  }

  find(callId: string): Session | undefined {
    return this.#sessions.get(callId);
  }

  async command(callId: string, command: ControlCommand): Promise<ControlOutcome> {
    const session = this.#sessions.get(callId);
    return session ? session.control(command) : { outcome: 'not-live' };
  }

  listen(callId: string, listener: CallListener): Listening | 'not-live' | 'full' {
    return this.#sessions.get(callId)?.listen(listener) ?? 'not-live';
  }

  /** Asks every live call to end, for a reason of the service's own. */
  endAll(reason: EndReason): void {
    for (const session of this.#sessions.values()) session.end(reason);
  }

  /** Takes no more calls; resolves when the last live one has ended, or at the deadline after asking them to. */
  async drain(
    wait: (ms: number) => Promise<void>,
    graceMs: number,
    farewellMs: number,
  ): Promise<void> {
    this.#draining = true;
    const all = () => Promise.all([...this.#sessions.values()].map((session) => session.finished));
    await Promise.race([all(), wait(graceMs)]);
    this.endAll('service-stopped');
    await Promise.race([all(), wait(farewellMs)]);
  }
}
