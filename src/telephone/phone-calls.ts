import { isTerminalStatus } from '../carriers/phone-status.ts';
import type { PhoneCallStatus } from '../contract/call.ts';
import type { CarrierConnection } from '../gateway/carrier-codec.ts';
import type { CarrierArrival } from '../gateway/carrier-socket.ts';
import type { CarrierEvent, CarrierReply } from '../ports/carrier.ts';
import type { Dialer, OutboundCall } from '../ports/dialer.ts';
import {
  type CallRecord,
  findCarrierCall,
  finishCall,
  getCall,
  takeCall,
  updateCall,
} from '../store/calls.ts';
import { createMediaToken, redeemMediaToken } from '../store/media-tokens.ts';
import { getNumber } from '../store/numbers.ts';
import { callbackUrl } from './call-routes.ts';
import { CallTransfer } from './call-transfer.ts';
import type { TelephoneDeps } from './deps.ts';
import { type End, endOfLine, overdue } from './end-of-line.ts';
import { LegCommands } from './leg-commands.ts';
import { LivePhoneCalls } from './live-phone-calls.ts';
import { noteStatus } from './note-status.ts';
import { type NumberLine, openNumberLine } from './number-account.ts';
import { PhoneCall } from './phone-call.ts';
import { connectPhone, prepareAhead } from './phone-media.ts';
import { recordArrival } from './phone-records.ts';

type Arrival = Extract<CarrierEvent, { type: 'call-arrived' }>;
type Status = Extract<CarrierEvent, { type: 'call-status' }>;
type Referred = Extract<CarrierEvent, { type: 'referred' }>;

/** From the instructions to the open socket. */
const SOCKET_MS = 30_000;
const RING_SECONDS = 30;
/** A carrier that says nothing of a dialled call for so long has lost it. */
const SILENT_DIAL_MS = (RING_SECONDS + 30) * 1000;
/** Beyond the longest that an assistant may talk: the carrier's own last resort. */
const MAX_SECONDS = 121 * 60;

/** The phone calls of this process: arriving, dialled, answered, resumed, ended. */
export class PhoneCalls implements Dialer {
  readonly #deps: TelephoneDeps;
  readonly #book = new LivePhoneCalls();
  readonly #commands: LegCommands;
  readonly #transfer: CallTransfer;

  constructor(deps: TelephoneDeps) {
    this.#deps = deps;
    this.#transfer = new CallTransfer(deps, this.#book);
    this.#commands = new LegCommands(deps.log);
  }

  /** A call arrives for a number: what the carrier is to do with it. */
  async arrived(line: NumberLine, arrival: Arrival, baseUrl: string): Promise<CarrierReply> {
    const { registry, log } = this.#deps;
    const { number, account, carrier } = line;
    const { carrierCallId } = arrival;
    const refuse = (reason: 'busy' | 'rejected') =>
      account.refuse(carrierCallId, reason, this.#commands.deadline());
    const known = await this.#find([line], carrierCallId);
    if (known) return this.#continue(known, 0);
    const place = number.inboundEnabled ? registry.reserve() : 'not-taken';
    const record = place === 'reserved' ? await this.#record(line, arrival, baseUrl) : undefined;
    if (!record) {
      log.info({ number: number.id, carrier: carrier.name, place }, 'a phone call was refused');
      return refuse(place === 'reserved' || place === 'not-taken' ? 'rejected' : 'busy');
    }
    const call = new PhoneCall({ record, line, baseUrl });
    call.keepPlace(() => registry.release());
    if (record.endAt) {
      call.dropPlace();
      return record.endReason === 'vendor-not-ready' ? refuse('rejected') : carrier.goodbye;
    }
    this.#book.add(call);
    prepareAhead(this.#deps, call);
    return this.#continue(call, 0);
  }

  /** The carrier asks for a call's media: it was answered, or its socket was lost. */
  async mediaWanted(
    lines: readonly NumberLine[],
    carrierCallId: string,
    asked: { readonly callId?: string | undefined; readonly attempt?: number | undefined },
  ): Promise<CarrierReply | undefined> {
    const call = await this.#find(lines, carrierCallId, asked.callId);
    if (!call) return lines[0]?.carrier.goodbye;
    // The dialled party has answered, whether or not a status says so yet.
    await this.#report(call, 'in-progress');
    return this.#continue(call, asked.attempt);
  }

  async status(lines: readonly NumberLine[], event: Status, callId?: string): Promise<void> {
    const call = await this.#find(lines, event.carrierCallId, callId);
    if (call) await this.#report(call, event.status, event.cause);
  }

  referred(lines: readonly NumberLine[], { carrierCallId, cause }: Referred): void {
    this.#book.findAmong(lines, carrierCallId)?.onReferred?.(cause);
  }

  /** Gives a media socket to the call that its token stands for. */
  async redeem(
    arrival: CarrierArrival,
  ): Promise<((connection: CarrierConnection) => void) | undefined> {
    const { db, log } = this.#deps;
    const redeemed = await redeemMediaToken(db, { token: arrival.token });
    const call = redeemed && (this.#book.find(redeemed.callId) ?? (await this.#takeOver(redeemed)));
    if (!call) return undefined;
    if (!call.isAt(arrival)) {
      log.warn({ callId: call.record.id }, 'a media token was presented for another call');
      return undefined;
    }
    return connectPhone(this.#deps, call, {
      ...this.#commands.keypad(call),
      hangup: () => this.#commands.run(this.#commands.hangup(call), call.record.id),
      failed: (end) => this.#due(call, 'failed', end),
      ended: () => this.#forget(call),
    });
  }

  async dial(outbound: OutboundCall, signal: AbortSignal): Promise<void> {
    const { db, carriers, clock, nodeId } = this.#deps;
    const { teamId, callId, numberId, to, baseUrl } = outbound;
    const number = await getNumber(db, { teamId, id: numberId });
    const line = await openNumberLine({ db, carriers }, number);
    if (!line) throw new Error(`the number ${numberId} has no account at ${number.provider}`);
    const record = await getCall(db, { teamId, id: callId });
    await takeCall(db, { teamId, id: callId, nodeId });
    const call = new PhoneCall({ record, line, baseUrl });
    this.#book.add(call);
    try {
      const routed = { baseUrl, carrier: line.carrier.name, callId };
      const carrierCallId = await line.account.dial({
        to,
        from: number.number,
        callId,
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
      call.arm(clock, SILENT_DIAL_MS, () => this.#due(call, 'no-answer'));
  }

  find(callId: string): PhoneCall | undefined {
    return this.#book.find(callId);
  }

  /** Hangs up what is left at the carriers and lets go. */
  async close(): Promise<void> {
    const end: End = { endReason: 'service-stopped' };
    for (const call of this.#book.all())
      if (!call.leg) this.#commands.run(this.#giveUp(call, 'failed', end), call.record.id);
    await this.#commands.close();
  }

  /** The record of a call that has a place; the place is given back where there is none. */
  async #record(line: NumberLine, arrival: Arrival, baseUrl: string) {
    let record: CallRecord | undefined;
    try {
      record = await recordArrival(this.#deps, { line, arrival, baseUrl });
    } catch (error) {
      // The same call was recorded a moment ago: its webhook came twice.
      record = await this.#findRecord(line, arrival.carrierCallId);
      if (!record) throw error;
    } finally {
      if (!record) this.#deps.registry.release();
    }
    return record;
  }

  #findRecord(line: NumberLine, carrierCallId: string): Promise<CallRecord | undefined> {
    const { teamId, id: numberId } = line.number;
    return findCarrierCall(this.#deps.db, { teamId, numberId, carrierCallId });
  }

  /** Whether a call lives here. */
  has(lines: readonly NumberLine[], carrierCallId: string, callId?: string): boolean {
    return this.#book.findAmong(lines, carrierCallId, callId) !== undefined;
  }

  async #takeOver(one: { callId: string; teamId: string }): Promise<PhoneCall | undefined> {
    const { registry } = this.#deps;
    if (registry.reserve() !== 'reserved') return undefined;
    const call = await this.#transfer.take(one).catch((error: unknown) => {
      registry.release();
      throw error;
    });
    if (call) call.keepPlace(() => registry.release());
    else registry.release();
    call?.arm(this.#deps.clock, SOCKET_MS, () => this.#due(call, 'failed'));
    return call;
  }

  /** The living call of these numbers. `callId` is ours, repeated by the carrier: it may report before it answers. */
  async #find(
    lines: readonly NumberLine[],
    carrierCallId: string,
    callId?: string,
  ): Promise<PhoneCall | undefined> {
    const call = this.#book.findAmong(lines, carrierCallId, callId);
    if (!call) return undefined;
    if (call.carrierCallId === undefined) await this.#learn(call, carrierCallId);
    return call.carrierCallId === carrierCallId ? call : undefined;
  }

  async #learn(call: PhoneCall, carrierCallId: string): Promise<void> {
    if (call.carrierCallId !== undefined) return;
    call.carrierCallId = carrierCallId;
    if (!call.isGone) this.#book.index(call);
    const { id, teamId } = call.record;
    const change = { carrierCallId };
    await call.inOrder(() => updateCall(this.#deps.db, { teamId, id, change }));
  }

  async #continue(call: PhoneCall, asked: number | undefined): Promise<CarrierReply> {
    const attempt = call.grantAttempt(asked);
    if (attempt === undefined || call.carrierCallId === undefined) return call.line.carrier.goodbye;
    const { db, clock, bus } = this.#deps;
    const { id: callId, direction } = call.record;
    const token = await call.tokenFor(attempt, async () => {
      const expiresAt = new Date(clock.now() + SOCKET_MS);
      // Once it has its media here, the next socket has to come here as well.
      const node = { id: bus.nodeId, isOnly: call.leg !== undefined };
      call.arm(clock, SOCKET_MS, () => this.#due(call, 'failed'));
      return (await createMediaToken(db, { callId, expiresAt, node })).token;
    });
    const answer = direction === 'inbound' && attempt === 0;
    return this.#commands.connectMedia(call, { attempt, answer, token }, () =>
      this.#giveUp(call, 'failed', { endReason: 'no-media' }),
    );
  }

  async #report(call: PhoneCall, reported: PhoneCallStatus, cause?: string): Promise<void> {
    const status = call.report(reported);
    if (!status) return;
    const { log } = this.#deps;
    log.info({ callId: call.record.id, status, cause }, 'a phone line changed');
    if (!call.isOver && !call.leg) prepareAhead(this.#deps, call);
    // From here on the session writes its own record.
    if (call.leg) {
      if (call.isOver) call.leg.hungUp();
      return;
    }
    // Answered is what the call is once it has media: the session says so.
    if (status === 'in-progress') return;
    await call.inOrder(async () => {
      if (!isTerminalStatus(status)) await noteStatus(this.#deps.db, call.record, status);
      else await this.#finish(call, status, endOfLine(call, status, cause));
    });
  }

  #due(call: PhoneCall, status: 'no-answer' | 'failed', end = overdue[status]): void {
    if (call.leg === undefined && !call.isOver)
      this.#commands.run(this.#giveUp(call, status, end), call.record.id);
  }

  #forget(call: PhoneCall): void {
    call.disarm(this.#deps.clock);
    call.dropPlace();
    this.#book.delete(call);
  }

  async #giveUp(call: PhoneCall, status: PhoneCallStatus, end: End): Promise<void> {
    if (await this.#transfer.isElsewhere(call)) {
      this.#forget(call);
      return;
    }
    call.report(status);
    await call.inOrder(() => this.#finish(call, call.status, end));
    await this.#commands.hangup(call);
  }

  async #finish(call: PhoneCall, status: PhoneCallStatus, end: End): Promise<void> {
    const { id, teamId } = call.record;
    this.#forget(call);
    await finishCall(this.#deps.db, { teamId, id, ...end, phoneCallStatus: status });
  }
}
