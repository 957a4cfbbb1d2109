import { createContext, type JSX } from 'preact';
import { useContext } from 'preact/hooks';
import type { FieldFaults } from '../field-faults.ts';
import type { FieldText, FieldTexts } from './field-text.ts';
import type { JsonSchema } from './json-schema.ts';
import type { Values } from './value-path.ts';

/** What a widget draws. */
export interface WidgetProps {
  readonly path: string;
  readonly schema: JsonSchema;
  readonly text: FieldText;
  readonly value: unknown;
  /** `undefined`: nothing is set, the contract's default holds. */
  readonly onChange: (next: unknown) => void;
  /** Of its control, and what stands beside it. */
  readonly id: string;
  readonly help: JSX.Element | undefined;
  readonly error: string | undefined;
}

export type Widget = (props: WidgetProps) => JSX.Element;

/** The form that fields stand in. */
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

/** The id of a field's control. */
export const controlId = (path: string): string => `field-${path}`;

/** The path of the field a control belongs to, if it is one of a form. */
export function pathOfControl(id: string): string | undefined {
  return id.startsWith('field-') ? id.slice('field-'.length) : undefined;
}
