import { invalid, Problem } from '../contract/errors.ts';
import type { FieldFault } from '../contract/validation.ts';

const MAX_FAULTS = 50;

export interface JsonBounds {
  readonly maxDepth: number;
  /** Values on all levels together. */
  readonly maxValues: number;
}

/** Parses a JSON body. Throws Problem if it is malformed, holds too many values or any that the store cannot keep. */
export function readJson(bytes: Uint8Array, bounds: JsonBounds): unknown {
  // Before it is parsed: half a million values take a tenth of a second.
  if (countValues(bytes, bounds.maxValues) > bounds.maxValues) throw tooMany(bounds);
  const value = parseJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString());
  const faults = findUnstorable(value, bounds);
  if (faults.length > 0) throw invalid(faults);
  return value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Problem({ kind: 'malformed', message: 'The body is not valid JSON', cause });
  }
}

const tooMany = ({ maxValues }: Pick<JsonBounds, 'maxValues'>) =>
  invalid([{ path: '', message: `must not hold more than ${maxValues} values` }]);

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const OPEN_OBJECT = 0x7b;

/** Values in a JSON text, at most one more than `most`: one for each comma, and one in each array or object begun. */
export function countValues(text: Uint8Array, most: number): number {
  let values = 0;
  for (let at = 0; at < text.length && values <= most; at++) {
    const code = text[at];
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COMMA) values++;
    else if ((code === OPEN_ARRAY || code === OPEN_OBJECT) && !isEmpty(text, at)) values++;
  }
  return values;
}

function endOfString(text: Uint8Array, from: number): number {
  let at = from + 1;
  for (; at < text.length && text[at] !== QUOTE; at++) if (text[at] === BACKSLASH) at++;
  return at;
}

function isEmpty(text: Uint8Array, opened: number): boolean {
  let at = opened + 1;
  while ((text[at] ?? QUOTE) <= 0x20) at++;
  // A closing bracket stands two places after its opening one.
  return text[at] === (text[opened] as number) + 2;
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
