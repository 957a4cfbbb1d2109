import { isTerminalStatus } from '../carriers/phone-status.ts';
import type { PhoneCallStatus } from '../contract/call.ts';
import type { CarrierConnection } from '../gateway/carrier-codec.ts';
import { CarrierLeg } from '../gateway/carrier-leg.ts';
import type { CarrierArrival } from '../gateway/carrier-socket.ts';
import { newCallId } from '../lib/ids.ts';
import { withNodeTag } from '../lib/node-tag.ts';
import type { CarrierEvent, CarrierReply } from '../ports/carrier.ts';
import type {
  DialledOperator,
  OperatorDial,
  OperatorEvents,
  OperatorLegName,
  OperatorLine,
} from '../ports/operator-line.ts';
import { findOperatorLeg } from '../store/operator-legs.ts';
import { callbackUrl } from './call-routes.ts';
import type { TelephoneDeps } from './deps.ts';
import { LegCommands } from './leg-commands.ts';
import { type LiveLeg, LiveLegs, outboundLeg } from './live-legs.ts';
import type { LostLegs } from './lost-legs.ts';
import { askForLostSound, SAYS_LOSS_ONCE } from './lost-sound.ts';
import { findDialLine, type NumberLine } from './number-line.ts';
import type { MediaRequest, PhoneCall } from './phone-call.ts';
import { transferByRefer } from './refer-transfer.ts';

type Status = Extract<CarrierEvent, { type: 'call-status' }>;

type Common = Pick<TelephoneDeps, 'db' | 'carriers' | 'clock' | 'log' | 'nodeId'>;

interface OperatorCallsDeps extends Common {
  /** The caller's phone call; undefined for a web call. */
  readonly callerOf: (callId: string) => PhoneCall | undefined;
  /** The service's base URL, for calls whose record has none. */
  readonly ownUrl: () => string;
  /** The legs that another process has dialled. */
  readonly lost: Pick<LostLegs, 'release' | 'lineOf'>;
}

/** A leg that the session has asked for, on its way to the carrier or to its record. */
interface Asked {
  leg?: LiveLeg;
  /** The session wants it no more. */
  readonly cancelled: AbortController;
  /** Another process goes on with it. */
  isLeft: boolean;
}

const SOCKET_MS = 30_000;
/** The carrier rings a little longer than the machine waits, so that the machine's deadline decides. */
const SPARE_RING_SECONDS = 5;
const MAX_SECONDS = 5 * 3600;

/** Dials operators and handles their answers, media and hang-ups. */
export class OperatorCalls implements OperatorLine {
  readonly #deps: OperatorCallsDeps;
  readonly #legs: LiveLegs;
  readonly #commands: LegCommands;

  constructor(deps: OperatorCallsDeps) {
    this.#deps = deps;
    this.#commands = new LegCommands(deps.log);
    this.#legs = new LiveLegs({ ...deps, commands: this.#commands });
  }

  dial(request: OperatorDial, events: OperatorEvents): DialledOperator {
    return this.#begin(request, (asked) => this.#place(request, events, asked));
  }

  resume(name: OperatorLegName, events: OperatorEvents): DialledOperator {
    return this.#begin(name, (asked) => this.#takeUp(name, events, asked));
  }

  release(name: OperatorLegName): void {
    this.#commands.run(this.#deps.lost.release(name), name.callId);
  }

  /** True if this process has the leg. */
  has(lines: readonly NumberLine[], carrierCallId: string, legId?: string): boolean {
    return this.#legs.find(lines, carrierCallId, legId) !== undefined;
  }

  /** The carrier's instructions; undefined if it is not an operator's leg. */
  async mediaWanted(
    lines: readonly NumberLine[],
    carrierCallId: string,
    asked: MediaRequest,
  ): Promise<CarrierReply | undefined> {
    const call = this.#legs.find(lines, carrierCallId, asked.callId);
    if (!call) return undefined;
    this.#report(call, 'in-progress');
    if (await call.isReplaced(asked.lost)) return call.line.carrier.acknowledgement;
    const attempt = call.grantAttempt(asked.attempt);
    if (attempt === undefined) return call.line.carrier.goodbye;
    const token = await call.tokenFor(attempt, async () => this.#issueToken(call));
    const { isUnasked } = asked;
    return this.#commands.connectMedia(call, { attempt, answer: false, token, isUnasked }, () => {
      this.#legs.dropToken(token);
      this.#fail(call, 'line-error', 'no-media');
    });
  }

  /** Takes a status report. False if it is not about an operator's leg. */
  status(lines: readonly NumberLine[], event: Status, callId?: string): boolean {
    const call = this.#legs.find(lines, event.carrierCallId, callId);
    if (call) this.#report(call, event.status, event.cause);
    return call !== undefined;
  }

  /** The team of a media token that is still valid here. */
  teamOfToken(token: string): string | undefined {
    return this.#legs.ofToken(token)?.record.teamId;
  }

  redeem(arrival: CarrierArrival): ((connection: CarrierConnection) => void) | undefined {
    const call = this.#legs.ofToken(arrival.token);
    if (!call) return undefined;
    this.#legs.dropToken(arrival.token);
    if (!call.isAt(arrival) || call.isOver) return undefined;
    return (connection) => {
      call.disarm(this.#deps.clock);
      if (call.leg) call.leg.resume(connection);
      else this.#answered(call, connection);
    };
  }

  async close(): Promise<void> {
    for (const { call } of this.#legs.waiting) this.#fail(call, 'line-error', 'service-stopped');
    await this.#commands.close();
  }

  #begin({ callId }: OperatorLegName, place: (asked: Asked) => Promise<void>): DialledOperator {
    const asked: Asked = { cancelled: new AbortController(), isLeft: false };
    this.#commands.run(place(asked), callId);
    return {
      hangUp: () => {
        asked.cancelled.abort();
        if (asked.leg) this.#letGo(asked.leg);
      },
      leave: () => {
        asked.isLeft = true;
        if (!asked.leg) return;
        asked.leg.call.leg?.moved();
        this.#legs.remove(asked.leg.call);
      },
    };
  }

  async #place(request: OperatorDial, events: OperatorEvents, asked: Asked): Promise<void> {
    const { callId, to, ringMs, mayHandOver } = request;
    const cancelled = asked.cancelled.signal;
    try {
      const caller = mayHandOver ? this.#deps.callerOf(callId) : undefined;
      if (caller && (await transferByRefer(this.#deps, caller, { to, ringMs, cancelled }))) {
        if (!cancelled.aborted) events.handedOver();
        return;
      }
      const found = await findDialLine(this.#deps, callId);
      if (cancelled.aborted) return;
      if (!found) return events.failed('line-error', 'no-number');
      const { line, baseUrl = this.#deps.ownUrl() } = found;
      // The tag tells that it is a leg, and of which process.
      const id = withNodeTag(newCallId('phone'), this.#deps.nodeId);
      const call = outboundLeg(line, baseUrl, { id, carrierCallId: null, epoch: 0 }, 'trying');
      asked.leg = this.#legs.add({ call, callId, events });
      await this.#ring(asked.leg, request);
    } catch (error) {
      this.#deps.log.warn({ callId, err: error }, 'an operator could not be dialled');
      if (!cancelled.aborted) events.failed('line-error', 'not-dialled');
    }
  }

  async #ring(leg: LiveLeg, request: OperatorDial): Promise<void> {
    const { call } = leg;
    const { to, ringMs } = request;
    const { line, baseUrl } = call;
    const { id: callId } = call.record;
    const { number } = line.number;
    const routed = { baseUrl, carrier: line.carrier.name, callId, number };
    try {
      await this.#legs.record(leg, request);
      if (leg.events === undefined) return;
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
      this.#legs.learn(call, carrierCallId);
    } catch (error) {
      this.#legs.forget(call);
      throw error;
    }
    // Given up, or ended while the carrier's answer was under way.
    if (leg.events === undefined && !call.leg) await this.#commands.hangup(call);
  }

  /** Takes up a leg that the operator answered at another process. */
  async #takeUp(name: OperatorLegName, events: OperatorEvents, asked: Asked): Promise<void> {
    const { db, lost, log } = this.#deps;
    const { callId } = name;
    try {
      const found = await findOperatorLeg(db, name);
      const line = found && (await lost.lineOf(found));
      if (asked.isLeft) return;
      if (asked.cancelled.signal.aborted) {
        if (found) await lost.release(found);
        return;
      }
      if (!line || found.carrierCallId === null) return events.failed('line-error', 'gone');
      const { id, carrierCallId, baseUrl = this.#deps.ownUrl() } = found;
      const call = outboundLeg(line, baseUrl, found, 'in-progress');
      asked.leg = this.#legs.add({ call, callId, events });
      if (!SAYS_LOSS_ONCE.includes(line.carrier.name)) return;
      const ofDeadProcess = { ofDeadProcess: true } as const;
      await this.mediaWanted([line], carrierCallId, { callId: id, lost: ofDeadProcess });
    } catch (error) {
      log.warn({ callId, err: error }, "an operator's leg could not be taken up again");
      if (!asked.cancelled.signal.aborted && !asked.isLeft)
        events.failed('line-error', 'not-found');
    }
  }

  #issueToken(call: PhoneCall): string {
    const token = this.#legs.issueToken(call);
    call.arm(this.#deps.clock, SOCKET_MS, () => {
      this.#legs.dropToken(token);
      if (!call.leg) this.#fail(call, 'line-error', 'never-connected');
    });
    return token;
  }

  #answered(call: PhoneCall, connection: CarrierConnection): void {
    const live = this.#legs.legOf(call);
    const events = live?.events;
    if (!live || !events) return void connection.finish({ type: 'end' });
    const { clock, log } = this.#deps;
    live.events = undefined;
    const { id: legId } = call.record;
    const leg = new CarrierLeg({
      clock,
      hangup: () => this.#commands.run(this.#legs.hangUp(live), legId),
      ...this.#commands.keypad(call),
      silence: call.line.carrier.capabilities,
      onLoss: ({ reason }) => {
        log.info({ legId, reason }, "an operator's media socket was lost");
        const { line, carrierCallId = '' } = call;
        const unasked = { isUnasked: true };
        askForLostSound(this.#deps, call, () => this.mediaWanted([line], carrierCallId, unasked));
      },
    });
    call.leg = leg;
    call.report('in-progress');
    leg.begin(connection, () => events.answered(leg));
  }

  #report(call: PhoneCall, reported: PhoneCallStatus, cause?: string): void {
    const status = call.report(reported);
    if (!status) return;
    this.#deps.log.info({ legId: call.record.id, status, cause }, "an operator's line changed");
    if (call.leg) {
      if (!call.isOver) return;
      call.leg.hungUp();
      this.#legs.forget(call);
      return;
    }
    if (status === 'ringing') this.#legs.legOf(call)?.events?.ringing();
    if (status === 'in-progress') this.#legs.answered(call);
    if (!isTerminalStatus(status)) return;
    const reason = status === 'busy' || status === 'no-answer' ? status : 'line-error';
    this.#fail(call, reason, cause ?? status);
  }

  #fail(call: PhoneCall, reason: 'busy' | 'no-answer' | 'line-error', code: string): void {
    const leg = this.#legs.legOf(call);
    if (!leg) return;
    const { events } = leg;
    this.#letGo(leg);
    events?.failed(reason, code);
  }

  /** Stops reporting and hangs up if it still rings. */
  #letGo(leg: LiveLeg): void {
    const { call, events } = leg;
    if (!events) return;
    leg.events = undefined;
    if (!call.isOver) {
      call.report('failed');
      if (call.carrierCallId !== undefined)
        this.#commands.run(this.#commands.hangup(call), call.record.id);
    }
    this.#legs.forget(call);
  }
}
