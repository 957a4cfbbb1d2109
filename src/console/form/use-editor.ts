import { useState } from 'preact/hooks';
import type { FieldFaults } from '../field-faults.ts';
import { type Action, useAction } from '../use-action.ts';
import { useUnsavedGuard } from '../use-leaving-guard.ts';
import type { JsonSchema } from './json-schema.ts';
import { patchedPaths } from './merge-diff.ts';
import { type Form, useForm } from './use-form.ts';
import type { Values } from './value-path.ts';

/** Something as it stood when it was read. */
export interface Stored<R> {
  readonly record: R;
  /** What can be changed of it. */
  readonly config: Values;
  readonly tag: string;
}

/** What became of a try to save. */
export type Saved<R> =
  | { readonly kind: 'saved'; readonly stored: Stored<R> }
  /** Somebody else changed the same fields: here is what stands now. */
  | { readonly kind: 'clash'; readonly stored: Stored<R>; readonly paths: readonly string[] };

interface EditorOptions<R> {
  readonly schema: JsonSchema;
  readonly initial: Stored<R>;
  readonly settle: (value: Values) => Values;
  readonly save: (base: Stored<R>, patch: Values) => Promise<Saved<R>>;
}

/** Something stored that is being changed. */
export interface Editor<R> {
  readonly schema: JsonSchema;
  readonly form: Form;
  readonly faults: FieldFaults;
  /** As it stands in the store, as far as is known. */
  readonly record: R;
  /** Paths that differ from what is stored. */
  readonly changed: readonly string[];
  /** Paths that somebody else changed, too. */
  readonly clash: readonly string[];
  /** How often saving did not work since it last did. */
  readonly tries: number;
  readonly saving: Action<[]>;
  readonly save: () => void;
  readonly discard: () => void;
}

/** Changes to one thing until they are saved, with whoever else changes it kept in mind. */
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
      if (form.check()) saving.run();
      else setTries((before) => before + 1);
    },
    discard: () => {
      form.reset();
      setClash([]);
      setTries(0);
      saving.forget();
    },
  };
}
