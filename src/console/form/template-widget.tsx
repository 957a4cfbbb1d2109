import { useContext, useRef } from 'preact/hooks';
import { Badge } from '../ui/badge.tsx';
import { FieldNotes, wireField } from '../ui/field.tsx';
import { Menu } from '../ui/menu.tsx';
import type { WidgetProps } from './form-scope.ts';
import { templateParts, variablesIn } from './template-parts.ts';
import { KnownVariables } from './variables.ts';

/** A prompt or a spoken text: its `{{name}}` variables are highlighted, listed, and can be inserted from a menu. */
export function TemplateWidget(props: WidgetProps) {
  const { id, text, schema, value, onChange, help, error } = props;
  const written = typeof value === 'string' ? value : '';
  const known = useContext(KnownVariables);
  const area = useRef<HTMLTextAreaElement>(null);
  const layer = useRef<HTMLDivElement>(null);

  const insert = (name: string): void => {
    const { selectionStart = written.length, selectionEnd = written.length } = area.current ?? {};
    const token = `{{${name}}}`;
    onChange(`${written.slice(0, selectionStart)}${token}${written.slice(selectionEnd)}`);
    const caret = selectionStart + token.length;
    // Wait until the menu has closed and returned the focus to its button.
    setTimeout(() => {
      area.current?.focus();
      area.current?.setSelectionRange(caret, caret);
    }, 50);
  };

  return (
    <div class="field form-wide">
      <div class="template-head">
        <label class="field-label" for={id}>
          {text.label}
        </label>
        <Menu
          label={`Insert variable: ${text.label}`}
          text="Insert variable"
          small
          items={known.map(({ name, from }) => ({
            value: name,
            label: `{{${name}}}`,
            detail: from,
            onSelect: () => insert(name),
          }))}
        />
      </div>
      <div class="template-box" data-tall={text.tall || undefined}>
        <div ref={layer} class="template-layer" aria-hidden="true">
          {templateParts(written).map((part, index) =>
            part.variable === undefined ? part.text : <mark key={index}>{part.text}</mark>,
          )}
          {/* An empty last line adds to the height only if it contains a character. */}
          {'\u200b'}
        </div>
        <textarea
          ref={area}
          {...wireField(id, help !== undefined, error)}
          class="input"
          value={written}
          placeholder={text.placeholder}
          maxLength={schema.maxLength}
          onInput={(event) => onChange(event.currentTarget.value)}
          onScroll={(event) => {
            if (layer.current) layer.current.scrollTop = event.currentTarget.scrollTop;
          }}
        />
      </div>
      <FieldNotes control={id} help={help} error={error} />
      <UsedVariables text={written} />
    </div>
  );
}

/** The variables used in a text, with the source of their values. */
function UsedVariables({ text }: { readonly text: string }) {
  const known = useContext(KnownVariables);
  const used = variablesIn(text);
  if (used.length === 0) return null;
  return (
    <ul class="template-used" aria-label="Variables in this text">
      {used.map((name) => {
        const from = known.find((it) => it.name === name)?.from;
        return (
          <li key={name}>
            <Badge tone={from === undefined ? 'warn' : 'info'}>
              <code>{name}</code>
            </Badge>
            <span class="help">{from ?? 'Set by the call; otherwise empty'}</span>
          </li>
        );
      })}
    </ul>
  );
}
