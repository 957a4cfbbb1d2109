import type { PreparedCall } from '../calls/call-setup.ts';
import { isTerminalStatus, nextPhoneStatus } from '../carriers/phone-status.ts';
import type { PhoneCallStatus } from '../contract/call.ts';
import type { CarrierLeg } from '../gateway/carrier-leg.ts';
import type { CarrierArrival } from '../gateway/carrier-socket.ts';
import type { Clock, Timer } from '../ports/clock.ts';
import type { CallRecord } from '../store/calls.ts';
import type { NumberLine } from './number-account.ts';

/** How often a lost socket may be followed by another. */
const MAX_ATTEMPTS = 8;

/** What this process knows of one phone call that lives. */
export class PhoneCall {
  readonly record: Pick<CallRecord, 'id' | 'teamId' | 'direction'>;
  readonly line: NumberLine;
  baseUrl: string;
  carrierCallId: string | undefined;
  leg: CarrierLeg | undefined;
  /** What the call needs once it has media, looked up while it rings; undefined where that came to nothing. */
  prepared: Promise<PreparedCall | undefined> | undefined;
  /** While the far end is asked to take the caller over: what it says, with the cause of a refusal. */
  onReferred: ((cause: string | undefined) => void) | undefined;
  /** It went to another process. */
  isGone = false;
  #releasePlace: (() => void) | undefined;
  #status: PhoneCallStatus;
  #attempt = -1;
  #issued: { readonly attempt: number; readonly token: Promise<string> } | undefined;
  #timer: Timer | undefined;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(options: {
    readonly record: Pick<
      CallRecord,
      'id' | 'teamId' | 'direction' | 'carrierCallId' | 'phoneCallStatus'
    >;
    readonly line: NumberLine;
    readonly baseUrl: string;
  }) {
    this.record = options.record;
    this.line = options.line;
    this.baseUrl = options.baseUrl;
    this.carrierCallId = options.record.carrierCallId ?? undefined;
    this.#status = options.record.phoneCallStatus ?? 'trying';
  }

  /** A place among the live calls is kept for it until its media comes. */
  keepPlace(release: () => void): void {
    this.#releasePlace = release;
  }

  /** Whether a place is kept for it; whoever asks has it from then on. */
  takePlace(): boolean {
    const had = this.#releasePlace !== undefined;
    this.#releasePlace = undefined;
    return had;
  }

  /** Nothing comes of it here: gives the place back, if one is still kept. */
  dropPlace(): void {
    this.#releasePlace?.();
    this.#releasePlace = undefined;
  }

  get status(): PhoneCallStatus {
    return this.#status;
  }

  /** The number of the last socket that may be opened. */
  get attempt(): number {
    return this.#attempt;
  }

  /** Takes over what another process knew of it. */
  inherit(from: Pick<PhoneCall, 'attempt' | 'status' | 'baseUrl'>): void {
    this.report(from.status);
    this.#attempt = Math.max(this.#attempt, from.attempt);
    this.baseUrl = from.baseUrl;
  }

  /** Whether a media socket is of this call's carrier, and of this call as far as the carrier says. */
  isAt({ carrier, carrierCallId }: Omit<CarrierArrival, 'token'>): boolean {
    if (carrier !== this.line.carrier.name) return false;
    return carrierCallId === undefined || carrierCallId === this.carrierCallId;
  }

  get isOver(): boolean {
    return isTerminalStatus(this.#status);
  }

  /** Takes a reported status; the new one, or undefined when the report is old, late or said again. */
  report(status: PhoneCallStatus): PhoneCallStatus | undefined {
    const next = nextPhoneStatus(this.#status, status);
    if (next) this.#status = next;
    return next;
  }

  /**
   * The number of the socket to be opened next, or undefined when none may be: the call is over, has had too
   * many, or the request is one that was already granted. `asked` is what the carrier repeats of ours.
   */
  grantAttempt(asked: number | undefined): number | undefined {
    if (this.isOver || this.leg?.isOver) return undefined;
    const attempt = asked ?? this.#attempt + 1;
    // Until the first socket came, the carrier may have missed the answer.
    const isRetry = attempt === this.#attempt && this.leg === undefined;
    if (attempt >= MAX_ATTEMPTS || (attempt <= this.#attempt && !isRetry)) return undefined;
    this.#attempt = attempt;
    return attempt;
  }

  /** The token of an attempt's socket: issued once, so that a request that is sent again opens nothing more. */
  tokenFor(attempt: number, issue: () => Promise<string>): Promise<string> {
    if (this.#issued?.attempt === attempt) return this.#issued.token;
    const issued = { attempt, token: issue() };
    this.#issued = issued;
    issued.token.catch(() => {
      if (this.#issued === issued) this.#issued = undefined;
    });
    return issued.token;
  }

  /** One deadline at a time; the next one replaces it. */
  arm(clock: Clock, delayMs: number, due: () => void): void {
    this.disarm(clock);
    this.#timer = clock.setTimeout(due, delayMs);
  }

  disarm(clock: Clock): void {
    clock.clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Runs pieces of work of this call one after the other. */
  inOrder<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(work);
    this.#tail = result.catch(() => undefined);
    return result;
  }
}
