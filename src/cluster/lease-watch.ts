import type { Clock, Timer } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Reachable } from './transport.ts';

/** What another machine answers to a node that asks for its lease. */
export interface LeaseHelp {
  /** False: the store does not answer there either. */
  readonly isRenewed: boolean;
  /** Of the calls named in the question, those that have ended or have another owner. */
  readonly lost: readonly string[];
}

export interface LeaseWatchDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** How long the calls of a dead node wait for their callers to come back. */
  readonly resumeMs: number;
  /** Asks a node to renew this one's lease. Rejects if it does not answer in time. */
  readonly ask: (node: Reachable) => Promise<LeaseHelp>;
  /** Calls of this node that are others' by now. */
  readonly onLost: (callIds: readonly string[]) => void;
  /** Others may own the calls of this node soon: it must let go of them. */
  readonly onCutOff: () => void;
}

/** Others are asked this long after the last renewal: two beats, and time left before the lease is over. */
export const HELP_AFTER_MS = 900;
const HELP_EVERY_MS = 400;
/** A question that took longer was asked by a process that stood still meanwhile. */
const MAX_ROUND_MS = 2_000;
/** So many other machines are asked at once, by turns; all of them once none has answered. */
const ASKED_AT_ONCE = 3;
/** The shortest silence of the store and of all other machines that counts. */
const LEAST_SILENCE_MS = 5_000;

/** How long neither the store nor any other machine may be heard, until calls are let go: callers still can go elsewhere. */
export const silenceLimitMs = (resumeMs: number): number =>
  Math.max(LEAST_SILENCE_MS, (resumeMs * 2) / 3);

/**
 * Watches whether this node can prove that it lives. One that cannot reach the store asks other machines to renew its
 * lease. If none of them reaches the store, it is away for all, and calls go on. If none of them answers, this machine
 * may be the one that is cut off: others take it for dead, and it lets go of its calls while their callers can still go
 * on at another machine. Where no other machine is known, nobody else can own a call.
 */
export class LeaseWatch {
  readonly #deps: LeaseWatchDeps;
  #others: readonly Reachable[] = [];
  #turn = 0;
  #timer: Timer | undefined;
  /** For how long nobody has answered. */
  #silentMs = 0;
  #isHelped = false;
  #isCutOff = false;
  #closed = false;

  constructor(deps: LeaseWatchDeps) {
    this.#deps = deps;
  }

  /** True while others renew the lease: this node cannot do work that needs the store. */
  get isHelped(): boolean {
    return this.#isHelped;
  }

  /** The nodes on other machines that can be asked. */
  knows(others: readonly Reachable[]): void {
    this.#others = others;
    if (!this.#timer) this.#arm(HELP_AFTER_MS);
  }

  /** This node has renewed its lease itself. */
  renewed(): void {
    if (this.#isHelped || this.#isCutOff)
      this.#deps.log.info({}, 'this node renews its lease by itself again');
    this.#isHelped = false;
    this.#isCutOff = false;
    this.#silentMs = 0;
    this.#arm(HELP_AFTER_MS);
  }

  close(): void {
    this.#closed = true;
    this.#deps.clock.clearTimeout(this.#timer);
  }

  #arm(afterMs: number): void {
    const { clock } = this.#deps;
    clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#closed || this.#others.length === 0) return;
    this.#timer = clock.setTimeout(() => void this.#seekHelp(), afterMs);
  }

  async #seekHelp(): Promise<void> {
    const { clock, onCutOff, onLost, log, resumeMs } = this.#deps;
    const timer = this.#timer;
    const askedAt = clock.now();
    const helps = await Promise.all(this.#nextAsked().map((node) => this.#ask(node)));
    // The node has renewed its lease meanwhile.
    if (this.#closed || this.#timer !== timer) return;
    const renewed = helps.filter((help) => help?.isRenewed);
    if (helps.some((help) => help !== undefined)) this.#silentMs = 0;
    else this.#silentMs += Math.min(clock.now() - askedAt + HELP_EVERY_MS, MAX_ROUND_MS);
    if (renewed.length > 0 && !this.#isHelped)
      log.warn({}, 'the store cannot be reached: another machine renews the lease of this node');
    this.#isHelped = renewed.length > 0;
    this.#arm(HELP_EVERY_MS);
    const lost = new Set(renewed.flatMap((help) => help?.lost ?? []));
    if (lost.size > 0) onLost([...lost]);
    if (this.#isCutOff || this.#silentMs < silenceLimitMs(resumeMs)) return;
    this.#isCutOff = true;
    log.error({}, 'neither the store nor another machine can be reached: calls are let go');
    onCutOff();
  }

  #ask(node: Reachable): Promise<LeaseHelp | undefined> {
    return this.#deps.ask(node).catch(() => undefined);
  }

  #nextAsked(): readonly Reachable[] {
    const all = this.#others;
    const count = Math.min(this.#silentMs === 0 ? ASKED_AT_ONCE : all.length, all.length);
    const asked = Array.from({ length: count }, (_, i) => all[(this.#turn + i) % all.length]);
    this.#turn = (this.#turn + count) % all.length;
    return asked as Reachable[];
  }
}
