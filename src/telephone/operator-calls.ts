import { isTerminalStatus } from '../carriers/phone-status.ts';
import type { PhoneCallStatus } from '../contract/call.ts';
import type { CarrierConnection } from '../gateway/carrier-codec.ts';
import { CarrierLeg } from '../gateway/carrier-leg.ts';
import type { CarrierArrival } from '../gateway/carrier-socket.ts';
import { newCallId, newToken } from '../lib/ids.ts';
import { withNodeTag } from '../lib/node-tag.ts';
import type { CarrierEvent, CarrierReply } from '../ports/carrier.ts';
import type {
  DialledOperator,
  OperatorDial,
  OperatorEvents,
  OperatorLine,
} from '../ports/operator-line.ts';
import { callbackUrl } from './call-routes.ts';
import type { TelephoneDeps } from './deps.ts';
import { LegCommands } from './leg-commands.ts';
import { LivePhoneCalls } from './live-phone-calls.ts';
import type { NumberLine } from './number-line.ts';
import { findDialLine } from './number-line.ts';
import { type MediaRequest, PhoneCall } from './phone-call.ts';
import { transferByRefer } from './refer-transfer.ts';

type Status = Extract<CarrierEvent, { type: 'call-status' }>;

interface OperatorCallsDeps
  extends Pick<TelephoneDeps, 'db' | 'carriers' | 'clock' | 'log' | 'nodeId'> {
  /** The caller's phone call; undefined for a web call. */
  readonly callerOf: (callId: string) => PhoneCall | undefined;
  /** The service's base URL, for calls whose record has none. */
  readonly ownUrl: () => string;
}

/** One attempt to reach an operator; `events` is undefined once it was given up. */
interface Ringing {
  readonly call: PhoneCall;
  events: OperatorEvents | undefined;
}

const SOCKET_MS = 30_000;
/** The carrier rings a little longer than the machine waits, so that the machine's deadline decides. */
const SPARE_RING_SECONDS = 5;
const MAX_SECONDS = 5 * 3600;

/** Dials operators and handles their answers, media and hang-ups. */
export class OperatorCalls implements OperatorLine {
  readonly #deps: OperatorCallsDeps;
  readonly #calls = new LivePhoneCalls();
  readonly #ringing = new Map<string, Ringing>();
  /** Media tokens. Single-use and valid only in this process, which has the waiting call. */
  readonly #tokens = new Map<string, PhoneCall>();
  readonly #commands: LegCommands;

  constructor(deps: OperatorCallsDeps) {
    this.#deps = deps;
    this.#commands = new LegCommands(deps.log);
  }

  dial(request: OperatorDial, events: OperatorEvents): DialledOperator {
    const cancelled = new AbortController();
    let placed: Ringing | undefined;
    this.#commands.run(
      this.#place(request, events, cancelled.signal, (ringing) => {
        placed = ringing;
      }),
      request.callId,
    );
    return {
      hangUp: () => {
        cancelled.abort();
        if (placed) this.#letGo(placed);
      },
    };
  }

  /** The number of a leg, for webhooks that name only the leg. */
  numberOf(legId: string): NumberLine['number'] | undefined {
    return this.#calls.find(legId)?.line.number;
  }

  /** True if the leg lives in this process. */
  has(lines: readonly NumberLine[], carrierCallId: string, legId?: string): boolean {
    return this.#find(lines, carrierCallId, legId) !== undefined;
  }

  /** The carrier's instructions; undefined if it is not an operator's leg. */
  async mediaWanted(
    lines: readonly NumberLine[],
    carrierCallId: string,
    asked: MediaRequest,
  ): Promise<CarrierReply | undefined> {
    const call = this.#find(lines, carrierCallId, asked.callId);
    if (!call) return undefined;
    this.#report(call, 'in-progress');
    if (await call.isReplaced(asked.lost)) return call.line.carrier.acknowledgement;
    const attempt = call.grantAttempt(asked.attempt);
    if (attempt === undefined) return call.line.carrier.goodbye;
    const token = await call.tokenFor(attempt, async () => this.#issueToken(call));
    return this.#commands.connectMedia(call, { attempt, answer: false, token }, () => {
      this.#tokens.delete(token);
      this.#fail(call, 'line-error', 'no-media');
    });
  }

  /** Takes a status report. False if it is not about an operator's leg. */
  status(lines: readonly NumberLine[], event: Status, callId?: string): boolean {
    const call = this.#find(lines, event.carrierCallId, callId);
    if (call) this.#report(call, event.status, event.cause);
    return call !== undefined;
  }

  /** The team of a media token that is still valid here. */
  teamOfToken(token: string): string | undefined {
    return this.#tokens.get(token)?.record.teamId;
  }

  redeem(arrival: CarrierArrival): ((connection: CarrierConnection) => void) | undefined {
    const call = this.#tokens.get(arrival.token);
    if (!call) return undefined;
    this.#tokens.delete(arrival.token);
    if (!call.isAt(arrival) || call.isOver) return undefined;
    return (connection) => {
      call.disarm(this.#deps.clock);
      if (call.leg) call.leg.resume(connection);
      else this.#answered(call, connection);
    };
  }

  async close(): Promise<void> {
    for (const { call } of this.#ringing.values())
      if (!call.leg) this.#fail(call, 'line-error', 'service-stopped');
    await this.#commands.close();
  }

  async #place(
    request: OperatorDial,
    events: OperatorEvents,
    cancelled: AbortSignal,
    onRinging: (ringing: Ringing) => void,
  ): Promise<void> {
    const { callId, to, ringMs, mayHandOver } = request;
    try {
      const caller = mayHandOver ? this.#deps.callerOf(callId) : undefined;
      if (caller && (await transferByRefer(this.#deps, caller, { to, ringMs, cancelled }))) {
        if (!cancelled.aborted) events.handedOver();
        return;
      }
      const found = await findDialLine(this.#deps, callId);
      if (cancelled.aborted) return;
      if (!found) {
        events.failed('line-error', 'no-number');
        return;
      }
      const { line, baseUrl = this.#deps.ownUrl() } = found;
      const ringing = { call: this.#open(line, baseUrl), events };
      this.#ringing.set(ringing.call.record.id, ringing);
      onRinging(ringing);
      await this.#ring(ringing, request);
    } catch (error) {
      this.#deps.log.warn({ callId, err: error }, 'an operator could not be dialled');
      if (!cancelled.aborted) events.failed('line-error', 'not-dialled');
    }
  }

  #open(line: NumberLine, baseUrl: string): PhoneCall {
    const { teamId } = line.number;
    // The tag routes the carrier's events for this leg to this process.
    const id = withNodeTag(newCallId('phone'), this.#deps.nodeId);
    const record = { id, teamId, direction: 'outbound' } as const;
    const call = new PhoneCall({
      record: { ...record, carrierCallId: null, phoneCallStatus: 'trying', epoch: 0 },
      line,
      baseUrl,
    });
    this.#calls.add(call);
    return call;
  }

  async #ring(ringing: Ringing, { to, ringMs }: OperatorDial): Promise<void> {
    const { call } = ringing;
    const { line, baseUrl } = call;
    const { id: callId } = call.record;
    const { number } = line.number;
    const routed = { baseUrl, carrier: line.carrier.name, callId, number };
    try {
      const carrierCallId = await line.account.dial({
        to,
        from: line.number.number,
        callId,
        answerUrl: `${callbackUrl(routed, 'voice')}&attempt=0`,
        statusUrl: callbackUrl(routed, 'status'),
        ringSeconds: Math.ceil(ringMs / 1000) + SPARE_RING_SECONDS,
        maxSeconds: MAX_SECONDS,
        signal: this.#commands.deadline(),
      });
      this.#learn(call, carrierCallId);
    } catch (error) {
      this.#forget(call);
      throw error;
    }
    // Given up, or ended while the carrier's answer was under way.
    if (ringing.events === undefined) await this.#commands.hangup(call);
  }

  #issueToken(call: PhoneCall): string {
    const token = withNodeTag(newToken(), this.#deps.nodeId);
    this.#tokens.set(token, call);
    call.arm(this.#deps.clock, SOCKET_MS, () => {
      this.#tokens.delete(token);
      if (!call.leg) this.#fail(call, 'line-error', 'never-connected');
    });
    return token;
  }

  #answered(call: PhoneCall, connection: CarrierConnection): void {
    const ringing = this.#ringing.get(call.record.id);
    const events = ringing?.events;
    if (!ringing || !events) {
      connection.finish({ type: 'end' });
      return;
    }
    ringing.events = undefined;
    const { clock, log } = this.#deps;
    const legId = call.record.id;
    const leg = new CarrierLeg({
      clock,
      hangup: () => {
        this.#commands.run(this.#commands.hangup(call), legId);
        this.#forget(call);
      },
      ...this.#commands.keypad(call),
      silence: call.line.carrier.capabilities,
      onLoss: (reason) => log.info({ legId, reason }, "an operator's media socket was lost"),
    });
    call.leg = leg;
    call.report('in-progress');
    leg.begin(connection, () => events.answered(leg));
  }

  #report(call: PhoneCall, reported: PhoneCallStatus, cause?: string): void {
    const status = call.report(reported);
    if (!status) return;
    const { log } = this.#deps;
    log.info({ legId: call.record.id, status, cause }, "an operator's line changed");
    if (call.leg) {
      if (!call.isOver) return;
      call.leg.hungUp();
      this.#forget(call);
      return;
    }
    if (status === 'ringing') this.#ringing.get(call.record.id)?.events?.ringing();
    if (!isTerminalStatus(status)) return;
    const reason = status === 'busy' || status === 'no-answer' ? status : 'line-error';
    this.#fail(call, reason, cause ?? status);
  }

  #fail(call: PhoneCall, reason: 'busy' | 'no-answer' | 'line-error', code: string): void {
    const ringing = this.#ringing.get(call.record.id);
    const events = ringing?.events;
    if (ringing) this.#letGo(ringing);
    events?.failed(reason, code);
  }

  /** Stops reporting and hangs up if it still rings. */
  #letGo(ringing: Ringing): void {
    const { call } = ringing;
    if (ringing.events === undefined) return;
    ringing.events = undefined;
    if (!call.isOver) {
      call.report('failed');
      if (call.carrierCallId !== undefined)
        this.#commands.run(this.#commands.hangup(call), call.record.id);
    }
    this.#forget(call);
  }

  #learn(call: PhoneCall, carrierCallId: string): void {
    if (call.carrierCallId !== undefined) return;
    call.carrierCallId = carrierCallId;
    if (this.#calls.find(call.record.id)) this.#calls.index(call);
  }

  #find(
    lines: readonly NumberLine[],
    carrierCallId: string,
    legId?: string,
  ): PhoneCall | undefined {
    const call = this.#calls.findAmong(lines, carrierCallId, legId ?? carrierCallId);
    if (!call) return undefined;
    this.#learn(call, carrierCallId);
    return call.carrierCallId === carrierCallId ? call : undefined;
  }

  #forget(call: PhoneCall): void {
    call.disarm(this.#deps.clock);
    this.#calls.delete(call);
    this.#ringing.delete(call.record.id);
    for (const [token, owner] of this.#tokens) if (owner === call) this.#tokens.delete(token);
  }
}
