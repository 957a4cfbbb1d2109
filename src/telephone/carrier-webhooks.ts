import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Carrier, CarrierEvent, CarrierReply, CarrierRequest } from '../ports/carrier.ts';
import type { Carriers } from '../ports/carriers.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { findCallOfAnyTeam } from '../store/calls.ts';
import type { Db } from '../store/db.ts';
import { findNumberOfAnyTeam, getNumber, type NumberRecord } from '../store/numbers.ts';
import { noteWebhook } from './note-webhook.ts';
import { type NumberLine, openNumberLine } from './number-line.ts';

/** The numbers and the call that a verified webhook is about. */
export interface WebhookContext {
  /** Every number in it that is known here and whose account signed it. */
  readonly lines: readonly NumberLine[];
  readonly baseUrl: string;
  readonly callId: string | undefined;
  readonly attempt: number | undefined;
}

interface WebhookDeps {
  readonly db: Db;
  readonly carriers: Carriers;
  readonly clock: Clock;
  readonly log: Log;
  /** The base URL that the carrier requested, without a trailing slash. */
  readonly publicUrl: (request: FastifyRequest) => string;
  /** The number of an operator's leg; undefined for the id of a call. */
  readonly numberOf: (legId: string) => Promise<NumberRecord | undefined>;
  /** Resolves with the carrier's instructions; undefined: acknowledge only. */
  readonly handle: (
    event: CarrierEvent,
    context: WebhookContext,
  ) => Promise<CarrierReply | undefined>;
}

const MAX_BODY_BYTES = 128 * 1024;
const MAX_NUMBERS = 4;
const REFUSE_MS = 10_000;

interface WebhookRequest {
  Params: { carrier: string; kind: string };
  Querystring: { call?: string; attempt?: string; number?: string };
}

/** Adds the carriers' webhooks, `/carriers/:carrier/voice|status|sms`, which refuse unsigned requests. */
export function registerCarrierWebhooks(app: FastifyInstance, deps: WebhookDeps): void {
  void app.register(async (scope) => {
    // A signature covers the raw bytes.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES },
      (_, body, done) => done(null, body),
    );
    scope.route<WebhookRequest>({
      method: ['GET', 'POST'],
      url: '/carriers/:carrier/:kind(^voice$|^status$|^sms$)',
      // URLs and bodies hold telephone numbers and texts.
      logLevel: 'warn',
      async handler(request, reply) {
        const baseUrl = deps.publicUrl(request);
        const answer = await answerWebhook(deps, {
          carrier: deps.carriers.find(request.params.carrier as Carrier['name']),
          request: toCarrierRequest(request, baseUrl),
          baseUrl,
          callId: request.query.call,
          number: request.query.number,
          attempt: wholeNumber(request.query.attempt),
        });
        return reply.code(answer.status).type(answer.contentType).send(answer.body);
      },
    });
  });
}

interface Webhook {
  readonly carrier: Carrier | undefined;
  readonly request: CarrierRequest;
  readonly baseUrl: string;
  readonly callId: string | undefined;
  /** The number of an operator's leg, as its URL names it. */
  readonly number: string | undefined;
  readonly attempt: number | undefined;
}

const refused: CarrierReply = { status: 403, contentType: 'text/plain', body: 'not signed' };
const unknown: CarrierReply = { status: 404, contentType: 'text/plain', body: 'no such carrier' };

async function answerWebhook(deps: WebhookDeps, webhook: Webhook): Promise<CarrierReply> {
  const { carrier, request, baseUrl, attempt } = webhook;
  if (!carrier) return unknown;
  const { numbers, lines } = await signedLines(deps, carrier, webhook);
  if (lines.length === 0) {
    const answer =
      numbers.length === 0 ? await answerUnknownNumber(deps, carrier, request) : refused;
    if (answer === refused) {
      deps.log.warn({ carrier: carrier.name }, 'a webhook without a valid signature was refused');
      const own = numbers.filter(({ provider }) => provider === carrier.name);
      await Promise.all(own.map(({ id }) => noteWebhook(deps, id, 'refusedAt')));
    }
    return answer;
  }
  const context = { lines, baseUrl, callId: webhook.callId, attempt };
  let answer: CarrierReply | undefined;
  for (const event of carrier.readWebhook(request)) {
    answer = (await deps.handle(event, context)) ?? answer;
  }
  return answer ?? carrier.acknowledgement;
}

/** A webhook of the operator's own account for a number that no team imported: refuses the call and logs why. */
async function answerUnknownNumber(
  { carriers, clock, log }: WebhookDeps,
  carrier: Carrier,
  request: CarrierRequest,
): Promise<CarrierReply> {
  const credentials = carriers.ownCredentials(carrier.name);
  const account = credentials && carrier.open(credentials);
  if (!account?.verifyWebhook(request, clock.now())) return refused;
  let answer = carrier.acknowledgement;
  for (const event of carrier.readWebhook(request)) {
    if (event.type !== 'call-arrived') continue;
    const about = { carrier: carrier.name, number: event.to };
    log.warn(
      about,
      'a call arrived for a number that no team has imported: import it, or remove the webhook at the carrier',
    );
    answer = await account.refuse(event.carrierCallId, 'rejected', AbortSignal.timeout(REFUSE_MS));
  }
  return answer;
}

/** The known numbers in the request, and those of them whose account signed it; another team's signature is void. */
async function signedLines(
  deps: WebhookDeps,
  carrier: Carrier,
  { request, callId, number: ofUrl }: Webhook,
): Promise<{ readonly numbers: readonly NumberRecord[]; readonly lines: readonly NumberLine[] }> {
  const addressee = carrier.addressee(request);
  if (!addressee) return { numbers: [], lines: [] };
  const named = ofUrl === undefined ? addressee.numbers : [ofUrl, ...addressee.numbers];
  const numbers = await numbersOf(deps, named, callId);
  const lines: NumberLine[] = [];
  for (const number of numbers) {
    if (number.provider !== carrier.name) continue;
    const line = await openNumberLine(deps, number);
    if (line?.account.verifyWebhook(request, deps.clock.now())) lines.push(line);
  }
  return { numbers, lines };
}

async function numbersOf(
  { db, numberOf }: WebhookDeps,
  named: readonly string[],
  callId: string | undefined,
): Promise<readonly NumberRecord[]> {
  const numbers = new Map<string, NumberRecord>();
  for (const number of named.slice(0, MAX_NUMBERS)) {
    const found = await findNumberOfAnyTeam(db, { number });
    if (found) numbers.set(found.id, found);
  }
  const ofLeg = callId === undefined ? undefined : await numberOf(callId);
  if (ofLeg) numbers.set(ofLeg.id, ofLeg);
  const call = callId === undefined ? undefined : await findCallOfAnyTeam(db, { id: callId });
  if (call?.numberId) {
    const { teamId, numberId: id } = call;
    if (!numbers.has(id)) numbers.set(id, await getNumber(db, { teamId, id }));
  }
  return [...numbers.values()];
}

function toCarrierRequest(request: FastifyRequest, baseUrl: string): CarrierRequest {
  const headers = Object.entries(request.headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(',') : value,
  ]);
  return {
    method: request.method,
    url: baseUrl + request.url,
    headers: Object.fromEntries(headers),
    body: Buffer.isBuffer(request.body) ? request.body : new Uint8Array(0),
  };
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,4}$/.test(text) ? Number(text) : undefined;
}
