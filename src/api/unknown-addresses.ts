import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '../contract/errors.ts';
import { sendError } from './framework-errors.ts';

/**
 * Answers for addresses that there are not, to which anybody may send anything: without a look at it. A body of at most
 * `bodyBytes` goes by; a connection that brings a longer one, or one of unknown length, is closed after the answer. The
 * scope and those within it have no parsers of bodies but their own.
 */
export function answerUnknownAddresses(scope: FastifyInstance, bodyBytes: number): void {
  scope.removeAllContentTypeParsers();
  scope.setNotFoundHandler((request, reply) => {
    if (!isShort(request, bodyBytes)) reply.header('connection', 'close');
    sendError(new Problem({ kind: 'missing', message: 'Not found' }), request, reply);
  });
}

function isShort({ headers }: FastifyRequest, bodyBytes: number): boolean {
  const hasLength = headers['transfer-encoding'] === undefined;
  return hasLength && Number(headers['content-length'] ?? 0) <= bodyBytes;
}
