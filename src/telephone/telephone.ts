import type { FastifyInstance, FastifyRequest } from 'fastify';
import { registerCarrierSockets } from '../gateway/carrier-socket.ts';
import { nodeTagOf } from '../lib/node-tag.ts';
import type { Carrier, CarrierEvent, CarrierName, CarrierReply } from '../ports/carrier.ts';
import type { Timer } from '../ports/clock.ts';
import type { Dialer } from '../ports/dialer.ts';
import type { OperatorLine } from '../ports/operator-line.ts';
import type { Db } from '../store/db.ts';
import { findMediaTokenTeam } from '../store/media-tokens.ts';
import { findNumberOfAnyTeam, getNumber } from '../store/numbers.ts';
import { findOperatorLeg } from '../store/operator-legs.ts';
import { CarrierEventStreams } from './carrier-event-streams.ts';
import { registerCarrierWebhooks, type WebhookContext } from './carrier-webhooks.ts';
import type { TelephoneDeps } from './deps.ts';
import { EventRouter } from './event-router.ts';
import { isSameNumber } from './is-same-number.ts';
import { LostLegs } from './lost-legs.ts';
import { noteWebhook } from './note-webhook.ts';
import type { NumberLine } from './number-line.ts';
import { OperatorCalls } from './operator-calls.ts';
import { PhoneCalls } from './phone-calls.ts';
import { reconcileCalls } from './reconcile-calls.ts';
import { type IsStanding, resumeOrphans } from './resume-orphans.ts';
import { SmsConversations } from './sms-conversations.ts';

interface TelephoneOptions {
  readonly all: readonly Carrier[];
  /** The base URL that the carrier requested. */
  readonly publicUrl: (request: FastifyRequest) => string;
  /** The service's own base URL, for carriers without webhooks; known once the service listens. */
  readonly ownUrl: () => string;
}

const COMMAND_MS = 10_000;
const NUMBERS = 'phone.numbers-changed';
/** By then a carrier has asked for another socket, if it has reached a process. */
const UNHEARD_MS = 3000;

/** The telephone as the rest of the service sees it. */
export interface Telephone {
  readonly dialer: Dialer;
  /** Dials operators for transfers. */
  readonly operators: OperatorLine;
  /** Adds the carriers' sockets and webhooks to the server. */
  register(server: FastifyInstance): void;
  /** Connects to the event streams of carriers without webhooks. */
  start(): Promise<void>;
  /** To be called after a number was added or removed. */
  numbersChanged(): void;
  /** `leavesCalls`: other processes take the calls that have no media yet. */
  close(how?: { readonly leavesCalls: boolean }): Promise<void>;
}

export function createTelephone(deps: TelephoneDeps, options: TelephoneOptions): Telephone {
  const { db, bus, carriers, clock, log } = deps;
  const lost: LostLegs = new LostLegs({
    ...deps,
    mediaWanted: ({ carrierCallId, lost }, { lines, callId, attempt }) =>
      operators.mediaWanted(lines, carrierCallId, { callId, attempt, lost }),
    route: (event, context) => router.route(event, context),
  });
  const operators: OperatorCalls = new OperatorCalls({
    ...deps,
    callerOf: (callId) => calls.find(callId),
    ownUrl: options.ownUrl,
    lost,
  });
  const calls = new PhoneCalls({ ...deps, operators });
  const texts = new SmsConversations(deps);

  const handle = async (
    event: CarrierEvent,
    context: WebhookContext,
  ): Promise<CarrierReply | undefined> => {
    const { lines, baseUrl, callId, attempt } = context;
    switch (event.type) {
      case 'call-arrived': {
        const line = lines.find(({ number }) => isSameNumber(number.number, event.to));
        if (line) {
          const noted = noteWebhook({ db, clock, log }, line.number.id, 'arrivedAt');
          const [reply] = await Promise.all([calls.arrived(line, event, baseUrl), noted]);
          return reply;
        }
        return lines[0]?.account.refuse(event.carrierCallId, 'rejected', deadline());
      }
      case 'media-wanted': {
        const asked = { callId, attempt, lost: event.lost };
        const { carrierCallId } = event;
        const instructions = await operators.mediaWanted(lines, carrierCallId, asked);
        if (instructions) return instructions;
        const id = callId ?? carrierCallId;
        return isLeg(id)
          ? lost.mediaWanted(id, event, context)
          : calls.mediaWanted(lines, carrierCallId, asked);
      }
      case 'call-status': {
        if (operators.status(lines, event, callId)) return undefined;
        const id = callId ?? event.carrierCallId;
        if (isLeg(id)) await lost.status(id, event, context);
        else await calls.status(lines, event, callId);
        return undefined;
      }
      case 'text-received': {
        const line = lines.find(({ number }) => number.number === event.to);
        if (line) await texts.received(line, event);
        return undefined;
      }
      case 'text-status':
        for (const line of lines) await texts.status(line, event);
        return undefined;
      case 'referred':
        calls.referred(lines, event);
        return undefined;
      case 'dtmf':
      case 'machine-detected':
        // Keys come over the media socket, and the engine detects machines by their words.
        return undefined;
    }
  };

  const router = new EventRouter({
    ...deps,
    handle,
    isHere: ({ carrierCallId }, { lines, callId }) =>
      operators.has(lines, carrierCallId, callId) || calls.has(lines, carrierCallId, callId),
  });

  const eventStreams = new CarrierEventStreams({
    db,
    carriers,
    clock,
    log,
    mayFollow: () => deps.oldest() === bus.nodeId,
    handle: async (event, known) => {
      // The number's settings may have changed since its line was opened.
      const lines = event.type === 'call-arrived' ? await refreshed(db, known) : known;
      await routeOwn(event, lines);
    },
    async compare(lines, standing) {
      const isLiveLeg = async (id: string) => {
        const leg = await findOperatorLeg(db, { id });
        return leg !== undefined && leg.endAt === null;
      };
      const common = { db, clock, log, isLiveLeg, route: routeOwn };
      const resumeThose = (stands: IsStanding) => resume('asterisk', stands);
      await reconcileCalls({ ...common, resume: resumeThose }, lines, standing);
    },
  });

  /** Routes an event that came with no request: as if the carrier had told of it. */
  const routeOwn = (event: CarrierEvent, lines: readonly NumberLine[]) =>
    router.route(event, {
      lines,
      baseUrl: options.ownUrl(),
      callId: undefined,
      attempt: undefined,
    });

  const resume = (carrier: CarrierName, stands?: IsStanding) =>
    resumeOrphans({ db, carriers, log, route: routeOwn, closing: closing.signal }, carrier, stands);

  const releaseEnded = () =>
    lost.releaseEnded().catch((error: unknown) => {
      log.warn({ err: error }, "operators' legs of ended calls could not be looked up");
    });

  const closing = new AbortController();
  let resuming = Promise.resolve();
  let unheard: Timer | undefined;
  deps.onOrphans((ended) => lost.releaseAll(ended.map(({ id }) => id)));

  // Another process follows the carriers now.
  deps.onLeaving(() => eventStreams.look());

  bus.answer(NUMBERS, () => eventStreams.look());

  return {
    dialer: calls,
    operators,
    register(server) {
      registerCarrierSockets(server, {
        carriers: options.all,
        findTokenTeam: async (token) =>
          operators.teamOfToken(token) ?? findMediaTokenTeam(db, { token }),
        redeem: async (arrival) => operators.redeem(arrival) ?? calls.redeem(arrival),
        clock,
        log,
      });
      const { publicUrl } = options;
      registerCarrierWebhooks(server, {
        db,
        carriers,
        clock,
        log,
        publicUrl,
        async numberOf(id) {
          const leg = isLeg(id) ? await findOperatorLeg(db, { id }) : undefined;
          return leg && getNumber(db, { teamId: leg.teamId, id: leg.numberId });
        },
        handle: (event, context) => router.route(event, context),
      });
    },
    async start() {
      await eventStreams.start();
      // The carrier may be slow or away, and that must not keep the service from being ready.
      if (deps.oldest() === bus.nodeId) resuming = resume('telnyx').then(releaseEnded);
      // Carriers may have told of a lost socket only the process that died or left.
      deps.afterDeaths(() => {
        clock.clearTimeout(unheard);
        if (closing.signal.aborted) return;
        unheard = clock.setTimeout(() => {
          resuming = resuming.then(async () => {
            await resume('telnyx');
            await resume('asterisk');
            await releaseEnded();
          });
        }, UNHEARD_MS);
      });
    },
    numbersChanged() {
      if (deps.oldest() === bus.nodeId) void eventStreams.look();
      else
        bus.ask(deps.oldest(), NUMBERS, null).catch((error: unknown) => {
          log.warn(
            { err: error },
            'the process that follows the carriers could not be told of a changed number; it will notice by itself',
          );
        });
    },
    async close({ leavesCalls } = { leavesCalls: false }) {
      closing.abort();
      clock.clearTimeout(unheard);
      await eventStreams.close();
      await operators.close();
      await calls.close(leavesCalls);
      await resuming;
    },
  };
}

async function refreshed(db: Db, lines: readonly NumberLine[]): Promise<readonly NumberLine[]> {
  const fresh = lines.map(async (line) => {
    const number = await findNumberOfAnyTeam(db, { number: line.number.number });
    return number?.id === line.number.id ? [{ ...line, number }] : [];
  });
  return (await Promise.all(fresh)).flat();
}

function deadline(): AbortSignal {
  return AbortSignal.timeout(COMMAND_MS);
}

/** True for the id of an operator's leg, which names the process that dialled it. */
function isLeg(id: string): boolean {
  return nodeTagOf(id) !== undefined;
}
