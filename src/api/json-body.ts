import type { FastifyInstance, FastifyRequest } from 'fastify';
import { invalid, Problem } from '../contract/errors.ts';
import type { FieldFault } from '../contract/validation.ts';
import { loopRecorder } from '../lib/loop-recorder.ts';

const MAX_FAULTS = 50;
const TYPES = ['application/json', 'application/merge-patch+json'];

interface JsonBounds {
  readonly maxDepth: number;
  /** Values on all levels together. */
  readonly maxValues: number;
}

/** Waits until a long body of this request may be read. */
export type InTurn = (request: FastifyRequest) => Promise<void>;

/** Shorter bodies take no time that anybody notices. */
const LONG_BODY = 8192;

/** Parses JSON bodies and rejects values that the store cannot keep. An empty body counts as none. */
export function acceptJsonBodies(app: FastifyInstance, bounds: JsonBounds, inTurn?: InTurn): void {
  const read = (text: string): unknown => {
    // Before it is parsed: half a million values take a tenth of a second, in which no call is served.
    if (!hasAtMost(bounds.maxValues, text)) throw tooMany(bounds);
    const value = parseJson(text);
    const faults = findUnstorable(value, bounds);
    if (faults.length > 0) throw invalid(faults);
    return value;
  };
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    TYPES,
    { parseAs: 'string' },
    async (request: FastifyRequest, text: string) => {
      if (text.length === 0) return undefined;
      if (text.length > LONG_BODY) await inTurn?.(request);
      return loopRecorder.hold('body', () => read(text));
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

const tooMany = ({ maxValues }: JsonBounds) =>
  invalid([{ path: '', message: `must not hold more than ${maxValues} values` }]);

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const OPEN_OBJECT = 0x7b;

/** Whether a JSON text holds no more values than that: one for each comma, and one in each array or object begun. */
function hasAtMost(maxValues: number, text: string): boolean {
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COMMA) values++;
    else if ((code === OPEN_ARRAY || code === OPEN_OBJECT) && !isEmpty(text, at)) values++;
    if (values > maxValues) return false;
  }
  return true;
}

function endOfString(text: string, from: number): number {
  let at = from + 1;
  for (; at < text.length && text.charCodeAt(at) !== QUOTE; at++)
    if (text.charCodeAt(at) === BACKSLASH) at++;
  return at;
}

function isEmpty(text: string, opened: number): boolean {
  let at = opened + 1;
  while (text.charCodeAt(at) <= 0x20) at++;
  const code = text.charCodeAt(at);
  // A closing bracket stands two places after its opening one.
  return code === text.charCodeAt(opened) + 2;
}

/** Finds values that JSON allows but the store cannot keep: certain texts, names and numbers, too deep nesting. */
function findUnstorable(value: unknown, { maxDepth }: JsonBounds): readonly FieldFault[] {
  const faults: FieldFault[] = [];
  const path: (string | number)[] = [];

  const refuse = (message: string) => {
    if (faults.length < MAX_FAULTS) faults.push({ path: path.join('.').slice(0, 200), message });
  };
  const visit = (inner: unknown, key: string | number): void => {
    path.push(key);
    check(inner);
    path.pop();
  };
  const check = (inner: unknown): void => {
    if (typeof inner === 'string') {
      const problem = textProblem(inner);
      if (problem) refuse(problem);
    } else if (typeof inner === 'number') {
      if (!Number.isFinite(inner)) refuse('must be a number that fits in 64 bits');
    } else if (typeof inner === 'object' && inner !== null) {
      if (path.length >= maxDepth) refuse(`must not be nested deeper than ${maxDepth} levels`);
      else if (Array.isArray(inner)) inner.forEach(visit);
      else visitFields(inner);
    }
  };
  const visitFields = (inner: object): void => {
    for (const key in inner) {
      const problem = key === '__proto__' ? 'must not be __proto__' : textProblem(key);
      if (problem) refuse(`a field name ${problem}`);
      else visit(inner[key as keyof typeof inner], key);
    }
  };

  check(value);
  return faults;
}

function textProblem(text: string): string | undefined {
  if (text.includes('\0')) return 'must not hold a NUL character';
  return text.isWellFormed() ? undefined : 'must not hold half of a surrogate pair';
}
