import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';

interface SearchFieldProps {
  /** What is searched, for the ear. */
  readonly label: string;
  /** What may be typed, for the eye. */
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** How long the typing has to pause before the rest is told. @defaultValue 0: at once */
  readonly pauseMs?: number;
  readonly id?: string;
}

/** Finds in a list what holds the words that are typed. */
export function SearchField(props: SearchFieldProps) {
  const { label, placeholder, value, onChange, pauseMs = 0, id } = props;
  const [typed, setTyped] = useState(value);
  const told = useRef(value);
  useEffect(() => {
    // Changed from elsewhere: the filters were cleared, or somebody went back.
    if (value !== told.current) setTyped(value);
    told.current = value;
  }, [value]);
  useEffect(() => {
    if (typed === told.current) return;
    const tell = (): void => {
      told.current = typed;
      onChange(typed);
    };
    if (pauseMs === 0) return tell();
    const timer = setTimeout(tell, pauseMs);
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
