import { createContext, type JSX } from 'preact';
import { useContext } from 'preact/hooks';
import type { FieldFaults } from '../field-faults.ts';
import type { FieldText, FieldTexts } from './field-text.ts';
import type { JsonSchema } from './json-schema.ts';
import type { Values } from './value-path.ts';

/** Props of every widget. */
export interface WidgetProps {
  readonly path: string;
  readonly schema: JsonSchema;
  readonly text: FieldText;
  readonly value: unknown;
  /** `undefined` unsets the field, so that the contract's default applies. */
  readonly onChange: (next: unknown) => void;
  /** Id of the control; label, help and error derive theirs from it. */
  readonly id: string;
  readonly help: JSX.Element | undefined;
  readonly error: string | undefined;
}

export type Widget = (props: WidgetProps) => JSX.Element;

/** The form that contains the fields. */
export interface FormScope {
  readonly schema: JsonSchema;
  readonly value: Values;
  readonly faults: FieldFaults;
  readonly texts: FieldTexts;
  readonly widgets: Readonly<Record<string, Widget>>;
  readonly set: (path: string, next: unknown) => void;
}

const Scope = createContext<FormScope | undefined>(undefined);

export const FormProvider = Scope.Provider;

export function useFormScope(): FormScope {
  const scope = useContext(Scope);
  if (!scope) throw new Error('a field outside a form');
  return scope;
}

/** DOM id of a field's control. */
export const controlId = (path: string): string => `field-${path}`;

/** Path of the field that a control belongs to; undefined if it is not a form control. */
export function pathOfControl(id: string): string | undefined {
  return id.startsWith('field-') ? id.slice('field-'.length) : undefined;
}
