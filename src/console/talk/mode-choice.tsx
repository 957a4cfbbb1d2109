const MODES = { voice: 'Voice', text: 'Text', phone: 'Telephone' } as const;

export type Mode = keyof typeof MODES;

export function modeNamed(name: string | null): Mode {
  return name !== null && name in MODES ? (name as Mode) : 'voice';
}

interface ModeChoiceProps {
  readonly value: Mode;
  readonly disabled: boolean;
  readonly onChange: (mode: Mode) => void;
}

/** Choice between voice and text; disabled during a call. */
export function ModeChoice({ value, disabled, onChange }: ModeChoiceProps) {
  return (
    <fieldset class="choice" disabled={disabled}>
      <legend class="visually-hidden">How to talk</legend>
      {Object.entries(MODES).map(([mode, name]) => (
        <label key={mode}>
          <input
            type="radio"
            name="mode"
            class="visually-hidden"
            checked={mode === value}
            onChange={() => onChange(mode as Mode)}
          />
          {name}
        </label>
      ))}
    </fieldset>
  );
}
