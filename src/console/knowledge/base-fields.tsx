import type { FieldFaults } from '../field-faults.ts';
import { TextArea } from '../ui/text-area.tsx';
import { TextField } from '../ui/text-field.tsx';

/** Title and description of a knowledge base. */
export interface BaseNames {
  readonly title: string;
  readonly description: string;
}

interface BaseFieldsProps {
  readonly value: BaseNames;
  readonly onChange: (value: BaseNames) => void;
  readonly faults: FieldFaults;
}

const MAX_TITLE_CHARS = 200;
const MAX_DESCRIPTION_CHARS = 5000;

/** Form fields for title and description. */
export function BaseFields({ value, onChange, faults }: BaseFieldsProps) {
  return (
    <>
      <TextField
        id="kb-title"
        label="Title"
        value={value.title}
        onChange={(title) => onChange({ ...value, title })}
        error={faults.title}
        maxLength={MAX_TITLE_CHARS}
        autoFocus
      />
      <TextArea
        id="kb-description"
        label="Description"
        optional
        help="What it is about."
        value={value.description}
        onChange={(description) => onChange({ ...value, description })}
        error={faults.description}
        maxLength={MAX_DESCRIPTION_CHARS}
      />
    </>
  );
}

/** Validation errors found before the service is asked. */
export function faultsOfNames({ title }: BaseNames): FieldFaults {
  return title.trim() === '' ? { title: 'Enter a title.' } : {};
}
