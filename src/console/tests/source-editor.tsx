import { useEffect, useRef } from 'preact/hooks';
import type { TestCheck } from '../../client/api.generated.ts';
import { Button } from '../ui/button.tsx';
import { wireField } from '../ui/field.tsx';

export type TestFault = TestCheck['faults'][number];

interface SourceEditorProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly faults: readonly TestFault[];
  readonly disabled: boolean;
}

const ID = 'tests-source';

/** The text of tests with numbered lines; a fault leads to its line. */
export function SourceEditor({ value, onChange, faults, disabled }: SourceEditorProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const numbers = useRef<HTMLOListElement>(null);
  const scroll = (): void => {
    if (area.current && numbers.current) numbers.current.scrollTop = area.current.scrollTop;
  };
  useEffect(scroll);
  const faulty = new Set(faults.map(({ line }) => line));
  return (
    <div class="field">
      <label class="field-label" for={ID}>
        Tests, as YAML or JSON
      </label>
      <div class="source-editor">
        <ol ref={numbers} class="source-lines" aria-hidden="true">
          {value.split('\n').map((_, index) => (
            <li key={index} data-faulty={faulty.has(index + 1) || undefined} />
          ))}
        </ol>
        <textarea
          {...wireField(ID, true, faults.length > 0 ? 'faults' : undefined)}
          ref={area}
          class="input code"
          wrap="off"
          rows={16}
          spellcheck={false}
          value={value}
          readOnly={disabled}
          onInput={(event) => onChange(event.currentTarget.value)}
          onScroll={scroll}
        />
      </div>
      <div id={`${ID}-fault`} role="alert">
        {faults.length > 0 && (
          <ul class="source-faults">
            {faults.map(({ line, column, field, message }) => (
              <li key={`${line}:${column} ${field} ${message}`}>
                <Button small kind="quiet" onClick={() => select(area.current, line)}>
                  Line {line}
                </Button>{' '}
                <span class="field-fault">
                  {field !== '' && <code>{field}</code>} {message}
                </span>
              </li>
            ))}
          </ul>
        )}
      </div>
      <p id={`${ID}-help`} class="field-help">
        Each test has a <code>name</code>, <code>turns</code> of the caller and what to{' '}
        <code>expect</code>: <code>contains</code>, <code>never</code>, <code>matches</code>,{' '}
        <code>tool</code>, <code>noTool</code>, <code>answerWithinMs</code>, <code>outcome</code>,{' '}
        <code>judge</code>.
      </p>
    </div>
  );
}

/** Selects a line, and scrolls to it. */
function select(area: HTMLTextAreaElement | null, line: number): void {
  if (!area) return;
  const before = area.value.split('\n').slice(0, line - 1);
  const start = before.reduce((sum, text) => sum + text.length + 1, 0);
  const end = area.value.indexOf('\n', start);
  area.focus();
  area.setSelectionRange(start, end === -1 ? area.value.length : end);
  const lineHeight = area.scrollHeight / area.value.split('\n').length;
  area.scrollTop = Math.max(0, (line - 3) * lineHeight);
}
