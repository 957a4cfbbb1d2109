import type { JsonObject } from '../lib/json-frame.ts';
/** A value to extract from the structured data, and its type. */
export interface WantedOutcome {
  readonly type: 'string' | 'number' | 'boolean' | 'date';
  readonly field: string;
}

export interface Outcome {
  readonly values: JsonObject;
  /** Fields that are present but cannot be converted to their type. */
  readonly problems: readonly string[];
}

/** Copies fields out of the structured data, converted to their types; missing fields are left out. */
export function outcomeOf(data: JsonObject, wanted: readonly WantedOutcome[]): Outcome {
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const { type, field } of wanted) {
    const found = at(data, field);
    if (found === undefined || found === null) continue;
    const value = casts[type](found);
    if (value === undefined) problems.push(`${field} is no ${type}`);
    else values[field] = value;
  }
  return { values, problems };
}

function at(data: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    return (value as JsonObject)[key];
  }, data);
}

const WORDS: Readonly<Record<string, boolean>> = { true: true, yes: true, false: false, no: false };

const casts: Record<WantedOutcome['type'], (value: unknown) => unknown> = {
  string: (value) => (typeof value === 'object' ? JSON.stringify(value) : String(value)),
  number: (value) => {
    if (typeof value !== 'number' && typeof value !== 'string') return undefined;
    const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);
    return Number.isFinite(number) ? number : undefined;
  },
  boolean: (value) => {
    if (typeof value === 'boolean') return value;
    if (value === 0 || value === 1) return value === 1;
    return typeof value === 'string' ? WORDS[value.trim().toLowerCase()] : undefined;
  },
  date: (value) => {
    if (typeof value !== 'string' && typeof value !== 'number') return undefined;
    const date = new Date(value);
    return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
  },
};
