import { NodeAwayError } from '../lib/node-away-error.ts';
import { nodeTagOf } from '../lib/node-tag.ts';
import type { Bus } from '../ports/bus.ts';
import type { CarrierEvent, CarrierReply } from '../ports/carrier.ts';
import type { Carriers } from '../ports/carriers.ts';
import type { Log } from '../ports/log.ts';
import { findCallNode, findCarrierCallNode } from '../store/calls.ts';
import type { Db } from '../store/db.ts';
import { getNumber, type NumberRecord } from '../store/numbers.ts';
import { findOperatorLeg } from '../store/operator-legs.ts';
import type { WebhookContext } from './carrier-webhooks.ts';
import type { TelephoneDeps } from './deps.ts';
import { openNumberLine } from './number-line.ts';

interface RouterDeps {
  readonly db: Db;
  readonly bus: Bus;
  readonly carriers: Carriers;
  /** Room for inbound calls. */
  readonly room: TelephoneDeps['room'];
  readonly log: Log;
  /** True if the event's call or leg lives in this process. */
  readonly isHere: (event: CallEvent, context: WebhookContext) => boolean;
  /** Handles an event in this process. Resolves with the carrier's instructions; undefined: acknowledge only. */
  readonly handle: (
    event: CarrierEvent,
    context: WebhookContext,
  ) => Promise<CarrierReply | undefined>;
}

type CallEvent = Extract<CarrierEvent, { readonly carrierCallId: string }>;

interface Passed extends Omit<WebhookContext, 'lines'> {
  readonly event: CarrierEvent;
  readonly numbers: readonly Pick<NumberRecord, 'teamId' | 'id'>[];
  readonly hops: number;
}

const EVENT = 'phone.event';
/** Longer than the longest command to a carrier, shorter than carriers wait for an answer. */
const EVENT_MS = 12_000;
/** A call moves to another process at most once while an event is on its way. */
const MAX_HOPS = 2;
/** Carriers repeat a webhook for minutes at most; a busy service gets fewer events than this in that time. */
const MAX_SEEN = 20_000;

/** Routes each carrier event, once, to the process that has the call, whichever process received it. */
export class EventRouter {
  readonly #deps: RouterDeps;
  readonly #seen = new SeenEvents();

  constructor(deps: RouterDeps) {
    this.#deps = deps;
    deps.bus.answer(EVENT, (body) => this.#receive(body as Passed));
  }

  async route(
    event: CarrierEvent,
    context: WebhookContext,
    hops = 0,
  ): Promise<CarrierReply | undefined> {
    const nodeId = hops < MAX_HOPS ? await this.#ownerOf(event, context) : undefined;
    if (nodeId === undefined) return this.#takeOnce(event, context);
    const { lines, ...rest } = context;
    const numbers = lines.map(({ number: { teamId, id } }) => ({ teamId, id }));
    const passed: Passed = { ...rest, event, numbers, hops: hops + 1 };
    try {
      const options = { timeoutMs: EVENT_MS };
      const reply = await this.#deps.bus.ask(nodeId, EVENT, passed, options);
      return reply as CarrierReply | undefined;
    } catch (error) {
      if (!(error instanceof NodeAwayError)) throw error;
      this.#deps.log.warn(
        { err: error, type: event.type },
        "the call's process cannot be reached; its event is handled here",
      );
      return this.#takeOnce(event, context);
    }
  }

  async #receive({ event, numbers, hops, ...rest }: Passed): Promise<CarrierReply | undefined> {
    const opened = numbers.map(async (one) =>
      openNumberLine(this.#deps, await getNumber(this.#deps.db, one)),
    );
    const lines = (await Promise.all(opened)).filter((line) => line !== undefined);
    const { baseUrl, callId, attempt } = rest;
    return this.route(event, { lines, baseUrl, callId, attempt }, hops);
  }

  /** The id of the other process that has the event's call; undefined if it is this one. */
  async #ownerOf(event: CarrierEvent, context: WebhookContext): Promise<string | undefined> {
    if (event.type === 'text-received' || event.type === 'text-status') return undefined;
    const { bus, db, isHere, room } = this.#deps;
    if (isHere(event, context)) return undefined;
    const { carrierCallId } = event;
    const { callId } = context;
    const numberIds = context.lines.map(({ number }) => number.id);
    const nodeId =
      (await this.#ownerOfLeg(callId ?? carrierCallId)) ??
      (callId === undefined ? undefined : await findCallNode(db, { id: callId })) ??
      (await findCarrierCallNode(db, { numberIds, carrierCallId }));
    // A process that is about to end takes over no calls either.
    const isForOthers = event.type === 'call-arrived' ? !room.isHere : room.isClosing;
    if (nodeId === undefined && isForOthers) return room.elsewhere();
    return nodeId === bus.nodeId ? undefined : nodeId;
  }

  /** The process of an operator's leg: that of its call, or the one that dialled it if the leg is over. */
  async #ownerOfLeg(id: string): Promise<string | undefined> {
    const dialledBy = nodeTagOf(id);
    if (dialledBy === undefined) return undefined;
    const { bus, db } = this.#deps;
    const leg = await findOperatorLeg(db, { id });
    // Where none has the call, this process waits for one that takes it.
    return leg && !leg.endAt ? (leg.nodeId ?? bus.nodeId) : dialledBy;
  }

  async #takeOnce(event: CarrierEvent, context: WebhookContext): Promise<CarrierReply | undefined> {
    // A repeated one of these needs its instructions again; the call itself ignores repetitions.
    const asks =
      event.type === 'call-arrived' ||
      (event.type === 'media-wanted' && context.attempt !== undefined);
    const id = `${context.lines[0]?.number.id} ${event.eventId}`;
    if (!asks && !this.#seen.take(id)) return undefined;
    try {
      return await this.#deps.handle(event, context);
    } catch (error) {
      this.#seen.forget(id);
      throw error;
    }
  }
}

/** The ids of the latest events, by which a repeated one is recognised. */
class SeenEvents {
  readonly #seen = new Set<string>();

  /** True if the id is new. */
  take(id: string): boolean {
    if (this.#seen.has(id)) return false;
    this.#seen.add(id);
    if (this.#seen.size > MAX_SEEN) this.#seen.delete(this.#seen.values().next().value as string);
    return true;
  }

  /** Handling failed: the carrier may send the event again. */
  forget(id: string): void {
    this.#seen.delete(id);
  }
}
