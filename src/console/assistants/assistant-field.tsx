import { ASSISTANTS, useFinder, useNamed } from '../named.ts';
import { Combobox } from '../ui/combobox.tsx';
import type { FieldProps } from '../ui/field.tsx';

interface AssistantFieldProps extends FieldProps {
  /** Empty: none. */
  readonly value: string;
  readonly onChange: (id: string) => void;
  /** What none is called, where none may be chosen. */
  readonly none?: string;
  readonly placeholder?: string;
  readonly disabled?: boolean;
}

/** Choice of one of the team's assistants, found by the service while its name is typed. */
export function AssistantField({ none, ...props }: AssistantFieldProps) {
  const { value } = props;
  const named = useNamed(ASSISTANTS, [value]);
  const find = useFinder(ASSISTANTS);
  const chosen = named.isGone(value) ? { value, label: 'A deleted assistant' } : named.of(value);
  return (
    <Combobox
      placeholder={none ?? 'Find by name'}
      {...props}
      options={[
        ...(none === undefined ? [] : [{ value: '', label: none }]),
        ...(chosen ? [chosen] : []),
      ]}
      find={find}
    />
  );
}
