import type { FastifyInstance, FastifyRequest } from 'fastify';
import { invalid, Problem } from '../contract/errors.ts';
import type { FieldFault } from '../contract/validation.ts';

const MAX_FAULTS = 50;
const TYPES = ['application/json', 'application/merge-patch+json'];

interface JsonBounds {
  readonly maxDepth: number;
  /** Values on all levels together. */
  readonly maxValues: number;
}

/** Parses JSON bodies and rejects values that the store cannot keep. An empty body counts as none. */
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

/**
 * Finds values that JSON allows but the store cannot keep: certain texts, names and numbers, too deep nesting, too many
 * values.
 */
function findUnstorable(
  value: unknown,
  { maxDepth, maxValues }: JsonBounds,
): readonly FieldFault[] {
  const faults: FieldFault[] = [];
  const path: (string | number)[] = [];
  let values = 0;

  const refuse = (message: string) => {
    if (faults.length < MAX_FAULTS) faults.push({ path: path.join('.').slice(0, 200), message });
  };
  /** Returns false when there are too many values. */
  const visit = (inner: unknown, key: string | number): boolean => {
    path.push(key);
    check(inner);
    path.pop();
    return ++values <= maxValues;
  };
  const check = (inner: unknown): void => {
    if (typeof inner === 'string') {
      const problem = textProblem(inner);
      if (problem) refuse(problem);
    } else if (typeof inner === 'number') {
      if (!Number.isFinite(inner)) refuse('must be a number that fits in 64 bits');
    } else if (typeof inner === 'object' && inner !== null) {
      if (path.length >= maxDepth) refuse(`must not be nested deeper than ${maxDepth} levels`);
      else if (Array.isArray(inner)) inner.every(visit);
      else visitFields(inner);
    }
  };
  const visitFields = (inner: object): void => {
    for (const key in inner) {
      const problem = key === '__proto__' ? 'must not be __proto__' : textProblem(key);
      if (problem) refuse(`a field name ${problem}`);
      const isFine = problem ? ++values <= maxValues : visit(inner[key as keyof typeof inner], key);
      if (!isFine) return;
    }
  };

  check(value);
  return values > maxValues
    ? [{ path: '', message: `must not hold more than ${maxValues} values` }]
    : faults;
}

function textProblem(text: string): string | undefined {
  if (text.includes('\0')) return 'must not hold a NUL character';
  return text.isWellFormed() ? undefined : 'must not hold half of a surrogate pair';
}
