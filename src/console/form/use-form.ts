import { useCallback, useMemo, useState } from 'preact/hooks';
import { type FieldFaults, fieldFaults } from '../field-faults.ts';
import { checkValue } from './check-value.ts';
import type { JsonSchema } from './json-schema.ts';
import { mergeDiff, mergePatch } from './merge-diff.ts';
import { type Values, withValueAt } from './value-path.ts';

export interface Form {
  readonly value: Values;
  readonly set: (path: string, next: unknown) => void;
  /** The field lost focus: from now on the browser's validation errors are shown for it. */
  readonly visit: (path: string) => void;
  /** Errors to show at the fields. */
  readonly faults: FieldFaults;
  /** Difference from the stored version as a merge patch; empty if there is none. */
  readonly patch: Values;
  /** Shows all errors found by the browser; true if there are none. */
  readonly check: () => boolean;
  /** Shows the errors in the service's response. */
  readonly refuse: (error: unknown) => void;
  /** Replaces the stored version; changes made here since `sent` are kept on top of it. */
  readonly rebase: (stored: Values, sent?: Values) => void;
  /** Discards all changes. */
  readonly reset: () => void;
}

/**
 * Holds the changes to a stored value until they are saved. `settle` drops fields that do not apply to the current
 * settings.
 */
export function useForm(
  schema: JsonSchema,
  initial: Values,
  settle: (value: Values) => Values,
): Form {
  const [stored, setStored] = useState(initial);
  const [value, setValue] = useState(initial);
  const [refused, setRefused] = useState<FieldFaults>({});
  const [visited, setVisited] = useState<ReadonlySet<string> | 'all'>(new Set<string>());
  const settled = useMemo(() => settle(value), [settle, value]);
  const patch = useMemo(() => mergeDiff(stored, settled), [stored, settled]);
  const found = useMemo(() => checkValue(schema, settled), [schema, settled]);
  const faults = useMemo(() => {
    const seen = Object.entries(found).filter(([path]) => visited === 'all' || visited.has(path));
    return { ...refused, ...Object.fromEntries(seen) };
  }, [found, visited, refused]);

  const set = useCallback((path: string, next: unknown) => {
    setValue((old) => withValueAt(old, path, next));
    // The service's errors for this field and its parents may no longer apply.
    setRefused((old) => withoutRelated(old, path));
  }, []);
  const visit = useCallback((path: string) => {
    setVisited((old) => (old === 'all' || old.has(path) ? old : new Set([...old, path])));
  }, []);
  const check = (): boolean => {
    setVisited('all');
    return Object.keys(found).length === 0;
  };
  const rebase = (next: Values, sent = stored): void => {
    setStored(next);
    setValue((now) => mergePatch(next, mergeDiff(settle(sent), settle(now))) as Values);
    setRefused({});
    setVisited(new Set<string>());
  };
  return {
    value,
    set,
    visit,
    faults,
    patch,
    check,
    refuse: (error) => setRefused(fieldFaults(error)),
    rebase,
    reset: () => rebase(stored, value),
  };
}

function withoutRelated(faults: FieldFaults, changed: string): FieldFaults {
  const kept = Object.entries(faults).filter(
    ([path]) =>
      path !== '' && !`${changed}.`.startsWith(`${path}.`) && !`${path}.`.startsWith(`${changed}.`),
  );
  return kept.length === Object.keys(faults).length ? faults : Object.fromEntries(kept);
}
