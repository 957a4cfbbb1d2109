import { useCallback, useMemo, useState } from 'preact/hooks';
import { type FieldFaults, fieldFaults } from '../field-faults.ts';
import { checkValue } from './check-value.ts';
import type { JsonSchema } from './json-schema.ts';
import { mergeDiff, mergePatch } from './merge-diff.ts';
import { type Values, withValueAt } from './value-path.ts';

export interface Form {
  readonly value: Values;
  readonly set: (path: string, next: unknown) => void;
  /** The field was left: what the browser can tell of it is shown from now on. */
  readonly visit: (path: string) => void;
  /** What is shown at the fields. */
  readonly faults: FieldFaults;
  /** What differs from what is stored, as a merge patch; empty: nothing. */
  readonly patch: Values;
  /** Shows whatever the browser can tell is wrong; whether there is nothing. */
  readonly check: () => boolean;
  /** Shows what the service has against it. */
  readonly refuse: (error: unknown) => void;
  /** Takes what is stored now for what was read; what was changed here since `sent` stays on top. */
  readonly rebase: (stored: Values, sent?: Values) => void;
  /** Takes back all changes. */
  readonly reset: () => void;
}

/** Changes to something stored, until they are saved. `settle` leaves out what does not count as it stands. */
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
    // What was said of it, or of what it stands in, may not hold any more.
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
