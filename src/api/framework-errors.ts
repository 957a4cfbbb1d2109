import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { areaOf, Problem } from '../contract/errors.ts';
import { answerError } from './errors.ts';
import { sendJson } from './route.ts';

/** Sends an error that the framework raised before routing, in the form of the contract. */
export function sendFrameworkError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  // An id that is too long cannot exist.
  const problem =
    error.code === 'FST_ERR_MAX_PARAM_LENGTH'
      ? new Problem({ kind: 'missing', message: 'Not found', cause: error })
      : new Problem({ kind: 'malformed', message: 'The address is not valid', cause: error });
  const { status, headers, body } = answerError(problem, { area: areaOf(request.url) });
  sendJson(reply.code(status).headers(headers).header('x-request-id', request.id), body);
}

/** Sends an error of a request in the form of the contract; logs unforeseen errors. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { operation } = request.routeOptions.config;
  const answer = answerError(error, {
    area: areaOf(operation?.path ?? request.url),
    failure: operation?.failure,
    invalidMessage: operation?.invalidMessage,
  });
  if (answer.unforeseen) {
    request.log.error({ err: error, operation: operation?.id }, 'request failed');
  }
  sendJson(reply.code(answer.status).headers(answer.headers), answer.body);
}
