import type { PreparedCall } from '../calls/call-setup.ts';
import { isTerminalStatus, nextPhoneStatus } from '../carriers/phone-status.ts';
import type { PhoneCallStatus } from '../contract/call.ts';
import type { CarrierLeg } from '../gateway/carrier-leg.ts';
import type { CarrierArrival } from '../gateway/carrier-socket.ts';
import type { LostMedia } from '../ports/carrier.ts';
import type { Clock, Timer } from '../ports/clock.ts';
import type { CallRecord } from '../store/calls.ts';
import type { NumberLine } from './number-line.ts';

/** How often a lost media socket may be replaced, by each process that has the call. */
const MAX_ATTEMPTS = 8;

/** What a carrier says when it asks for a media socket. */
export interface MediaRequest {
  readonly callId?: string | undefined;
  readonly attempt?: number | undefined;
  readonly lost?: LostMedia | undefined;
  /** The carrier has not asked: a command that it refuses is given again later. */
  readonly isUnasked?: boolean;
}

/** The state of one live phone call in this process. */
export class PhoneCall {
  readonly record: Pick<CallRecord, 'id' | 'teamId' | 'direction'>;
  /** Since when the call had no process before this one. */
  readonly lostAt: Date | null;
  readonly line: NumberLine;
  baseUrl: string;
  carrierCallId: string | undefined;
  leg: CarrierLeg | undefined;
  /** The call set up ahead, while it rings; undefined if that failed. */
  prepared: Promise<PreparedCall | undefined> | undefined;
  /** Called with the far end's answer to a REFER; `cause` is set if it refused. */
  onReferred: ((cause: string | undefined) => void) | undefined;
  /** True once another process has taken the call over. */
  isGone = false;
  #releasePlace: (() => void) | undefined;
  #status: PhoneCallStatus;
  #epoch: number;
  #attempt = -1;
  /** The number of the latest socket that opened here. */
  #opened = -1;
  #issued: { readonly attempt: number; readonly token: Promise<string> } | undefined;
  #timer: Timer | undefined;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(options: {
    readonly record: Pick<
      CallRecord,
      'id' | 'teamId' | 'direction' | 'carrierCallId' | 'phoneCallStatus' | 'epoch'
    > & { readonly lostAt?: Date | null };
    readonly line: NumberLine;
    readonly baseUrl: string;
  }) {
    this.record = options.record;
    this.lostAt = options.record.lostAt ?? null;
    this.line = options.line;
    this.baseUrl = options.baseUrl;
    this.carrierCallId = options.record.carrierCallId ?? undefined;
    this.#status = options.record.phoneCallStatus ?? 'trying';
    this.#epoch = options.record.epoch;
  }

  /** Keeps a reserved place among the live calls until the media socket opens. */
  keepPlace(release: () => void): void {
    this.#releasePlace = release;
  }

  /** Takes the reserved place; false if there is none. */
  takePlace(): boolean {
    const had = this.#releasePlace !== undefined;
    this.#releasePlace = undefined;
    return had;
  }

  /** Releases the reserved place, if there is one. */
  dropPlace(): void {
    this.#releasePlace?.();
    this.#releasePlace = undefined;
  }

  get status(): PhoneCallStatus {
    return this.#status;
  }

  /** The number of the latest socket granted. */
  get attempt(): number {
    return this.#attempt;
  }

  /** Takes over the state that another process had. */
  inherit(from: Pick<PhoneCall, 'attempt' | 'status' | 'baseUrl'>): void {
    this.report(from.status);
    this.#attempt = Math.max(this.#attempt, from.attempt);
    this.baseUrl = from.baseUrl;
  }

  /** Takes the call from a process that is gone, and with it the count of the sockets that it granted. */
  takenFromDead(epoch: number): void {
    this.#epoch = epoch;
  }

  /** True if a media socket comes from this call's carrier and names no other call. */
  isAt({ carrier, carrierCallId }: Omit<CarrierArrival, 'token'>): boolean {
    if (carrier !== this.line.carrier.name) return false;
    return carrierCallId === undefined || carrierCallId === this.carrierCallId;
  }

  get isOver(): boolean {
    return isTerminalStatus(this.#status);
  }

  /** Takes a reported status. Returns the new status, or undefined if the report is late or repeated. */
  report(status: PhoneCallStatus): PhoneCallStatus | undefined {
    const next = nextPhoneStatus(this.#status, status);
    if (next) this.#status = next;
    return next;
  }

  /**
   * The number of the next media socket; undefined if the call is over, has had too many sockets, or has had the one
   * that is asked for. `asked` is the number in the URL that the carrier requested.
   */
  grantAttempt(asked: number | undefined): number | undefined {
    if (this.isOver || this.leg?.isOver) return undefined;
    // Carriers ignore a number that they have seen, and only the process that died knew how many it had granted.
    const attempt = asked ?? Math.max(this.#attempt + 1, this.#epoch * MAX_ATTEMPTS);
    // As long as its socket has not opened, the carrier may have missed the answer.
    const isRetry = attempt === this.#attempt && attempt > this.#opened;
    if (attempt >= (this.#epoch + 1) * MAX_ATTEMPTS || (attempt <= this.#attempt && !isRetry))
      return undefined;
    this.#attempt = attempt;
    return attempt;
  }

  /** The latest socket granted has opened: nothing is waited for any more. */
  opened(clock: Clock): void {
    this.#opened = this.#attempt;
    this.disarm(clock);
  }

  /** The carrier was told of no socket after this one, so that the next has the same number. */
  withdraw(attempt: number): void {
    this.#attempt = attempt;
    this.#issued = undefined;
  }

  /** The token of an attempt's socket: issued once, so that a repeated request opens no second socket. */
  tokenFor(attempt: number, issue: () => Promise<string>): Promise<string> {
    if (this.#issued?.attempt === attempt) return this.#issued.token;
    const issued = { attempt, token: issue() };
    this.#issued = issued;
    issued.token.catch(() => {
      if (this.#issued === issued) this.#issued = undefined;
    });
    return issued.token;
  }

  /** True if another socket was granted after the one that was lost: the report of the loss is late. */
  async isReplaced(lost: LostMedia | undefined): Promise<boolean> {
    if (lost === undefined || this.#attempt < 0) return false;
    if ('attempt' in lost) return lost.attempt < this.#attempt;
    if ('ofDeadProcess' in lost) return true;
    const token = await this.#issued?.token.catch(() => undefined);
    return token !== undefined && !lost.mediaUrl.endsWith(`/${token}`);
  }

  /** True while the call's one deadline is set. */
  get isArmed(): boolean {
    return this.#timer !== undefined;
  }

  /** Sets the call's one deadline, replacing an earlier one. */
  arm(clock: Clock, delayMs: number, due: () => void): void {
    this.disarm(clock);
    this.#timer = clock.setTimeout(due, delayMs);
  }

  disarm(clock: Clock): void {
    clock.clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Runs the call's tasks one after the other. */
  inOrder<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(work);
    this.#tail = result.catch(() => undefined);
    return result;
  }
}
