import { useRef } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useFormScope, type WidgetProps } from '../form/form-scope.ts';
import { GroupField } from '../form/group-field.tsx';
import { ItemTools } from '../form/item-tools.tsx';
import { itemMoved, itemRemoved } from '../form/list-changes.ts';
import { useFocusLater } from '../form/use-focus-later.ts';
import { Combobox } from '../ui/combobox.tsx';
import { type Reference, useReferences } from './references.ts';

export function ToolsWidget(props: WidgetProps) {
  const { tools } = useReferences();
  return <PickedWidget {...props} known={tools} noun="tool" at="/tools" />;
}

export function KnowledgeBasesWidget(props: WidgetProps) {
  const { knowledgeBases } = useReferences();
  const { set } = useFormScope();
  return (
    <PickedWidget
      {...props}
      onChange={(next) => {
        // The contract takes them only with the tool that searches them.
        if (Array.isArray(next) && next.length > 0)
          set('assistantPredefinedTools.knowledgeBase', true);
        props.onChange(next);
      }}
      known={knowledgeBases}
      noun="knowledge base"
      at="/knowledge-bases"
    />
  );
}

interface PickedProps extends WidgetProps {
  readonly known: readonly Reference[];
  readonly noun: string;
  /** Path of the page that lists them. */
  readonly at: string;
}

/** A list of the team's tools, knowledge bases or assistants, picked by name. */
export function PickedWidget(props: PickedProps) {
  const { id, path, text, value, onChange, help, error, known, noun, at } = props;
  const { faults } = useFormScope();
  const ids = Array.isArray(value) ? (value as readonly string[]) : [];
  const left = known.filter((it) => !ids.includes(it.id));
  const container = useRef<HTMLUListElement>(null);
  const focusLater = useFocusLater(container);
  return (
    <GroupField id={id} label={text.label} help={help} error={error}>
      {ids.length > 0 && (
        <ul ref={container} class="picked">
          {ids.map((one, index) => {
            const it = known.find((reference) => reference.id === one);
            const fault =
              faults[`${path}.${index}`] ?? (it ? undefined : `It was deleted: remove it here.`);
            return (
              <li key={one} data-item={index}>
                <span class="picked-name">
                  <Link href={`${at}/${one}`}>{it?.name ?? one}</Link>
                  {it?.detail && <span class="help">{it.detail}</span>}
                </span>
                <ItemTools
                  name={it?.name ?? one}
                  first={index === 0}
                  last={index === ids.length - 1}
                  onMove={(by) => {
                    onChange(itemMoved(ids, index, by));
                    focusLater(`[data-item="${index + by}"] [data-move="${by}"]`);
                  }}
                  onRemove={() => onChange(itemRemoved(ids, index))}
                />
                <p id={`field-${path}.${index}`} tabIndex={-1} class="field-fault" role="alert">
                  {fault}
                </p>
              </li>
            );
          })}
        </ul>
      )}
      {known.length === 0 ? (
        <p class="help">
          There is none yet. <Link href={at}>Create a {noun}</Link>, then come back.
        </p>
      ) : (
        left.length > 0 && (
          <Combobox
            // A new key resets the field after each choice.
            key={ids.length}
            id={`${id}.add`}
            label={`Add ${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`}
            placeholder="Find by name"
            options={left.map(({ id: one, name, detail }) => ({
              value: one,
              label: name,
              detail,
            }))}
            value=""
            onChange={(one) => one !== '' && onChange([...ids, one])}
          />
        )
      )}
    </GroupField>
  );
}
