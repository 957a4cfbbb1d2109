import { useRef } from 'preact/hooks';
import { Button } from '../ui/button.tsx';
import { itemMoved, itemRemoved } from './list-changes.ts';
import { type NestedSchemaProps, SchemaRowEditor } from './schema-row.tsx';
import { freeRowName, rowsOf, type SchemaRow, withRows } from './schema-rows.ts';
import { useFocusLater } from './use-focus-later.ts';

/** Editor for the properties of an object: type, description, and whether each is required. */
export function SchemaEditor({ id, of, schema, onChange, depth = 0 }: NestedSchemaProps) {
  const rows = rowsOf(schema);
  const container = useRef<HTMLDivElement>(null);
  const focusLater = useFocusLater(container);
  const write = (next: readonly unknown[]): void =>
    onChange(withRows(schema, next as readonly SchemaRow[]));
  return (
    <div class="schema-editor">
      <div ref={container} class="form-items">
        {rows.map((row, index) => (
          <div key={index} class="schema-row" data-item={`${depth}-${index}`}>
            <SchemaRowEditor
              id={`${id}.${index}`}
              row={row}
              taken={rows.filter((_, at) => at !== index).map(({ name }) => name)}
              first={index === 0}
              last={index === rows.length - 1}
              depth={depth}
              nested={SchemaEditor}
              onChange={(next) => write(rows.map((it, at) => (at === index ? next : it)))}
              onMove={(by) => {
                write(itemMoved(rows, index, by));
                focusLater(`[data-item="${depth}-${index + by}"] [data-move="${by}"]`);
              }}
              onRemove={() => write(itemRemoved(rows, index))}
            />
          </div>
        ))}
      </div>
      <Button
        small
        icon="plus"
        aria-label={`Add a field to ${of}`}
        onClick={() => {
          const row = { name: freeRowName(rows), schema: { type: 'string' }, required: false };
          write([...rows, row]);
          focusLater(`[data-item="${depth}-${rows.length}"] input`);
        }}
      >
        Add a field
      </Button>
    </div>
  );
}
