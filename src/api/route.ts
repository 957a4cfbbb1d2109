import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { invalid, Problem } from '../contract/errors.ts';
import type { Operation, OperationInput, OperationOutput } from '../contract/operation.ts';
import { mayDo } from '../contract/role.ts';
import { validate } from '../contract/validation.ts';
import type { LoopSlices } from '../lib/loop-slices.ts';
import type { Db } from '../store/db.ts';
import { noteMade, noteSecrets } from './audit/findings.ts';
import type { Principal } from './auth.ts';
import { CheckedBody, sentBody } from './checked-body.ts';
import { entityTag, namesTag } from './entity-tag.ts';
import { doOnce } from './idempotency.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operation that the route serves. */
    operation?: Operation;
  }
  interface FastifyRequest {
    principal: Principal | null;
  }
}

/** A validated request of one operation. */
export interface RequestContext<O extends Operation> extends OperationInput<O> {
  readonly teamId: string;
  /** The `If-Match` header. */
  readonly ifMatch: string | undefined;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

export type Handler<O extends Operation> = (
  context: RequestContext<O>,
) => Promise<OperationOutput<O>>;

/** The server, and what the common conventions of operations need. */
export interface Routing {
  readonly app: FastifyInstance;
  readonly db: Db;
  /** Of responses that take long to serialise. */
  readonly slices: LoopSlices;
}

/**
 * Serves an operation: validates the request by its schemas and sends the handler's result as JSON, with entity tags
 * and idempotency keys.
 */
export function serve<O extends Operation>(
  routing: Routing,
  operation: O,
  handler: Handler<O>,
): void {
  serveText(routing, operation, async (context) => {
    const made = await handler(context);
    noteMade(context.request, made);
    return JSON.stringify(made);
  });
}

/** {@link serve} for a handler that returns JSON text. */
function serveText<O extends Operation>(
  routing: Routing,
  operation: O,
  handler: (context: RequestContext<O>) => Promise<string>,
): void {
  serveRaw(routing, operation, async (context) => {
    const { request, reply } = context;
    const work = () => handler(context);
    const json = operation.idempotent
      ? await answerOnce(routing.db, operation, { ...context, sent: () => sentBody(request) }, work)
      : await work();
    if (operation.conditional && isKnown(operation, context, entityTag(json))) return;
    sendJsonText(reply.code(operation.response.status), json);
  });
}

/** {@link serve} for a handler of a read that returns serialised JSON. */
export function serveBytes<O extends Operation>(
  routing: Routing,
  operation: O,
  handler: (
    context: RequestContext<O>,
  ) => Promise<{ readonly bytes: Buffer; readonly tag?: string }>,
): void {
  serveRaw(routing, operation, async (context) => {
    const { bytes, tag } = await handler(context);
    if (tag !== undefined && isKnown(operation, context, tag)) return;
    context.reply.type(JSON_TYPE).send(bytes);
  });
}

/** Sets the entity tag. If the client already has this version, sends status 304 and returns true. */
function isKnown(
  { method }: Operation,
  { request, reply }: Pick<RequestContext<Operation>, 'request' | 'reply'>,
  tag: string,
): boolean {
  // A handler whose response contains more than the resource has set the tag of the resource.
  if (!reply.hasHeader('etag')) reply.header('etag', tag);
  const known = request.headers['if-none-match'];
  if (method !== 'GET' || known === undefined || !namesTag(known, tag)) return false;
  reply.code(304).send();
  return true;
}

/** {@link serve} for operations that no team's credential opens: the operator's, and those for signing in. */
export function serveTeamless<O extends Operation>(
  { app }: Pick<Routing, 'app'>,
  operation: O,
  handler: (
    context: OperationInput<O> & Pick<RequestContext<O>, 'request' | 'reply'>,
  ) => Promise<OperationOutput<O>>,
): void {
  app.route({
    method: operation.method,
    url: routeOf(operation),
    config: { operation },
    handler: async (request, reply) => {
      const output = await handler({ ...readInput(operation, request), request, reply });
      noteMade(request, output);
      sendJson(reply.code(operation.response.status), output);
      return reply;
    },
  });
}

/** {@link serveTeamless} for a handler that sends the response itself. */
export function serveTeamlessRaw<O extends Operation>(
  { app }: Pick<Routing, 'app'>,
  operation: O,
  handler: (
    context: OperationInput<O> & Pick<RequestContext<O>, 'request' | 'reply'>,
  ) => Promise<void>,
): void {
  app.route({
    method: operation.method,
    url: routeOf(operation),
    config: { operation },
    handler: async (request, reply) => {
      await handler({ ...readInput(operation, request), request, reply });
      return reply;
    },
  });
}

const routeOf = ({ path }: Operation): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

/** Serves an operation whose handler sends the response itself: bytes, a stream or one of several types. */
export function serveRaw<O extends Operation>(
  { app }: Pick<Routing, 'app'>,
  operation: O,
  handler: (context: RequestContext<O>) => Promise<void>,
): void {
  app.route({
    method: operation.method,
    url: routeOf(operation),
    config: { operation },
    handler: async (request, reply) => {
      await handler({
        ...readInput(operation, request),
        teamId: teamOf(request),
        ifMatch: request.headers['if-match'],
        request,
        reply,
      });
      return reply;
    },
  });
}

export const JSON_TYPE = 'application/json; charset=utf-8';

export function sendJson(reply: FastifyReply, body: unknown): void {
  sendJsonText(reply, JSON.stringify(body));
}

/** {@link sendJson} for JSON text. */
export function sendJsonText(reply: FastifyReply, json: string): void {
  reply.type(JSON_TYPE).send(json);
}

/**
 * Does the work of an operation once for each `Idempotency-Key`, if the request has one; `sent` identifies
 * what it brings.
 */
export async function answerOnce(
  db: Db,
  operation: Operation,
  {
    teamId,
    request,
    reply,
    sent,
  }: Pick<RequestContext<Operation>, 'teamId' | 'request' | 'reply'> & {
    readonly sent: () => string;
  },
  work: () => Promise<string>,
): Promise<string> {
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string') return work();
  const { body, replayed } = await doOnce(
    db,
    {
      teamId,
      key,
      request: `${request.method} ${request.url}\n${sent()}`,
      status: operation.response.status,
      log: request.log,
    },
    work,
  );
  if (replayed) reply.header('idempotency-replayed', 'true');
  return body;
}

/** The sender of an authenticated request. */
export function principalOf({ principal }: FastifyRequest): Principal {
  if (!principal) throw new Error('a route outside authentication');
  return principal;
}

/** True if the sender may change servers, and so see their secrets; that they were read is logged then. */
export function seesSecrets(request: FastifyRequest): boolean {
  const sees = mayDo(principalOf(request).role, 'builder');
  if (sees) noteSecrets(request);
  return sees;
}

/** The team that sends the request. */
export const teamOf = (request: FastifyRequest): string => principalOf(request).teamId;

/** Validates the parts of a request. Throws Problem that names each invalid field. */
export function readInput<O extends Operation>(
  operation: O,
  request: FastifyRequest,
): OperationInput<O> {
  const { params, query, body } = operation;
  if (body && request.body === undefined)
    throw new Problem({ kind: 'malformed', message: 'A JSON body is required' });
  const parts = [
    ['params', params, request.params],
    ['query', query, request.query],
    ['body', body, request.body],
  ] as const;
  const input: Record<string, unknown> = {};
  for (const [part, schema, value] of parts) {
    if (!schema) continue;
    if (value instanceof CheckedBody) {
      input[part] = value.value;
      continue;
    }
    const result = validate(schema, value);
    if (!result.ok) throw invalid(result.faults);
    input[part] = result.value;
  }
  return input as unknown as OperationInput<O>;
}
