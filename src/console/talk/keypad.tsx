interface KeypadProps {
  readonly disabled: boolean;
  readonly onPress: (digit: string) => void;
  /** The assistant is configured to ignore keys. @defaultValue false */
  readonly unheard?: boolean;
}

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'] as const;
const SPOKEN: Readonly<Record<string, string>> = { '*': 'star', '#': 'hash' };

/** A telephone keypad; while it has the focus, digits on the keyboard press its keys too. */
export function Keypad({ disabled, onPress, unheard = false }: KeypadProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: keys are not fields of a form
    <div
      class="keypad"
      role="group"
      aria-label="Keypad"
      onKeyDown={({ key, repeat }) => {
        if (!disabled && !repeat && (KEYS as readonly string[]).includes(key)) onPress(key);
      }}
    >
      {unheard && (
        <p class="keypad-note" role="note">
          This assistant ignores keys: “Accept keypad input” is off in its settings.
        </p>
      )}
      {KEYS.map((key) => (
        <button
          key={key}
          type="button"
          class="keypad-key"
          disabled={disabled}
          aria-label={SPOKEN[key] ?? key}
          onClick={() => onPress(key)}
        >
          {key}
        </button>
      ))}
    </div>
  );
}
