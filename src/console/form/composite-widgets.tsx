import { Select } from '../ui/select.tsx';
import { Checkbox } from '../ui/toggle.tsx';
import type { WidgetProps } from './form-scope.ts';
import { GroupField } from './group-field.tsx';
import { blankOf, type JsonSchema, variantOf } from './json-schema.ts';
import { SchemaField } from './schema-field.tsx';

/** The fields of an object, below its label. */
export function ObjectWidget({ id, path, schema, text, help, error }: WidgetProps) {
  return (
    <GroupField id={id} label={text.label} help={help} error={error}>
      <ObjectFields path={path} schema={schema} />
    </GroupField>
  );
}

interface ObjectFieldsProps {
  readonly path: string;
  readonly schema: JsonSchema;
  /** Fields that are drawn elsewhere. */
  readonly except?: readonly string[];
}

/** The fields of an object: short ones side by side, long ones over the full width. */
export function ObjectFields({ path, schema, except = [] }: ObjectFieldsProps) {
  const names = Object.keys(schema.properties ?? {})
    .filter((name) => !except.includes(name))
    // `enabled` comes first, because it switches the other fields on.
    .sort((a, b) => Number(b === 'enabled') - Number(a === 'enabled'));
  return (
    <div class="form-grid">
      {names.map((name) => (
        <SchemaField key={name} path={`${path}.${name}`} />
      ))}
    </div>
  );
}

/** A choice between several types of object, each with its own fields. */
export function VariantWidget(props: WidgetProps) {
  const { id, path, schema, text, value, onChange, help, error } = props;
  const variants = schema.oneOf ?? [];
  const current = variantOf(variants, value);
  const kindOf = (variant: JsonSchema) => String(variant.properties?.type?.const);
  if (!current) return <p class="field-fault">{text.label}: its schema has no variants.</p>;
  return (
    <div class="form-grid">
      <Select
        id={`${id}.type`}
        label={text.label}
        help={current.description ?? help}
        error={error}
        value={kindOf(current)}
        onChange={(kind) => {
          const next = variants.find((variant) => kindOf(variant) === kind);
          if (next) onChange(sharedWith(next, value));
        }}
        options={variants.map((variant) => ({
          value: kindOf(variant),
          label: text.options?.[kindOf(variant)] ?? kindOf(variant),
        }))}
      />
      <ObjectFields path={path} schema={current} except={['type']} />
    </div>
  );
}

/** A blank value of the new type that keeps the fields it shares with the old value. */
function sharedWith(variant: JsonSchema, old: unknown): unknown {
  const names = Object.keys(variant.properties ?? {}).filter((name) => name !== 'type');
  const kept = Object.entries((old ?? {}) as object).filter(([name]) => names.includes(name));
  return { ...(blankOf(variant) as object), ...Object.fromEntries(kept) };
}

/** Checkboxes for an array of enum values, in the contract's order. */
export function ChoicesWidget({ id, text, schema, value, onChange, help, error }: WidgetProps) {
  const chosen = Array.isArray(value) ? (value as readonly string[]) : [];
  const all = schema.items?.enum ?? [];
  return (
    <GroupField id={id} label={text.label} help={help} error={error}>
      <div class="form-choices">
        {all.map((option) => (
          <Checkbox
            key={option}
            label={text.options?.[option] ?? option}
            checked={chosen.includes(option)}
            onChange={(on) =>
              onChange(all.filter((it) => (it === option ? on : chosen.includes(it))))
            }
          />
        ))}
      </div>
    </GroupField>
  );
}
