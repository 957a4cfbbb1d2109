import { useState } from 'preact/hooks';
import { lazyPart } from '../lazy-page.tsx';
import { Switch } from '../ui/toggle.tsx';
import type { WidgetProps } from './form-scope.ts';
import { GroupField } from './group-field.tsx';
import { JsonWidget } from './json-widget.tsx';
import { objectOf } from './schema-rows.ts';

// Most forms are opened for other fields.
const SchemaEditor = lazyPart(async () => (await import('./schema-editor.tsx')).SchemaEditor);

/** Editor for the JSON Schema of an object, as rows or as JSON text. */
export function SchemaWidget(props: WidgetProps) {
  const { id, text, value, onChange, help, error } = props;
  const [raw, setRaw] = useState(false);
  return (
    <GroupField id={id} label={text.label} help={help} error={error}>
      <Switch label="As JSON" checked={raw} onChange={setRaw} />
      {raw ? (
        <JsonWidget
          {...props}
          id={`${id}.json`}
          text={{ label: 'JSON Schema' }}
          help={undefined}
          error={undefined}
        />
      ) : (
        <SchemaEditor
          id={id}
          of={text.label.toLowerCase()}
          schema={objectOf(value)}
          onChange={onChange}
        />
      )}
    </GroupField>
  );
}
