import { useId, useState } from 'preact/hooks';
import { Button } from '../ui/button.tsx';
import { textOf } from './field-text.ts';
import { useFormScope, type WidgetProps } from './form-scope.ts';
import { GroupField } from './group-field.tsx';
import { blankOf } from './json-schema.ts';
import { SchemaField } from './schema-field.tsx';
import type { Values } from './value-path.ts';

/** An object of which only the fields that are set exist; fields can be added and removed one by one. */
export function OptionalWidget({
  id,
  path,
  schema,
  text,
  value,
  onChange,
  help,
  error,
}: WidgetProps) {
  const { texts } = useFormScope();
  const chooser = useId();
  const held = (value ?? {}) as Values;
  const all = Object.entries(schema.properties ?? {});
  const absent = all.filter(([name]) => !(name in held));
  const [wanted, setWanted] = useState('');
  const chosen = absent.some(([name]) => name === wanted) ? wanted : (absent[0]?.[0] ?? '');
  const labelOf = (name: string) => textOf(texts, `${path}.${name}`).label;
  const without = (name: string): Values => {
    const { [name]: _gone, ...others } = held;
    return others;
  };
  return (
    <GroupField id={id} label={text.label} help={help} error={error}>
      {all
        .filter(([name]) => name in held)
        .map(([name]) => (
          <div key={name} class="form-optional">
            <SchemaField path={`${path}.${name}`} />
            <Button
              kind="quiet"
              small
              icon="trash"
              aria-label={`Remove: ${labelOf(name)}`}
              onClick={() => onChange(without(name))}
            />
          </div>
        ))}
      {absent.length > 0 && (
        <div class="field-row">
          <label class="visually-hidden" for={chooser}>
            Field to add to {text.label}
          </label>
          <select
            id={chooser}
            class="input"
            value={chosen}
            onChange={(event) => setWanted(event.currentTarget.value)}
          >
            {absent.map(([name]) => (
              <option key={name} value={name}>
                {labelOf(name)}
              </option>
            ))}
          </select>
          <Button
            icon="plus"
            onClick={() => {
              const field = schema.properties?.[chosen];
              if (field) onChange({ ...held, [chosen]: blankOf(field) ?? field.minimum });
            }}
          >
            Add
          </Button>
        </div>
      )}
    </GroupField>
  );
}
