import { isTerminalStatus } from '../carriers/phone-status.ts';
import { nodeTagOf } from '../lib/node-tag.ts';
import type { CarrierEvent, CarrierReply } from '../ports/carrier.ts';
import type { OperatorLegName } from '../ports/operator-line.ts';
import { getNumber } from '../store/numbers.ts';
import {
  deleteOperatorLeg,
  findOperatorLeg,
  listLeftOperatorLegs,
  listOperatorLegs,
  nameOperatorLeg,
  type OperatorLegRecord,
} from '../store/operator-legs.ts';
import type { WebhookContext } from './carrier-webhooks.ts';
import type { TelephoneDeps } from './deps.ts';
import { type NumberLine, openNumberLine } from './number-line.ts';

type MediaWanted = Extract<CarrierEvent, { type: 'media-wanted' }>;
type Status = Extract<CarrierEvent, { type: 'call-status' }>;

interface LostLegsDeps extends Pick<TelephoneDeps, 'db' | 'carriers' | 'clock' | 'log' | 'nodeId'> {
  /** The instructions for a leg of this process; undefined if it does not have it. */
  readonly mediaWanted: (
    event: MediaWanted,
    context: WebhookContext,
  ) => Promise<CarrierReply | undefined>;
  readonly route: (
    event: CarrierEvent,
    context: WebhookContext,
  ) => Promise<CarrierReply | undefined>;
}

/** How long a leg waits for a process to go on with its call: less than carriers wait for an answer. */
const BACK_MS = 10_000;
const LOOK_MS = 100;
const COMMAND_MS = 10_000;

/**
 * Operators' legs whose process is gone. One that was connected to the caller waits for the process that goes on with
 * the call; all others are hung up.
 */
export class LostLegs {
  readonly #deps: LostLegsDeps;

  constructor(deps: LostLegsDeps) {
    this.#deps = deps;
  }

  /** The carrier asks what to do with a leg that this process does not have, or not yet. */
  async mediaWanted(
    id: string,
    event: MediaWanted,
    context: WebhookContext,
  ): Promise<CarrierReply | undefined> {
    const { db, clock, nodeId, mediaWanted, route } = this.#deps;
    const until = clock.now() + BACK_MS;
    const first = await findOperatorLeg(db, { id });
    const isOwn = nodeTagOf(id) === nodeId && (!first || first.nodeId === nodeId);
    // One that this process has dialled and does not know is over, and about to be hung up.
    if (isOwn) return context.lines[0]?.carrier.goodbye;
    let leg = first;
    while (leg && !leg.endAt && clock.now() < until) {
      const instructions = await mediaWanted(event, context);
      if (instructions) return instructions;
      const isTaken = leg.nodeId !== null && leg.epoch !== first?.epoch;
      if (isTaken && leg.nodeId !== nodeId) return route(event, context);
      await new Promise<void>((resolve) => clock.setTimeout(resolve, LOOK_MS));
      leg = await findOperatorLeg(db, { id });
    }
    return this.#hangUpLeftBehind(id, event, context);
  }

  /** The carrier reports on a leg that this process does not have. */
  async status(id: string, event: Status, context: WebhookContext): Promise<void> {
    const { db } = this.#deps;
    const { carrierCallId, status } = event;
    if (isTerminalStatus(status)) await deleteOperatorLeg(db, { id });
    else if (await findOperatorLeg(db, { id })) await nameOperatorLeg(db, { id, carrierCallId });
    else if (nodeTagOf(id) !== this.#deps.nodeId) await this.#hangUpLeftBehind(id, event, context);
  }

  /** Hangs up the leg of a call that this process has taken over, or that has ended. */
  async release(leg: OperatorLegName | OperatorLegRecord): Promise<void> {
    const { db, log } = this.#deps;
    const found = 'id' in leg ? leg : await findOperatorLeg(db, leg);
    if (!found) return;
    const { id, callId, carrierCallId } = found;
    const line = await this.lineOf(found);
    if (line && carrierCallId !== null) {
      log.warn({ callId, legId: id }, "hung up an operator's leg that a dead process had left");
      await line.account.hangup(carrierCallId, AbortSignal.timeout(COMMAND_MS));
    }
    // An event of one whose carrier has not named it yet finds no record: it is hung up then.
    await deleteOperatorLeg(db, { id });
  }

  /** Hangs up the legs of calls that were ended because nobody came back to them. */
  async releaseAll(callIds: readonly string[]): Promise<void> {
    await this.#releaseThese(await listOperatorLegs(this.#deps.db, { callIds }));
  }

  /** Hangs up the legs of calls that had ended when their process died. One that cannot be is tried after the next death. */
  async releaseEnded(): Promise<void> {
    await this.#releaseThese(await listLeftOperatorLegs(this.#deps.db));
  }

  async #releaseThese(legs: readonly OperatorLegRecord[]): Promise<void> {
    const { log } = this.#deps;
    const released = await Promise.allSettled(legs.map((leg) => this.release(leg)));
    for (const result of released)
      if (result.status === 'rejected')
        log.warn({ err: result.reason }, "an operator's leg could not be hung up");
  }

  /** The number from which a leg was dialled, and its account. */
  async lineOf({
    teamId,
    numberId: id,
  }: Pick<OperatorLegRecord, 'teamId' | 'numberId'>): Promise<NumberLine | undefined> {
    return openNumberLine(this.#deps, await getNumber(this.#deps.db, { teamId, id }));
  }

  async #hangUpLeftBehind(
    id: string,
    { carrierCallId }: MediaWanted | Status,
    { lines: [line] }: WebhookContext,
  ): Promise<CarrierReply | undefined> {
    const { db, log } = this.#deps;
    if (!line) return undefined;
    log.warn({ carrierCallId }, "hung up an operator's leg that a dead process had left behind");
    await line.account.hangup(carrierCallId, AbortSignal.timeout(COMMAND_MS));
    await deleteOperatorLeg(db, { id });
    return line.carrier.goodbye;
  }
}
