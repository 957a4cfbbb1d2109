import { useRef } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useFormScope, type WidgetProps } from '../form/form-scope.ts';
import { GroupField } from '../form/group-field.tsx';
import { ItemTools } from '../form/item-tools.tsx';
import { itemMoved, itemRemoved } from '../form/list-changes.ts';
import { useFocusLater } from '../form/use-focus-later.ts';
import {
  ASSISTANTS,
  KNOWLEDGE_BASES,
  type NamedKind,
  TOOLS,
  useFinder,
  useNamed,
} from '../named.ts';
import { Combobox } from '../ui/combobox.tsx';
import { faultText } from '../ui/fault-text.ts';

export function AssistantsWidget(props: WidgetProps) {
  return <PickedWidget {...props} kind={ASSISTANTS} noun="assistant" at="/assistants" />;
}

export function ToolsWidget(props: WidgetProps) {
  return <PickedWidget {...props} kind={TOOLS} noun="tool" at="/tools" />;
}

export function KnowledgeBasesWidget(props: WidgetProps) {
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
      kind={KNOWLEDGE_BASES}
      noun="knowledge base"
      at="/knowledge-bases"
    />
  );
}

interface PickedProps extends WidgetProps {
  readonly kind: NamedKind;
  readonly noun: string;
  /** Path of the page that lists them. */
  readonly at: string;
}

/** A list of the team's tools, knowledge bases or assistants, picked by name. */
function PickedWidget(props: PickedProps) {
  const { id, path, text, value, onChange, help, error, kind, noun, at } = props;
  const { faults } = useFormScope();
  const ids = Array.isArray(value) ? (value as readonly string[]) : [];
  const named = useNamed(kind, ids);
  const find = useFinder(kind);
  const container = useRef<HTMLUListElement>(null);
  const focusLater = useFocusLater(container);
  return (
    <GroupField id={id} label={text.label} help={help} error={error}>
      {ids.length > 0 && (
        <ul ref={container} class="picked">
          {ids.map((one, index) => {
            const it = named.of(one);
            const fault =
              faults[`${path}.${index}`] ??
              (named.isGone(one) ? 'It was deleted: remove it here.' : undefined);
            return (
              <li key={one} data-item={index}>
                <span class="picked-name">
                  <Link href={`${at}/${one}`}>{it?.label ?? one}</Link>
                  {it?.detail && <span class="help">{it.detail}</span>}
                </span>
                <ItemTools
                  name={it?.label ?? one}
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
      {named.error !== undefined && (
        <p class="field-fault" role="alert">
          Their names could not be loaded. {faultText(named.error)}
        </p>
      )}
      <Combobox
        // A new key resets the field after each choice.
        key={ids.length}
        id={`${id}.add`}
        label={`Add ${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`}
        placeholder="Find by name"
        options={[]}
        find={async (typed, signal) =>
          (await find(typed, signal)).filter(({ value: one }) => !ids.includes(one))
        }
        none={
          <>
            No {ids.length > 0 && 'other '}
            {noun} is found. <Link href={at}>Create one</Link>, then come back.
          </>
        }
        value=""
        onChange={(one) => one !== '' && onChange([...ids, one])}
      />
    </GroupField>
  );
}
