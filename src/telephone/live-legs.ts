import type { PhoneCallStatus } from '../contract/call.ts';
import { newToken } from '../lib/ids.ts';
import { withNodeTag } from '../lib/node-tag.ts';
import type { OperatorEvents } from '../ports/operator-line.ts';
import { findCallNode } from '../store/calls.ts';
import {
  answerOperatorLeg,
  createOperatorLeg,
  deleteOperatorLeg,
  nameOperatorLeg,
} from '../store/operator-legs.ts';
import type { TelephoneDeps } from './deps.ts';
import type { LegCommands } from './leg-commands.ts';
import { LivePhoneCalls } from './live-phone-calls.ts';
import type { NumberLine } from './number-line.ts';
import { PhoneCall } from './phone-call.ts';

/** One leg to an operator; `events` is undefined once they have answered or it was given up. */
export interface LiveLeg {
  readonly call: PhoneCall;
  /** The caller's call. */
  readonly callId: string;
  events: OperatorEvents | undefined;
}

type Deps = Pick<TelephoneDeps, 'db' | 'clock' | 'nodeId'> & { readonly commands: LegCommands };

/** The longest that hanging up waits for the store to say who has the call. */
const ASK_MS = 2000;

/**
 * The operators' legs of this process, and their records in the store, by which another process finds the legs of a call
 * that it takes over.
 */
export class LiveLegs {
  readonly #deps: Deps;
  readonly #calls = new LivePhoneCalls();
  readonly #legs = new Map<string, LiveLeg>();
  /** Media tokens. Single-use and valid only in this process, which has the waiting call. */
  readonly #tokens = new Map<string, PhoneCall>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Those that have no sound yet. */
  get waiting(): readonly LiveLeg[] {
    return [...this.#legs.values()].filter(({ call }) => !call.leg);
  }

  add(leg: LiveLeg): LiveLeg {
    this.#legs.set(leg.call.record.id, leg);
    this.#calls.add(leg.call);
    return leg;
  }

  /** To be called before the leg is dialled. */
  async record({ call, callId }: LiveLeg, { legId, to }: { legId: number; to: string }) {
    const { id: numberId } = call.line.number;
    const { id } = call.record;
    const record = { id, callId, legId, numberId, toNumber: to };
    await call.inOrder(() => createOperatorLeg(this.#deps.db, record));
  }

  legOf(call: PhoneCall): LiveLeg | undefined {
    return this.#legs.get(call.record.id);
  }

  /** By its id at the carrier, else by our own. */
  find(
    lines: readonly NumberLine[],
    carrierCallId: string,
    legId = carrierCallId,
  ): PhoneCall | undefined {
    const call = this.#calls.findAmong(lines, carrierCallId, legId);
    if (!call) return undefined;
    this.learn(call, carrierCallId);
    return call.carrierCallId === carrierCallId ? call : undefined;
  }

  /** The carrier has said what it calls the leg. */
  learn(call: PhoneCall, carrierCallId: string): void {
    if (call.carrierCallId !== undefined) return;
    call.carrierCallId = carrierCallId;
    const { id } = call.record;
    if (!this.#legs.has(id)) return;
    this.#calls.index(call);
    const named = call.inOrder(() => nameOperatorLeg(this.#deps.db, { id, carrierCallId }));
    this.#deps.commands.run(named, id);
  }

  /** The operator has answered. */
  answered(call: PhoneCall): void {
    const { id } = call.record;
    const told = call.inOrder(() => answerOperatorLeg(this.#deps.db, { id }));
    this.#deps.commands.run(told, id);
  }

  issueToken(call: PhoneCall): string {
    const token = withNodeTag(newToken(), this.#deps.nodeId);
    this.#tokens.set(token, call);
    return token;
  }

  ofToken(token: string): PhoneCall | undefined {
    return this.#tokens.get(token);
  }

  dropToken(token: string): void {
    this.#tokens.delete(token);
  }

  /** This process has nothing more to do with the leg, which another may have. */
  remove(call: PhoneCall): void {
    call.disarm(this.#deps.clock);
    this.#calls.delete(call);
    this.#legs.delete(call.record.id);
    for (const [token, owner] of this.#tokens) if (owner === call) this.#tokens.delete(token);
  }

  /** The leg is over. */
  forget(call: PhoneCall): void {
    this.remove(call);
    this.#deps.commands.run(this.#deleteRecord(call), call.record.id);
  }

  /** Hangs up, unless another process has the caller's call, and with it the leg. */
  async hangUp({ call, callId }: LiveLeg): Promise<void> {
    this.remove(call);
    if (await this.#isElsewhere(callId)) return;
    await this.#deps.commands.hangup(call);
    await this.#deleteRecord(call);
  }

  #deleteRecord(call: PhoneCall): Promise<void> {
    return call.inOrder(() => deleteOperatorLeg(this.#deps.db, call.record));
  }

  async #isElsewhere(callId: string): Promise<boolean> {
    const { db, clock, nodeId } = this.#deps;
    const late = Promise.withResolvers<undefined>();
    const timer = clock.setTimeout(() => late.resolve(undefined), ASK_MS);
    try {
      const owner = await Promise.race([findCallNode(db, { id: callId }), late.promise]);
      return owner !== undefined && owner !== nodeId;
    } catch {
      // Without the store nobody can have taken the call.
      return false;
    } finally {
      clock.clearTimeout(timer);
    }
  }
}

/** A leg that this service has dialled, from one of its numbers. */
export function outboundLeg(
  line: NumberLine,
  baseUrl: string,
  {
    id,
    carrierCallId,
    epoch,
  }: { readonly id: string; readonly carrierCallId: string | null; readonly epoch: number },
  phoneCallStatus: PhoneCallStatus,
): PhoneCall {
  const { teamId } = line.number;
  const record = { id, teamId, carrierCallId, epoch, phoneCallStatus } as const;
  return new PhoneCall({ record: { ...record, direction: 'outbound' }, line, baseUrl });
}
