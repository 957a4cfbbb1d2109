import type { RedactionKind } from '../contract/redaction.ts';

const NUMBERS: ReadonlySet<string> = new Set([
  'card',
  'bank-account',
  'identity-number',
  'phone',
] satisfies RedactionKind[]);

/** True of a number that may be dictated in pieces. */
export const isNumber = (kind: string): boolean => NUMBERS.has(kind);

/** True if any of these kinds is such a number. */
export const hasNumbers = (kinds: readonly RedactionKind[]): boolean => kinds.some(isNumber);
