import { useRef } from 'preact/hooks';
import { Button } from '../ui/button.tsx';
import { ObjectFields } from './composite-widgets.tsx';
import { useFormScope, type WidgetProps } from './form-scope.ts';
import { GroupField } from './group-field.tsx';
import { ItemTools } from './item-tools.tsx';
import { blankOf, type JsonSchema } from './json-schema.ts';
import { itemAdded, itemMoved, itemRemoved } from './list-changes.ts';
import { SchemaField } from './schema-field.tsx';
import { useFocusLater } from './use-focus-later.ts';
import type { Values } from './value-path.ts';

/** A list of objects: add, remove and reorder items. */
export function ListWidget({ id, path, schema, text, value, onChange, help, error }: WidgetProps) {
  const items = Array.isArray(value) ? (value as readonly unknown[]) : [];
  const item = text.item ?? 'item';
  const container = useRef<HTMLDivElement>(null);
  const focusLater = useFocusLater(container);
  const full = items.length >= (schema.maxItems ?? Infinity);
  return (
    <GroupField id={id} label={text.label} help={help} error={error}>
      <div ref={container} class="form-items">
        {items.map((_, index) => (
          // The index is the right key, because fields read their value by index.
          <div key={index} class="form-item card" data-item={index}>
            <div class="form-item-head">
              <h3>
                {capital(item)} {index + 1}
              </h3>
              <ItemTools
                name={`${item} ${index + 1}`}
                first={index === 0}
                last={index === items.length - 1}
                onMove={(by) => {
                  onChange(itemMoved(items, index, by));
                  focusLater(`[data-item="${index + by}"] [data-move="${by}"]`);
                }}
                {...(items.length > (schema.minItems ?? 0)
                  ? { onRemove: () => onChange(itemRemoved(items, index)) }
                  : {})}
              />
            </div>
            <ItemFault path={`${path}.${index}`} />
            {schema.items?.oneOf ? (
              <SchemaField path={`${path}.${index}`} />
            ) : (
              schema.items && <ObjectFields path={`${path}.${index}`} schema={schema.items} />
            )}
          </div>
        ))}
      </div>
      <Button
        small
        icon="plus"
        disabled={full}
        onClick={() => {
          onChange(itemAdded(items, newItem(schema.items, text.blank?.(items))));
          focusLater(`[data-item="${items.length}"] :is(input, select, textarea)`);
        }}
      >
        Add a {item}
      </Button>
    </GroupField>
  );
}

function newItem(schema: JsonSchema | undefined, begun: Values | undefined): unknown {
  const blank = schema && blankOf(schema);
  return begun ? { ...(blank as Values), ...begun } : blank;
}

/** Error of a list item as a whole. */
function ItemFault({ path }: { readonly path: string }) {
  const { faults } = useFormScope();
  return (
    <p id={`field-${path}`} tabIndex={-1} class="field-fault" role="alert">
      {faults[path]}
    </p>
  );
}

/** A list of short texts, one input each; pasting several lines adds several items. */
export function LinesWidget({ id, path, schema, text, value, onChange, help, error }: WidgetProps) {
  const { faults } = useFormScope();
  const items = Array.isArray(value) ? (value as readonly string[]) : [];
  const item = text.item ?? 'line';
  const most = schema.maxItems ?? Infinity;
  const container = useRef<HTMLDivElement>(null);
  const focusLater = useFocusLater(container);
  const insert = (at: number, lines: readonly string[]): void => {
    onChange([...items.slice(0, at), ...lines, ...items.slice(at)].slice(0, most));
    focusLater(`[data-item="${Math.min(at + lines.length, most) - 1}"] input`);
  };
  return (
    <GroupField id={id} label={text.label} help={help} error={error}>
      <div ref={container} class="form-lines">
        {items.map((line, index) => (
          <div key={index} class="form-line" data-item={index}>
            <input
              id={`field-${path}.${index}`}
              class="input"
              aria-label={`${capital(item)} ${index + 1}`}
              aria-invalid={faults[`${path}.${index}`] ? 'true' : undefined}
              aria-describedby={`field-${path}.${index}-fault`}
              autocomplete="off"
              maxLength={schema.items?.maxLength}
              placeholder={text.placeholder}
              value={line}
              onInput={({ currentTarget }) =>
                onChange(items.map((it, i) => (i === index ? currentTarget.value : it)))
              }
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return;
                event.preventDefault();
                if (items.length < most) insert(index + 1, ['']);
              }}
              onPaste={(event) => {
                const lines = linesOf(event.clipboardData?.getData('text') ?? '');
                if (lines.length < 2) return;
                event.preventDefault();
                if (line === '')
                  onChange(
                    [...items.slice(0, index), ...lines, ...items.slice(index + 1)].slice(0, most),
                  );
                else insert(index + 1, lines);
              }}
            />
            <ItemTools
              name={`${item} ${index + 1}`}
              first={index === 0}
              last={index === items.length - 1}
              onMove={(by) => {
                onChange(itemMoved(items, index, by));
                focusLater(`[data-item="${index + by}"] [data-move="${by}"]`);
              }}
              onRemove={() => {
                onChange(itemRemoved(items, index));
                focusLater(`[data-item="${Math.max(0, index - 1)}"] input`);
              }}
            />
            <p id={`field-${path}.${index}-fault`} class="field-fault" role="alert">
              {faults[`${path}.${index}`]}
            </p>
          </div>
        ))}
      </div>
      <Button
        small
        icon="plus"
        disabled={items.length >= most}
        onClick={() => insert(items.length, [''])}
      >
        Add a {item}
      </Button>
    </GroupField>
  );
}

function linesOf(text: string): readonly string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
