import { NodeAwayError } from '../lib/node-away-error.ts';
import { findCall, findCallNode, moveCall, takeCall } from '../store/calls.ts';
import { findNumber } from '../store/numbers.ts';
import type { TelephoneDeps } from './deps.ts';
import type { LivePhoneCalls } from './live-phone-calls.ts';
import { openNumberLine } from './number-line.ts';
import { PhoneCall } from './phone-call.ts';

type Deps = Pick<TelephoneDeps, 'db' | 'bus' | 'carriers' | 'clock' | 'log'>;

interface Asked {
  readonly callId: string;
  readonly teamId: string;
  readonly to: string;
}

/** The state of a call that its record does not hold. */
type Given = Pick<PhoneCall, 'attempt' | 'status' | 'baseUrl'>;

const YIELD = 'phone.yield';

/**
 * Moves a call without media to the process that received its media socket, since a call must live where its sound
 * arrives.
 */
export class CallMigration {
  readonly #deps: Deps;
  readonly #calls: LivePhoneCalls;

  constructor(deps: Deps, book: LivePhoneCalls) {
    this.#deps = deps;
    this.#calls = book;
    deps.bus.answer(YIELD, (body) => this.#yield(body as Asked));
  }

  /** Takes a call over; undefined if it has ended or another process has its media. */
  async take(one: {
    readonly callId: string;
    readonly teamId: string;
  }): Promise<PhoneCall | undefined> {
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
    if (given === 'away') await takeCall(db, moved);
    else if (given === undefined) await moveCall(db, moved);
    else if (given !== 'kept') call.inherit(given);
    if (given !== 'kept' && !call.isOver) return call;
    this.#calls.delete(call);
    return undefined;
  }

  /** True if another process took over the call; its pending timers here are void. */
  async isElsewhere({ record }: PhoneCall): Promise<boolean> {
    const nodeId = await findCallNode(this.#deps.db, record);
    return nodeId !== undefined && nodeId !== this.#deps.bus.nodeId;
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
