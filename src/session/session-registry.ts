import type { ControlEvent } from '../contract/control.ts';
import type { EndReason } from '../contract/failures.ts';
import type { CallControl, ControlOutcome } from '../ports/call-control.ts';
import type { CallListener, CallMonitor, Listening } from '../ports/call-monitor.ts';
import type {
  CallTakeOver,
  Microphone,
  TakenOver,
  TakeOverRefusal,
} from '../ports/call-take-over.ts';
import { Departures } from './departures.ts';
import type { Leaving } from './hand-over.ts';

/** The part of a session that the registry uses. */
interface LiveSession {
  readonly callId: string;
  readonly finished: Promise<void>;
  control(event: ControlEvent): Promise<ControlOutcome>;
  listen(listener: CallListener): Listening | 'not-live' | 'full';
  takeOver(microphone: Microphone, by: string): Promise<TakenOver | TakeOverRefusal>;
  end(reason: EndReason): void;
  handOver(leaving: Leaving, giveUp: () => Promise<void>): Promise<void>;
  letGo(): boolean;
  taken(): void;
}

/** The processes that calls are left to. */
export interface Receivers {
  /** Gives a call up, so that any of them may take it. */
  readonly giveUp: (callId: string) => Promise<void>;
  /** Returns the calls among these that one of them has taken, or that are over. Never rejects. */
  readonly arrived: (callIds: readonly string[]) => Promise<readonly string[]>;
}

const LOOK_MS = 50;

/** The live calls of this process: limits their number, finds one by its id, and ends them all on shutdown. */
export class SessionRegistry<Session extends LiveSession>
  implements CallControl, CallMonitor, CallTakeOver
{
  readonly #maxCalls: number;
  readonly #load: { readonly isOver: boolean };
  readonly #sessions = new Map<string, Session>();
  /** Those that are let go of, until their records are closed. */
  readonly #letGo = new WeakSet<Session>();
  #draining = false;
  /** Places for calls that are being set up. */
  #reserved = 0;

  /** `load` tells whether the process is overloaded, whatever the number of calls. */
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

  /** Reserves a place for one more call, or says why there is none. Ends with `release` or `add`. */
  reserve(): 'reserved' | 'full' | 'overloaded' | 'draining' {
    if (this.#draining) return 'draining';
    if (this.#taken >= this.#maxCalls) return 'full';
    if (this.#isOverloaded) return 'overloaded';
    this.#reserved++;
    return 'reserved';
  }

  /** True if there is a place for one more call, even when the process is draining. */
  get hasRoom(): boolean {
    return this.#taken < this.#maxCalls && !this.#isOverloaded;
  }

  get #taken(): number {
    return this.#sessions.size + this.#reserved;
  }

  /** The first call is taken even so: there is no other that it could harm, and a slow answer is better than none. */
  get #isOverloaded(): boolean {
    return this.#load.isOver && this.#taken > 0;
  }

  release(): void {
    this.#reserved--;
  }

  add(session: Session): void {
    this.#reserved--;
    this.#sessions.set(session.callId, session);
    const { callId } = session;
    // A call that was let go of may have come back before its former session was closed.
    void session.finished.then(() => {
      if (this.#sessions.get(callId) === session) this.#sessions.delete(callId);
    });
  }

  /** The calls of this process. */
  get callIds(): readonly string[] {
    return [...this.#sessions.keys()];
  }

  find(callId: string): Session | undefined {
    return this.#sessions.get(callId);
  }

  async command(callId: string, event: ControlEvent): Promise<ControlOutcome> {
    const session = this.#sessions.get(callId);
    return session ? session.control(event) : { outcome: 'not-live' };
  }

  listen(callId: string, listener: CallListener): Listening | 'not-live' | 'full' {
    return this.#sessions.get(callId)?.listen(listener) ?? 'not-live';
  }

  async takeOver(
    callId: string,
    microphone: Microphone,
    by: string,
  ): Promise<TakenOver | TakeOverRefusal> {
    const session = this.#sessions.get(callId);
    return session ? session.takeOver(microphone, by) : { refusal: 'the call is not live' };
  }

  endAll(reason: EndReason): void {
    for (const session of this.#sessions.values()) session.end(reason);
  }

  /** Stops the calls here that others have: they have taken them over, or have ended them. */
  lost(callIds: readonly string[]): void {
    for (const id of callIds) this.#sessions.get(id)?.taken();
  }

  /** Stops all calls, since others may own them, and sends their callers there. Returns their ids. */
  letGo(): readonly string[] {
    const letGo = [...this.#sessions.values()].filter((session) => session.letGo());
    for (const session of letGo) this.#letGo.add(session);
    return letGo.map(({ callId }) => callId);
  }

  /** True for a call of this process that it has not let go of. */
  isLive(callId: string): boolean {
    const session = this.#sessions.get(callId);
    return session !== undefined && !this.#letGo.has(session);
  }

  /** Takes no more calls. */
  beginDraining(): void {
    this.#draining = true;
  }

  /** Leaves the live calls, and those that were being set up, to other processes. */
  async handOver(
    { wait, now }: { wait: (ms: number) => Promise<void>; now: () => number },
    untilMs: number,
    { giveUp, arrived }: Receivers,
  ): Promise<void> {
    const leaving = new Map<string, Promise<void>>();
    const departures = new Departures({ now, count: this.#sessions.size, untilMs });
    do {
      for (const [callId, session] of this.#sessions) {
        if (leaving.has(callId)) continue;
        const mayLeave = () => departures.mayLeave(callId);
        leaving.set(
          callId,
          session.handOver({ untilMs, mayLeave }, () => giveUp(callId)),
        );
      }
      // Without a live call `leaving` is empty, and waiting for it would end at once, again and again.
      const gone = this.#sessions.size > 0 ? [Promise.all(leaving.values())] : [];
      if (gone.length > 0 || this.#reserved > 0) await Promise.race([wait(LOOK_MS), ...gone]);
      const { underWay } = departures;
      if (underWay.length > 0) departures.arrived(await arrived(underWay));
    } while (this.#sessions.size > 0 || (this.#reserved > 0 && now() < untilMs));
  }

  /**
   * Takes no more calls and waits `graceMs` for the live ones to end; then asks them to end and waits `farewellMs` more.
   */
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
