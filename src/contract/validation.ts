import type { z } from 'zod';

/** A problem with one field of an input, in words for people. */
export interface FieldFault {
  /** Dotted path; empty for the whole input. */
  readonly path: string;
  readonly message: string;
}

export type Validated<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly faults: readonly FieldFault[] };

/** Further faults are not reported. */
const MAX_FAULTS = 50;
const MAX_PATH_CHARS = 200;

/** Validates an input by a schema: returns the value with defaults filled in, or the faults of all fields. */
export function validate<S extends z.ZodType>(schema: S, input: unknown): Validated<z.output<S>> {
  const result = schema.safeParse(input, { error: describeIssue });
  return result.success
    ? { ok: true, value: result.data }
    : { ok: false, faults: result.error.issues.flatMap(toFaults).slice(0, MAX_FAULTS) };
}

/** Describes all faults in one line. */
export function describeFaults(faults: readonly FieldFault[]): string {
  return faults.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; ');
}

function toFaults(issue: z.core.$ZodIssue): FieldFault[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: joinPath([...issue.path, key]),
      message: 'unknown field',
    }));
  }
  return [{ path: joinPath(issue.path), message: issue.message }];
}

function joinPath(path: readonly PropertyKey[]): string {
  const joined = path.map(String).join('.');
  return joined.length > MAX_PATH_CHARS ? `${joined.slice(0, MAX_PATH_CHARS)}…` : joined;
}

/** The message for an issue whose schema has none of its own. */
function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is required';
      return `must be ${withArticle(issue.expected)}`;
    case 'invalid_value':
      if (issue.input === undefined) return 'is required';
      return issue.values.length === 1
        ? `must be ${String(issue.values[0])}`
        : `must be one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return `must ${bound(issue, 'at least', Number(issue.minimum))}`;
    case 'too_big':
      return `must ${bound(issue, 'at most', Number(issue.maximum))}`;
    case 'unrecognized_keys':
      return `unknown fields: ${issue.keys.join(', ')}`;
    case 'invalid_key':
      return issue.issues[0]?.message ?? 'has a name that is not allowed';
    case 'invalid_format':
      return `must be a valid ${FORMAT_NAMES[issue.format] ?? issue.format}`;
    case 'invalid_union':
      return unionMessage(issue);
    default:
      return undefined;
  }
}

const FORMAT_NAMES: Record<string, string> = {
  datetime: 'date-time, such as 2026-01-31T08:00:00.000Z',
  regex: 'value',
};

function withArticle(expected: string): string {
  const noun = expected === 'int' ? 'integer' : expected === 'record' ? 'object' : expected;
  return /^[aeio]/.test(noun) ? `an ${noun}` : `a ${noun}`;
}

function bound(
  issue: { origin: string; inclusive?: boolean },
  word: string,
  limit: number,
): string {
  const many = limit === 1 ? '' : 's';
  if (issue.origin === 'string') return `have ${word} ${limit} character${many}`;
  if (issue.origin === 'array') return `have ${word} ${limit} item${many}`;
  return `be ${word} ${limit}`;
}

function unionMessage(issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>): string {
  return Array.isArray(issue.options)
    ? `must be one of ${issue.options.join(', ')}`
    : 'has a form that is not allowed';
}
