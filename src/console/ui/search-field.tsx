import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';

interface SearchFieldProps {
  /** Label for screen readers. */
  readonly label: string;
  /** Placeholder: what can be searched for. */
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Pause in typing after which `onChange` is called. @defaultValue 0: at once */
  readonly pauseMs?: number;
  readonly id?: string;
}

/** Input for searching a list. */
export function SearchField(props: SearchFieldProps) {
  const { label, placeholder, value, onChange, pauseMs = 0, id } = props;
  const [typed, setTyped] = useState(value);
  const reported = useRef(value);
  useEffect(() => {
    // The value was changed from outside, such as by clearing the filters or the back button.
    if (value !== reported.current) setTyped(value);
    reported.current = value;
  }, [value]);
  useEffect(() => {
    if (typed === reported.current) return;
    const report = (): void => {
      reported.current = typed;
      onChange(typed);
    };
    if (pauseMs === 0) return report();
    const timer = setTimeout(report, pauseMs);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <div class="search-field">
      <Icon name="search" />
      <input
        id={id}
        class="input"
        type="search"
        aria-label={label}
        placeholder={placeholder}
        maxLength={200}
        autocomplete="off"
        spellcheck={false}
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
    </div>
  );
}
