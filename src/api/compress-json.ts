import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';

const packed = promisify(gzip);
/** Shorter answers fit one packet or two as they are. */
const LEAST_BYTES = 4096;
/** A list of records that resemble each other becomes a twentieth at any level. */
const LEVEL = 4;

/**
 * Compresses long JSON answers to reads, away from the thread that carries sound. Not those with an entity tag, which
 * names their bytes.
 */
export function compressJson(scope: FastifyInstance): void {
  scope.addHook('onSend', async (request, reply, payload) => {
    if (request.method !== 'GET' || reply.statusCode !== 200 || reply.hasHeader('etag'))
      return payload;
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload;
    const isJson = String(reply.getHeader('content-type')).startsWith('application/json');
    if (!isJson || payload.length < LEAST_BYTES) return payload;
    const { vary } = reply.getHeaders();
    reply.header('vary', vary === undefined ? 'accept-encoding' : `${vary}, accept-encoding`);
    if (!takesGzip(request.headers['accept-encoding'])) return payload;
    reply.header('content-encoding', 'gzip').removeHeader('content-length');
    return packed(payload, { level: LEVEL });
  });
}

/** True if an Accept-Encoding header names gzip, and not with the weight 0. */
function takesGzip(accepted: string | string[] | undefined): boolean {
  return String(accepted ?? '')
    .split(',')
    .some((one) => /^\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*$).*)?$/i.test(one));
}
