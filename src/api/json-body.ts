import type { FastifyInstance, FastifyRequest } from 'fastify';
import { loopRecorder } from '../lib/loop-recorder.ts';
import { countValues, type JsonBounds, readJson } from './read-json.ts';

const TYPES = ['application/json', 'application/merge-patch+json'];

/** Bodies of teams, which may be large. */
export interface TeamBodies {
  /** Waits until a long body of this request may be read. */
  readonly inTurn: (request: FastifyRequest) => Promise<void>;
  /** Resolves with the body of the request, read elsewhere. */
  readonly read: (bytes: Buffer, request: FastifyRequest) => Promise<unknown>;
}

/** Shorter bodies take no time that anybody notices. */
const LONG_BYTES = 8192;
/** A body with more of either is parsed and validated on a thread. */
export const largeBody = { bytes: 65_536, values: 2000 } as const;

/**
 * Parses JSON bodies and rejects values that the store cannot keep. An empty body counts as none. Without `teams` a body
 * holds no more values than one that is parsed on the thread of the calls.
 */
export function acceptJsonBodies(
  app: FastifyInstance,
  bounds: JsonBounds,
  teams?: TeamBodies,
): void {
  const here = { ...bounds, maxValues: Math.min(bounds.maxValues, largeBody.values) };
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    TYPES,
    { parseAs: 'buffer' },
    async (request: FastifyRequest, bytes: Buffer) => {
      if (bytes.length === 0) return undefined;
      if (teams && isLarge(bytes)) return teams.read(bytes, request);
      if (bytes.length > LONG_BYTES) await teams?.inTurn(request);
      return loopRecorder.hold('body', () => readJson(bytes, here));
    },
  );
}

const isLarge = (bytes: Buffer) =>
  bytes.length > largeBody.bytes || countValues(bytes, largeBody.values) > largeBody.values;
