import type { FieldFault } from '../contract/validation.ts';

const MAX_FAULTS = 50;

/** What JSON can say and the service cannot keep: texts, names and numbers, and too deep a nesting. */
export function findUnstorable(value: unknown, maxDepth: number): readonly FieldFault[] {
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
      else if (Array.isArray(inner)) for (const [i, item] of inner.entries()) visit(item, i);
      else visitFields(inner);
    }
  };
  const visitFields = (inner: object): void => {
    for (const [key, item] of Object.entries(inner)) {
      const problem = key === '__proto__' ? 'must not be __proto__' : textProblem(key);
      if (problem) refuse(`a field name ${problem}`);
      else visit(item, key);
    }
  };

  check(value);
  return faults;
}

function textProblem(text: string): string | undefined {
  if (text.includes('\0')) return 'must not hold a NUL character';
  return text.isWellFormed() ? undefined : 'must not hold half of a surrogate pair';
}
