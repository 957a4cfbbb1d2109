import { useState } from 'preact/hooks';
import type { FieldFaults } from '../field-faults.ts';
import { type Action, useAction } from '../use-action.ts';
import { useUnsavedGuard } from '../use-leaving-guard.ts';
import type { JsonSchema } from './json-schema.ts';
import { patchedPaths } from './merge-diff.ts';
import { type Form, useForm } from './use-form.ts';
import type { Values } from './value-path.ts';

/** A resource as it was read. */
export interface Stored<R> {
  readonly record: R;
  /** Its editable fields. */
  readonly config: Values;
  readonly tag: string;
}

/** Result of an attempt to save. */
export type Saved<R> =
  | { readonly kind: 'saved'; readonly stored: Stored<R> }
  /** Somebody else changed the same fields; `stored` is their version. */
  | { readonly kind: 'clash'; readonly stored: Stored<R>; readonly paths: readonly string[] };

interface EditorOptions<R> {
  readonly schema: JsonSchema;
  readonly initial: Stored<R>;
  readonly settle: (value: Values) => Values;
  readonly save: (base: Stored<R>, patch: Values) => Promise<Saved<R>>;
}

/** State of editing one stored resource. */
export interface Editor<R> {
  readonly schema: JsonSchema;
  readonly form: Form;
  readonly faults: FieldFaults;
  /** Latest known stored version. */
  readonly record: R;
  /** Paths that differ from the stored version. */
  readonly changed: readonly string[];
  /** Paths that somebody else changed as well. */
  readonly clash: readonly string[];
  /** Failed attempts to save since the last success. */
  readonly tries: number;
  readonly saving: Action<[]>;
  readonly save: () => void;
  readonly discard: () => void;
  /** Shows what is wrong with the fields; true if nothing is. */
  readonly check: () => boolean;
  /** Shows at the fields what the service refused. */
  readonly refuse: (error: unknown) => void;
}

/** Holds the changes to one resource until they are saved, and merges them with other people's changes. */
export function useEditor<R>({ schema, initial, settle, save }: EditorOptions<R>): Editor<R> {
  const [stored, setStored] = useState(initial);
  const [clash, setClash] = useState<readonly string[]>([]);
  const [tries, setTries] = useState(0);
  const form = useForm(schema, initial.config, settle);
  const changed = patchedPaths(form.patch);
  useUnsavedGuard(changed.length > 0);

  const saving = useAction(
    async () => {
      const sent = form.value;
      try {
        const outcome = await save(stored, form.patch);
        setStored(outcome.stored);
        if (outcome.kind === 'saved') {
          form.rebase(outcome.stored.config, sent);
          setClash([]);
          setTries(0);
          return;
        }
        form.rebase(outcome.stored.config);
        setClash(outcome.paths);
        throw new Error('somebody else changed the same');
      } catch (error) {
        form.refuse(error);
        setTries((before) => before + 1);
        throw error;
      }
    },
    { done: 'Saved.' },
  );

  const check = (): boolean => {
    const isFit = form.check();
    if (!isFit) setTries((before) => before + 1);
    return isFit;
  };

  return {
    schema,
    form,
    faults: form.faults,
    record: stored.record,
    changed,
    clash,
    tries,
    saving,
    save: () => {
      if (check()) saving.run();
    },
    check,
    refuse: (error) => {
      form.refuse(error);
      setTries((before) => before + 1);
    },
    discard: () => {
      form.reset();
      setClash([]);
      setTries(0);
      saving.forget();
    },
  };
}
