import type { EndReason } from '../contract/failures.ts';
import { NodeAwayError } from '../lib/node-away-error.ts';
import {
  type CallRecord,
  findCall,
  findCallNode,
  findCallOfAnyTeam,
  findCarrierCall,
  moveCall,
  takeCall,
} from '../store/calls.ts';
import { findNumber } from '../store/numbers.ts';
import { takeOrphanedCall } from '../store/orphaned-calls.ts';
import type { TelephoneDeps } from './deps.ts';
import type { LivePhoneCalls } from './live-phone-calls.ts';
import { type NumberLine, openNumberLine } from './number-line.ts';
import { PhoneCall } from './phone-call.ts';

type Deps = Pick<TelephoneDeps, 'db' | 'bus' | 'carriers' | 'clock' | 'log' | 'registry'>;

interface Asked {
  readonly callId: string;
  readonly teamId: string;
  readonly to: string;
}

/** The state of a call that its record does not hold. */
type Given = Pick<PhoneCall, 'attempt' | 'status' | 'baseUrl'>;

const YIELD = 'phone.yield';
/**
 * A carrier notices a lost socket before the death of its process is certain. This is longer than any lease and a beat,
 * and shorter than carriers and other processes wait for the answer.
 */
const CERTAIN_MS = 10_000;
const ASK_AGAIN_MS = 100;
/** Why a session ends whose call was taken over or ended by another process. */
const LOST: EndReason = 'service-restarted';

/**
 * Moves a call without media to the process that received its media socket, since a call must live where its sound
 * arrives; and takes over the calls of processes that have died.
 */
export class CallMigration {
  readonly #deps: Deps;
  readonly #calls: LivePhoneCalls;
  /** Calls that are being taken over, by id: a carrier may report on one twice meanwhile. */
  readonly #adopting = new Map<string, Promise<PhoneCall | undefined>>();

  constructor(deps: Deps, book: LivePhoneCalls) {
    this.#deps = deps;
    this.#calls = book;
    deps.bus.answer(YIELD, (body) => this.#yield(body as Asked));
  }

  /** Takes a call over; undefined if there is no room, it has ended or another process has its media. */
  async take(one: Omit<Asked, 'to'>): Promise<PhoneCall | undefined> {
    const { registry } = this.#deps;
    if (registry.reserve() !== 'reserved') return undefined;
    let call: PhoneCall | undefined;
    try {
      call = await this.#take(one);
      call?.keepPlace(() => registry.release());
      return call;
    } finally {
      if (!call) registry.release();
    }
  }

  async #take(one: Omit<Asked, 'to'>): Promise<PhoneCall | undefined> {
    const { db, bus } = this.#deps;
    const { callId, teamId } = one;
    const record = await findCall(db, { teamId, id: callId });
    if (!record?.numberId || record.endAt) return undefined;
    const number = await findNumber(db, { teamId, id: record.numberId });
    const line = number && (await openNumberLine(this.#deps, number));
    if (!line) return undefined;
    const call = new PhoneCall({ record, line, baseUrl: record.snapshot.baseUrl as string });
    // Added before the other process gives it up, so that its events always find it in one of the two.
    this.#calls.add(call);
    const owner = record.nodeId;
    const given = owner && owner !== bus.nodeId ? await this.#askFor(owner, one) : undefined;
    const moved = { teamId, id: callId, nodeId: bus.nodeId };
    // A process that can't be reached may still have a session, which must not write from now on.
    if (given === 'away') call.takenFromDead(await takeCall(db, moved));
    else if (given === undefined) await moveCall(db, moved);
    else if (given !== 'kept') call.inherit(given);
    if (given !== 'kept' && !call.isOver) return call;
    this.#calls.delete(call);
    return undefined;
  }

  /**
   * Takes over a call whose process has died. Undefined if there is no such call, it has ended, or its process lives.
   */
  async adopt(
    lines: readonly NumberLine[],
    carrierCallId: string,
    callId: string | undefined,
  ): Promise<PhoneCall | undefined> {
    const found = await this.#liveRecord(lines, carrierCallId, callId);
    if (!found) return undefined;
    const { record, line } = found;
    const adopting = this.#adopting.get(record.id) ?? this.#adopt(record, line);
    this.#adopting.set(record.id, adopting);
    try {
      return await adopting;
    } finally {
      this.#adopting.delete(record.id);
    }
  }

  async #adopt(record: CallRecord, line: NumberLine): Promise<PhoneCall | undefined> {
    const { db, bus, clock, registry } = this.#deps;
    const { id, epoch } = record;
    const { nodeId } = bus;
    if (record.nodeId === nodeId) return undefined;
    const until = clock.now() + CERTAIN_MS;
    const take = () => takeOrphanedCall(db, { id, epoch, nodeId });
    let taken = await take();
    while (taken === 'alive' && clock.now() < until) {
      await new Promise<void>((resolve) => clock.setTimeout(resolve, ASK_AGAIN_MS));
      taken = await take();
    }
    if (typeof taken !== 'object') return undefined;
    const baseUrl = record.snapshot.baseUrl as string;
    const call = new PhoneCall({ record: { ...record, ...taken }, line, baseUrl });
    // Where there is no room, a process that has some gets the socket.
    if (registry.reserve() === 'reserved') call.keepPlace(() => registry.release());
    this.#calls.add(call);
    return call;
  }

  async #liveRecord(
    lines: readonly NumberLine[],
    carrierCallId: string,
    callId: string | undefined,
  ): Promise<{ readonly record: CallRecord; readonly line: NumberLine } | undefined> {
    const { db } = this.#deps;
    const named = callId === undefined ? undefined : await findCallOfAnyTeam(db, { id: callId });
    for (const line of lines) {
      const { teamId, id: numberId } = line.number;
      const isNamed = named?.numberId === numberId && named.teamId === teamId;
      const record = isNamed
        ? named
        : await findCarrierCall(db, { teamId, numberId, carrierCallId });
      if (!record || record.endAt) continue;
      if ((record.carrierCallId ?? carrierCallId) === carrierCallId) return { record, line };
    }
    return undefined;
  }

  /** True if another process took over the call; its pending timers here are void. */
  async isElsewhere({ record }: PhoneCall): Promise<boolean> {
    const nodeId = await findCallNode(this.#deps.db, record);
    return nodeId !== undefined && nodeId !== this.#deps.bus.nodeId;
  }

  /** True if a session ends for this reason because another process has taken its call over. */
  async hasLost(call: PhoneCall, reason: string): Promise<boolean> {
    return reason === LOST && this.isElsewhere(call);
  }

  async #askFor(
    owner: string,
    { callId, teamId }: Omit<Asked, 'to'>,
  ): Promise<Given | 'kept' | 'away' | undefined> {
    const { bus, log } = this.#deps;
    try {
      const asked: Asked = { callId, teamId, to: bus.nodeId };
      return ((await bus.ask(owner, YIELD, asked)) ?? undefined) as Given | 'kept' | undefined;
    } catch (error) {
      if (!(error instanceof NodeAwayError)) throw error;
      log.warn(
        { callId, err: error },
        'the process that held the call cannot be reached; this one takes it over',
      );
      return 'away';
    }
  }

  async #yield({ callId, teamId, to }: Asked): Promise<Given | 'kept' | undefined> {
    const call = this.#calls.find(callId);
    if (!call) return undefined;
    return call.inOrder(async () => {
      if (call.leg) return 'kept';
      await moveCall(this.#deps.db, { teamId, id: callId, nodeId: to });
      call.isGone = true;
      call.dropPlace();
      call.disarm(this.#deps.clock);
      this.#calls.delete(call);
      const { attempt, status, baseUrl } = call;
      return { attempt, status, baseUrl };
    });
  }
}
