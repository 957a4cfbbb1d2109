import { isTerminalStatus } from '../carriers/phone-status.ts';
import type { PhoneCallStatus } from '../contract/call.ts';
import type { CarrierConnection } from '../gateway/carrier-codec.ts';
import type { CarrierArrival } from '../gateway/carrier-socket.ts';
import type { CarrierEvent, CarrierReply } from '../ports/carrier.ts';
import type { Dialer, OutboundCall } from '../ports/dialer.ts';
import { type CallRecord, finishCall, getCall, moveCall, updateCall } from '../store/calls.ts';
import { createMediaToken, redeemMediaToken } from '../store/media-tokens.ts';
import { getNumber } from '../store/numbers.ts';
import { giveUpCalls } from '../store/orphaned-calls.ts';
import { CallMigration } from './call-migration.ts';
import { callbackUrl } from './call-routes.ts';
import type { TelephoneDeps } from './deps.ts';
import { LegCommands } from './leg-commands.ts';
import { LivePhoneCalls } from './live-phone-calls.ts';
import { type NumberLine, openNumberLine } from './number-line.ts';
import { type MediaRequest, PhoneCall } from './phone-call.ts';
import { connectPhone, prepareAhead } from './phone-media.ts';
import {
  type CallEnd,
  type CarrierReason,
  endOf,
  overdue,
  RING_SECONDS,
  recordArrival,
  recordStatus,
} from './phone-records.ts';
import { reserveForArrival } from './reserve-for-arrival.ts';

type Arrival = Extract<CarrierEvent, { type: 'call-arrived' }>;
type Status = Extract<CarrierEvent, { type: 'call-status' }>;
type Referred = Extract<CarrierEvent, { type: 'referred' }>;

/** Time from the carrier's instructions to the open media socket. */
const SOCKET_MS = 30_000;
/** A dialled call counts as lost after so long without a report of the carrier. */
const SILENT_DIAL_MS = (RING_SECONDS + 30) * 1000;
/** The carrier's own limit for a call, a little above the longest that an assistant may have. */
const MAX_SECONDS = 121 * 60;

/** The phone calls of this process: receives, dials, connects, resumes and ends them. */
export class PhoneCalls implements Dialer {
  readonly #deps: TelephoneDeps;
  readonly #calls = new LivePhoneCalls();
  readonly #commands: LegCommands;
  readonly #migration: CallMigration;

  constructor(deps: TelephoneDeps) {
    this.#deps = deps;
    this.#migration = new CallMigration(deps, this.#calls);
    this.#commands = new LegCommands(deps.log);
  }

  /** An inbound call: resolves with the carrier's instructions. */
  async arrived(line: NumberLine, arrival: Arrival, baseUrl: string): Promise<CarrierReply> {
    const { registry, log } = this.#deps;
    const { number, account, carrier } = line;
    const { carrierCallId } = arrival;
    const refuse = (reason: 'busy' | 'rejected') =>
      account.refuse(carrierCallId, reason, this.#commands.deadline());
    const known = await this.#findOrAdopt([line], carrierCallId);
    if (known) return this.#continue(known, 0);
    const place = await reserveForArrival(this.#deps, line);
    const record = place === 'reserved' ? await this.#record(line, arrival, baseUrl) : undefined;
    if (!record) {
      log.info({ number: number.id, carrier: carrier.name, place }, 'a phone call was refused');
      return refuse(place === 'reserved' || place === 'not-taken' ? 'rejected' : 'busy');
    }
    const call = new PhoneCall({ record, line, baseUrl });
    call.keepPlace(() => registry.release());
    if (record.endAt) {
      call.dropPlace();
      if (record.endReason === 'over-limit') return refuse('busy');
      return record.endReason === 'vendor-not-ready' ? refuse('rejected') : carrier.goodbye;
    }
    this.#calls.add(call);
    prepareAhead(this.#deps, call);
    return this.#continue(call, 0);
  }

  /** The carrier asks for a media socket, since the call was answered or its socket was lost. */
  async mediaWanted(
    lines: readonly NumberLine[],
    carrierCallId: string,
    asked: MediaRequest,
  ): Promise<CarrierReply | undefined> {
    const call = await this.#findOrAdopt(lines, carrierCallId, asked.callId);
    if (!call) return lines[0]?.carrier.goodbye;
    // The request means that the dialled party has answered; the status report may come later.
    await this.#report(call, 'in-progress');
    if (await call.isReplaced(asked.lost)) return undefined;
    return this.#continue(call, asked.attempt);
  }

  async status(lines: readonly NumberLine[], event: Status, callId?: string): Promise<void> {
    const call = await this.#findOrAdopt(lines, event.carrierCallId, callId);
    if (call) await this.#report(call, event.status, event);
  }

  referred(lines: readonly NumberLine[], { carrierCallId, cause }: Referred): void {
    this.#calls.findAmong(lines, carrierCallId)?.onReferred?.(cause);
  }

  /** Connects a media socket to the call of its token; undefined if there is none. */
  async redeem(
    arrival: CarrierArrival,
  ): Promise<((connection: CarrierConnection) => void) | undefined> {
    const { db, log } = this.#deps;
    const redeemed = await redeemMediaToken(db, { token: arrival.token });
    const call =
      redeemed && (this.#calls.find(redeemed.callId) ?? (await this.#takeOver(redeemed)));
    if (!call) return undefined;
    if (!call.isAt(arrival)) {
      log.warn({ callId: call.record.id }, 'a media token of another call was presented');
      return undefined;
    }
    return connectPhone(this.#deps, call, {
      ...this.#commands.keypad(call),
      hangup: (reason) => this.#commands.hangUp(call, this.#migration.hasLost(call, reason)),
      askForSound: () => this.#continue(call, undefined, true),
      failed: (end) => this.#due(call, 'failed', end),
      ended: () => this.#forget(call),
    });
  }

  async dial(outbound: OutboundCall, signal: AbortSignal): Promise<void> {
    const { db, carriers, nodeId } = this.#deps;
    const { teamId, callId, numberId, to, baseUrl } = outbound;
    const number = await getNumber(db, { teamId, id: numberId });
    const line = await openNumberLine({ db, carriers }, number);
    if (!line) throw new Error(`the number ${numberId} has no account at ${number.provider}`);
    const record = await getCall(db, { teamId, id: callId });
    await moveCall(db, { teamId, id: callId, nodeId });
    const call = new PhoneCall({ record, line, baseUrl });
    this.#calls.add(call);
    try {
      const routed = { baseUrl, carrier: line.carrier.name, callId };
      const carrierCallId = await line.account.dial({
        ...{ to, from: number.number, callId },
        answerUrl: `${callbackUrl(routed, 'voice')}&attempt=0`,
        statusUrl: callbackUrl(routed, 'status'),
        ringSeconds: RING_SECONDS,
        maxSeconds: MAX_SECONDS,
        signal,
      });
      await this.#learn(call, carrierCallId);
    } catch (error) {
      this.#forget(call);
      throw error;
    }
    if (call.leg === undefined && !call.isGone && !call.isOver && call.status !== 'in-progress')
      this.#awaitAnswer(call);
  }

  find(callId: string): PhoneCall | undefined {
    return this.#calls.find(callId);
  }

  /** Hangs up calls without media at their carriers, or leaves them to other processes. */
  async close(leaves: boolean): Promise<void> {
    const { db, nodeId } = this.#deps;
    const end: CallEnd = { endReason: 'service-stopped' };
    for (const call of this.#calls.all().filter(({ leg }) => !leg)) {
      const { id } = call.record;
      const ids = [id];
      const given = leaves ? giveUpCalls(db, { ids, nodeId }) : this.#giveUp(call, 'failed', end);
      this.#commands.run(given, id);
    }
    await this.#commands.close();
  }

  /** Records an inbound call that has a reserved place; releases the place if it can't. */
  async #record(line: NumberLine, arrival: Arrival, baseUrl: string) {
    let record: CallRecord | undefined;
    try {
      record = await recordArrival(this.#deps, { line, arrival, baseUrl });
    } finally {
      if (!record) this.#deps.registry.release();
    }
    return record;
  }

  /** True if the call lives in this process. */
  has(lines: readonly NumberLine[], carrierCallId: string, callId?: string): boolean {
    return this.#calls.findAmong(lines, carrierCallId, callId) !== undefined;
  }

  async #takeOver(one: { callId: string; teamId: string }): Promise<PhoneCall | undefined> {
    const call = await this.#migration.take(one);
    call?.arm(this.#deps.clock, SOCKET_MS, () => this.#due(call, 'failed'));
    return call;
  }

  /** A live call of these lines. `callId` comes from the webhook's URL: a report may precede the answer to `dial`. */
  async #find(
    lines: readonly NumberLine[],
    carrierCallId: string,
    callId?: string,
  ): Promise<PhoneCall | undefined> {
    const call = this.#calls.findAmong(lines, carrierCallId, callId);
    if (!call) return undefined;
    if (call.carrierCallId === undefined) await this.#learn(call, carrierCallId);
    return call.carrierCallId === carrierCallId ? call : undefined;
  }

  /** {@link #find}, and if there is none here, a call whose process has died. */
  async #findOrAdopt(
    lines: readonly NumberLine[],
    carrierCallId: string,
    callId?: string,
  ): Promise<PhoneCall | undefined> {
    const here = await this.#find(lines, carrierCallId, callId);
    if (here) return here;
    const call = await this.#migration.adopt(lines, carrierCallId, callId);
    const rings = call?.record.direction === 'outbound' && call.status !== 'in-progress';
    if (rings) this.#awaitAnswer(call);
    else call?.arm(this.#deps.clock, SOCKET_MS, () => this.#due(call, 'failed'));
    // Another event may have had it taken over while this one looked for it.
    return this.#find(lines, carrierCallId, callId);
  }

  #awaitAnswer(call: PhoneCall): void {
    call.arm(this.#deps.clock, SILENT_DIAL_MS, () => this.#due(call, 'no-answer'));
  }

  async #learn(call: PhoneCall, carrierCallId: string): Promise<void> {
    if (call.carrierCallId !== undefined) return;
    call.carrierCallId = carrierCallId;
    if (!call.isGone) this.#calls.index(call);
    const { id, teamId } = call.record;
    await call.inOrder(() => updateCall(this.#deps.db, { teamId, id, change: { carrierCallId } }));
  }

  async #continue(call: PhoneCall, asked?: number, isUnasked = false): Promise<CarrierReply> {
    const attempt = call.grantAttempt(asked);
    if (attempt === undefined || call.carrierCallId === undefined)
      return this.#commands.refuseMedia(call, asked);
    const { db, clock, bus } = this.#deps;
    const { id: callId, direction } = call.record;
    const token = await call.tokenFor(attempt, async () => {
      const expiresAt = new Date(clock.now() + SOCKET_MS);
      // A call with media stays in this process, and so must its next socket.
      const node = { id: bus.nodeId, isOnly: call.leg !== undefined };
      call.arm(clock, SOCKET_MS, () => this.#due(call, 'failed'));
      return (await createMediaToken(db, { callId, expiresAt, node })).token;
    });
    // One that was taken over while it rang has not been answered by anybody.
    const answer = direction === 'inbound' && (attempt === 0 || call.status === 'ringing');
    return this.#commands.connectMedia(call, { attempt, answer, token, isUnasked }, () =>
      this.#giveUp(call, 'failed', { endReason: 'no-media' }),
    );
  }

  async #report(
    call: PhoneCall,
    reported: PhoneCallStatus,
    { cause, sipCode }: CarrierReason = {},
  ): Promise<void> {
    const status = call.report(reported);
    if (!status) return;
    const { id: callId } = call.record;
    this.#deps.log.info({ callId, status, cause, sipCode }, 'the carrier reported a new status');
    if (!call.isOver && !call.leg) prepareAhead(this.#deps, call);
    // Once there is media, the session writes the record.
    if (call.leg) {
      if (call.isOver) call.leg.hungUp();
      return;
    }
    // The session records the answer when the media socket opens.
    if (status === 'in-progress') return;
    await call.inOrder(async () => {
      if (!isTerminalStatus(status)) await recordStatus(this.#deps.db, call.record, status);
      else await this.#finish(call, status, endOf(call, status, { cause, sipCode }));
    });
  }

  #due(call: PhoneCall, status: 'no-answer' | 'failed', end = overdue[status]): void {
    if (call.leg === undefined && !call.isOver)
      this.#commands.run(this.#giveUp(call, status, end), call.record.id);
  }

  #forget(call: PhoneCall): void {
    call.disarm(this.#deps.clock);
    call.dropPlace();
    this.#calls.delete(call);
  }

  async #giveUp(call: PhoneCall, status: PhoneCallStatus, end: CallEnd): Promise<void> {
    if (await this.#migration.isElsewhere(call)) return this.#forget(call);
    call.report(status);
    await call.inOrder(() => this.#finish(call, call.status, end));
    await this.#commands.hangup(call);
  }

  async #finish(call: PhoneCall, status: PhoneCallStatus, end: CallEnd): Promise<void> {
    const { id, teamId } = call.record;
    this.#forget(call);
    await finishCall(this.#deps.db, { teamId, id, ...end, phoneCallStatus: status });
  }
}
