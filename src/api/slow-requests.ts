import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { areaOf, Problem } from '../contract/errors.ts';
import { BodyPace, type PaceLimits, paceDefaults } from '../lib/body-pace.ts';
import type { Clock } from '../ports/clock.ts';
import { answerError } from './errors.ts';

/** Limits on the time for a request to arrive. */
export interface ArrivalLimits extends PaceLimits {
  /** From the opening of the connection to the end of the headers. @defaultValue 10000 */
  readonly headersMs: number;
  /** Interval of the checks. @defaultValue 1000 */
  readonly lookMs: number;
}

export const arrivalDefaults = {
  ...paceDefaults,
  headersMs: 10_000,
  lookMs: 1000,
} as const satisfies ArrivalLimits;

/** Options of the HTTP server that close connections whose headers arrive too slowly. */
export function headerTimeouts({ headersMs, lookMs }: ArrivalLimits = arrivalDefaults) {
  return { headersTimeout: headersMs, connectionsCheckingInterval: lookMs };
}

interface Arriving {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly pace: BodyPace;
}

/** Ends requests whose bodies arrive too slowly, on every route, even if they were answered already. */
export function refuseSlowBodies(
  app: FastifyInstance,
  { clock, limits = arrivalDefaults }: { readonly clock: Clock; readonly limits?: ArrivalLimits },
): void {
  const arriving = new Set<Arriving>();
  let isLooking = false;
  const look = () => {
    const now = clock.now();
    for (const each of arriving) {
      const { raw } = each.request;
      const isOver = raw.complete || raw.destroyed;
      // While bytes wait to be read here, the sender is not late.
      const isLate = !isOver && each.pace.isLate(bytesRead(raw), now, raw.readableLength === 0);
      if (isLate) refuse(each);
      if (isOver || isLate) arriving.delete(each);
    }
    isLooking = arriving.size > 0;
    if (isLooking) clock.setTimeout(look, limits.lookMs);
  };
  app.addHook('onRequest', async (request, reply) => {
    if (!hasBody(request.raw)) return;
    const pace = new BodyPace(limits, bytesRead(request.raw), clock.now());
    arriving.add({ request, reply, pace });
    if (!isLooking) clock.setTimeout(look, limits.lookMs);
    isLooking = true;
  });
}

function hasBody({ headers, socket }: IncomingMessage): boolean {
  // What is asked within the process, as coding agents' tools are, has its body already and no connection.
  if (headers.upgrade !== undefined || !(socket instanceof Socket)) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function bytesRead({ socket }: IncomingMessage): number {
  return socket.bytesRead;
}

/** The handler waits for the body, so the response is sent without it. */
function refuse({ request: { raw, url, log }, reply }: Arriving): void {
  log.info(
    { bytesRead: bytesRead(raw) },
    'a request was ended because its body arrived too slowly',
  );
  const problem = new Problem({ kind: 'too-slow', message: 'The body comes too slowly' });
  const { status, body } = answerError(problem, { area: areaOf(url) });
  const json = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${status} Request Timeout`,
    'connection: close',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(json)}`,
  ];
  const { socket } = raw;
  if (reply.raw.headersSent) socket.destroy();
  else socket.end(`${head.join('\r\n')}\r\n\r\n${json}`, () => socket.destroy());
}
