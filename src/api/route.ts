import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { invalid, Problem } from '../contract/errors.ts';
import type { Operation, OperationInput, OperationOutput } from '../contract/operation.ts';
import { validate } from '../contract/validation.ts';
import type { Principal } from './auth.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the route serves. */
    operation?: Operation;
  }
  interface FastifyRequest {
    principal: Principal | null;
  }
}

/** A validated request of one operation. */
export interface RequestContext<O extends Operation> extends OperationInput<O> {
  readonly teamId: string;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

export type Handler<O extends Operation> = (
  context: RequestContext<O>,
) => Promise<OperationOutput<O>>;

/** Serves an operation: validates the request by its schemas and answers with its status. */
export function serve<O extends Operation>(
  app: FastifyInstance,
  operation: O,
  handler: Handler<O>,
): void {
  serveRaw(app, operation, async (context) => {
    const output = await handler(context);
    sendJson(context.reply.code(operation.response.status), output);
  });
}

/** Serves an operation whose handler sends the answer itself: bytes, a stream, a choice of types. */
export function serveRaw<O extends Operation>(
  app: FastifyInstance,
  operation: O,
  handler: (context: RequestContext<O>) => Promise<void>,
): void {
  app.route({
    method: operation.method,
    url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { operation },
    handler: async (request, reply) => {
      await handler({ ...readInput(operation, request), teamId: teamOf(request), request, reply });
      return reply;
    },
  });
}

export function sendJson(reply: FastifyReply, body: unknown): void {
  reply.type('application/json; charset=utf-8').send(JSON.stringify(body));
}

function teamOf(request: FastifyRequest): string {
  if (!request.principal) throw new Error('a route outside authentication');
  return request.principal.teamId;
}

function readInput<O extends Operation>(operation: O, request: FastifyRequest): OperationInput<O> {
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
    const result = validate(schema, value);
    if (!result.ok) throw invalid(result.faults);
    input[part] = result.value;
  }
  return input as unknown as OperationInput<O>;
}
