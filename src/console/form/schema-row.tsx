import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Select } from '../ui/select.tsx';
import { TextArea } from '../ui/text-area.tsx';
import { TextField } from '../ui/text-field.tsx';
import { Checkbox } from '../ui/toggle.tsx';
import { ItemTools } from './item-tools.tsx';
import {
  enumOf,
  type OwnSchema,
  objectOf,
  retyped,
  SCHEMA_TYPES,
  type SchemaRow,
  type SchemaType,
  typeOf,
} from './schema-rows.ts';

const TYPE_OPTIONS = Object.entries(SCHEMA_TYPES).map(([value, label]) => ({
  value: value as SchemaType,
  label,
}));
/** Schemas nested deeper than this would be unreadable as rows and are edited as JSON. */
const MOST_DEPTH = 4;
const FORMATS = ['', 'date', 'date-time', 'time', 'email', 'uri', 'uuid'] as const;

/** Props of the editor for a nested object. */
export interface NestedSchemaProps {
  readonly id: string;
  /** Name of the object, for screen readers. */
  readonly of: string;
  readonly schema: OwnSchema;
  readonly onChange: (schema: OwnSchema) => void;
  /** Nesting depth. */
  readonly depth?: number;
}

interface SchemaRowEditorProps {
  readonly id: string;
  readonly row: SchemaRow;
  /** Names of the other properties. */
  readonly taken: readonly string[];
  readonly first: boolean;
  readonly last: boolean;
  readonly depth: number;
  readonly onChange: (row: SchemaRow) => void;
  readonly onMove: (by: -1 | 1) => void;
  readonly onRemove: () => void;
  readonly nested: (props: NestedSchemaProps) => JSX.Element;
}

/** One property: name, type, description, and the settings of its type. */
export function SchemaRowEditor(props: SchemaRowEditorProps) {
  const { id, row, taken, first, last, depth, onChange, onMove, onRemove, nested } = props;
  const type = typeOf(row.schema);
  const set = (change: OwnSchema): void =>
    onChange({ ...row, schema: withoutEmpty({ ...row.schema, ...change }) });
  return (
    <>
      <div class="schema-row-head">
        <NameField
          id={`${id}.name`}
          name={row.name}
          taken={taken}
          onChange={(name) => onChange({ ...row, name })}
        />
        {type === undefined ? (
          <p class="help">Edit its type as JSON.</p>
        ) : (
          <Select
            id={`${id}.type`}
            label="Type"
            value={type}
            onChange={(next) => onChange({ ...row, schema: retyped(row.schema, next) })}
            options={TYPE_OPTIONS}
          />
        )}
        <Checkbox
          label="Required"
          checked={row.required}
          onChange={(required) => onChange({ ...row, required })}
        />
        <ItemTools name={row.name} first={first} last={last} onMove={onMove} onRemove={onRemove} />
      </div>
      <TextField
        id={`${id}.description`}
        label="Description"
        placeholder="Tells the model what to fill in"
        value={String(row.schema.description ?? '')}
        onChange={(description) => set({ description: description || undefined })}
      />
      {type && (
        <TypeFields id={id} type={type} row={row} depth={depth} nested={nested} onChange={set} />
      )}
    </>
  );
}

interface TypeFieldsProps {
  readonly id: string;
  readonly type: SchemaType;
  readonly row: SchemaRow;
  readonly depth: number;
  readonly nested: (props: NestedSchemaProps) => JSX.Element;
  readonly onChange: (change: OwnSchema) => void;
}

/** Settings of a single type: values, format, items or fields. */
function TypeFields({ id, type, row, depth, nested: Nested, onChange }: TypeFieldsProps) {
  const { name, schema } = row;
  if (type === 'object') {
    if (depth >= MOST_DEPTH) return <p class="help">Edit its fields as JSON.</p>;
    return (
      <div class="schema-nested">
        <Nested
          id={`${id}.properties`}
          of={name}
          schema={schema}
          depth={depth + 1}
          onChange={onChange}
        />
      </div>
    );
  }
  if (type === 'array') {
    const items = objectOf(schema.items);
    return (
      <div class="schema-nested">
        <Select
          id={`${id}.items`}
          label="Type of each item"
          value={typeOf(items) ?? 'string'}
          onChange={(next) => onChange({ items: retyped(items, next) })}
          options={TYPE_OPTIONS.filter(({ value }) => value !== 'array')}
        />
        {typeOf(items) === 'object' && depth < MOST_DEPTH && (
          <Nested
            id={`${id}.items.properties`}
            of={`the items of ${name}`}
            schema={items}
            depth={depth + 1}
            onChange={(next) => onChange({ items: next })}
          />
        )}
      </div>
    );
  }
  if (type === 'boolean') return null;
  return (
    <details class="form-folded" open={schema.enum !== undefined || schema.format !== undefined}>
      <summary>Limit the values</summary>
      <div class="form-grid schema-limits">
        <EnumField id={`${id}.enum`} type={type} value={schema.enum} onChange={onChange} />
        {type === 'string' && (
          <Select
            id={`${id}.format`}
            label="Format"
            value={String(schema.format ?? '')}
            onChange={(format) => onChange({ format: format || undefined })}
            options={[...new Set([...FORMATS, String(schema.format ?? '')])].map((value) => ({
              value,
              label: value === '' ? 'Any' : value,
            }))}
          />
        )}
      </div>
    </details>
  );
}

/** Applies a name when the field loses focus, because an unfinished name may equal another property's. */
function NameField(props: {
  readonly id: string;
  readonly name: string;
  readonly taken: readonly string[];
  readonly onChange: (name: string) => void;
}) {
  const { id, name, taken, onChange } = props;
  const [typed, setTyped] = useState<string>();
  const wanted = (typed ?? name).trim();
  const fault =
    wanted === ''
      ? 'Enter a name.'
      : taken.includes(wanted)
        ? 'This name is used already.'
        : undefined;
  return (
    <div
      onFocusOut={() => {
        if (typed === undefined) return;
        if (fault === undefined && wanted !== name) onChange(wanted);
        setTyped(undefined);
      }}
    >
      <TextField
        id={id}
        label="Name"
        value={typed ?? name}
        maxLength={100}
        error={typed === undefined ? undefined : fault}
        onChange={setTyped}
      />
    </div>
  );
}

function EnumField(props: {
  readonly id: string;
  readonly type: SchemaType;
  readonly value: unknown;
  readonly onChange: (change: OwnSchema) => void;
}) {
  const { id, type, value, onChange } = props;
  const stored = Array.isArray(value) ? value.map(String).join('\n') : '';
  const [typed, setTyped] = useState<string>();
  return (
    <div onFocusOut={() => setTyped(undefined)}>
      <TextArea
        id={id}
        label="Allowed values"
        help="One per line. Leave empty to allow any."
        value={typed ?? stored}
        onChange={(text) => {
          setTyped(text);
          onChange({ enum: enumOf(text, type) });
        }}
      />
    </div>
  );
}

function withoutEmpty(schema: OwnSchema): OwnSchema {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}
