import { useRef, useState } from 'preact/hooks';
import { Button } from '../ui/button.tsx';
import { useFormScope, type WidgetProps } from './form-scope.ts';
import { GroupField } from './group-field.tsx';
import { ItemTools } from './item-tools.tsx';
import { useFocusLater } from './use-focus-later.ts';
import { isSame } from './value-path.ts';

type Pair = readonly [name: string, value: string];

/** Editor for a map of names to texts. */
export function RecordWidget(props: WidgetProps) {
  return <Pairs {...props} type="text" />;
}

/** The same for secret texts, such as request headers. */
export function SecretRecordWidget(props: WidgetProps) {
  return <Pairs {...props} type="password" />;
}

/** Keeps rows apart from the value, because a name may be empty or duplicated while it is being typed. */
function Pairs(props: WidgetProps & { readonly type: 'text' | 'password' }) {
  const { id, path, schema, text, value, onChange, help, error, type } = props;
  const { faults } = useFormScope();
  const [rows, setRows] = useState<readonly Pair[]>(() => pairsOf(value));
  const container = useRef<HTMLDivElement>(null);
  const focusLater = useFocusLater(container);
  const shown = isSame(recordOf(rows), value ?? {}) ? rows : pairsOf(value);
  const names = shown.map(([name]) => name);
  const item = text.item ?? 'entry';
  const write = (next: readonly Pair[]): void => {
    setRows(next);
    onChange(recordOf(next));
  };
  const faultOf = (name: string, index: number): string | undefined =>
    name !== '' && names.indexOf(name) !== index
      ? 'This name is used already; this entry is not saved.'
      : faults[`${path}.${name}`];
  const limit = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {};
  return (
    <GroupField id={id} label={text.label} help={help} error={error}>
      <div ref={container} class="form-lines">
        {shown.map(([name, held], index) => (
          <div key={index} class="form-line form-pair" data-item={index}>
            <input
              class="input"
              aria-label={`Name of ${item} ${index + 1}`}
              autocomplete="off"
              placeholder="Name"
              maxLength={schema.propertyNames?.maxLength}
              value={name}
              onInput={({ currentTarget }) =>
                write(shown.map((it, i) => (i === index ? [currentTarget.value.trim(), held] : it)))
              }
            />
            <input
              class="input"
              type={type}
              id={`field-${path}.${name}`}
              aria-label={`Value of ${name || `${item} ${index + 1}`}`}
              aria-invalid={faultOf(name, index) ? 'true' : undefined}
              aria-describedby={`${id}-${index}-fault`}
              autocomplete={type === 'password' ? 'new-password' : 'off'}
              placeholder="Value"
              maxLength={limit.maxLength}
              value={held}
              onInput={({ currentTarget }) =>
                write(shown.map((it, i) => (i === index ? [name, currentTarget.value] : it)))
              }
            />
            <ItemTools
              name={name || `${item} ${index + 1}`}
              first
              last
              onRemove={() => {
                write(shown.filter((_, at) => at !== index));
                focusLater(`[data-item="${Math.max(0, index - 1)}"] input`);
              }}
            />
            <p id={`${id}-${index}-fault`} class="field-fault" role="alert">
              {faultOf(name, index)}
            </p>
          </div>
        ))}
      </div>
      <Button
        small
        icon="plus"
        onClick={() => {
          setRows([...shown, ['', '']]);
          focusLater(`[data-item="${shown.length}"] input`);
        }}
      >
        Add a {item}
      </Button>
    </GroupField>
  );
}

function pairsOf(value: unknown): readonly Pair[] {
  return Object.entries((value ?? {}) as object).map(([name, it]) => [name, String(it)]);
}

function recordOf(rows: readonly Pair[]): Readonly<Record<string, string>> {
  const record = new Map<string, string>();
  // The first row with a name wins.
  for (const [name, value] of rows) if (name !== '' && !record.has(name)) record.set(name, value);
  return Object.fromEntries(record);
}
