import type { FastifyInstance, FastifyRequest } from 'fastify';
import { invalid, Problem } from '../contract/errors.ts';
import { findUnstorable, type JsonBounds } from './json-guard.ts';

const TYPES = ['application/json', 'application/merge-patch+json'];

/** Reads JSON bodies, refusing what the store could not keep. An empty body counts as none. */
export function acceptJsonBodies(app: FastifyInstance, bounds: JsonBounds): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    TYPES,
    { parseAs: 'string' },
    async (_: FastifyRequest, text: string) => {
      if (text.length === 0) return undefined;
      const value = parseJson(text);
      const faults = findUnstorable(value, bounds);
      if (faults.length > 0) throw invalid(faults);
      return value;
    },
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Problem({ kind: 'malformed', message: 'The body is not valid JSON', cause });
  }
}
