import './door.css';
import { useSignal } from '@preact/signals';
import type { ComponentChildren, TargetedSubmitEvent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../ui/button.tsx';

interface DoorFormProps {
  readonly id: string;
  readonly title: string;
  /** Label of the submit button. */
  readonly action: string;
  /** Submits what was entered, by the names of the inputs, passwords as they are; throws to refuse it. */
  readonly onSubmit: (entered: Readonly<Record<string, string>>) => Promise<void>;
  /** The error in words. */
  readonly explain: (error: unknown) => string;
  /** Shown before anything was submitted. */
  readonly fault?: string;
  readonly children: ComponentChildren;
  /** Below the button. */
  readonly foot?: ComponentChildren;
}

/** The only form of a page for whoever is not signed in. Its first empty input has the focus. */
export function DoorForm(props: DoorFormProps) {
  const { id, title, action, onSubmit, explain, fault: before = '', children, foot } = props;
  const form = useRef<HTMLFormElement>(null);
  const busy = useSignal(false);
  const fault = useSignal(before);
  useEffect(() => firstEmpty(form.current)?.focus(), []);

  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const inputs = inputsOf(form.current);
    const empty = firstEmpty(form.current);
    if (empty) {
      fault.value = `Enter ${empty.dataset.what ?? 'this'}.`;
      empty.focus();
      return;
    }
    busy.value = true;
    fault.value = '';
    try {
      await onSubmit(Object.fromEntries(inputs.map((input) => [input.name, enteredIn(input)])));
    } catch (error) {
      fault.value = explain(error);
      inputs.at(-1)?.select();
    } finally {
      busy.value = false;
    }
  };

  return (
    <form ref={form} id={id} class="sign-in" noValidate onSubmit={submit}>
      <h1>{title}</h1>
      {children}
      <p id={`${id}-fault`} class="fault" role="alert">
        {fault}
      </p>
      <Button type="submit" id={`${id}-button`} kind="primary" busy={busy.value}>
        {action}
      </Button>
      {foot}
    </form>
  );
}

const enteredIn = ({ type, value }: HTMLInputElement) =>
  type === 'password' ? value : value.trim();
const inputsOf = (form: HTMLFormElement | null) => [...(form?.querySelectorAll('input') ?? [])];
const firstEmpty = (form: HTMLFormElement | null) =>
  inputsOf(form).find(({ value }) => value.trim() === '');

interface DoorFieldProps {
  readonly name: string;
  readonly label: string;
  /** How an error names it. */
  readonly what: string;
  readonly type?: 'text' | 'email' | 'password';
  readonly autocomplete: string;
  readonly help?: string;
}

/** An input of a {@link DoorForm}. */
export function DoorField(props: DoorFieldProps) {
  const { name, label, what, type = 'text', autocomplete, help } = props;
  return (
    <>
      <label for={name}>{label}</label>
      <input
        id={name}
        name={name}
        class="input"
        type={type}
        autocomplete={autocomplete}
        spellcheck={false}
        data-what={what}
        aria-describedby={help ? `${name}-help` : undefined}
      />
      {help && (
        <p id={`${name}-help`} class="field-help">
          {help}
        </p>
      )}
    </>
  );
}
