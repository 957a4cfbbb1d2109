import type { TestSuite } from '../../client/api.generated.ts';
import { Checkbox } from '../ui/toggle.tsx';
import { CONDITION_NAMES, CONDITIONS, type LineCondition } from './condition-names.ts';

/** How tests are spoken; undefined: they have no sound. */
export type Spoken = TestSuite['spoken'];

interface SpokenChoiceProps {
  readonly id: string;
  readonly label: string;
  readonly help: string;
  readonly value: Spoken;
  readonly onChange: (value: Spoken) => void;
  readonly error?: string | undefined;
  readonly disabled?: boolean;
}

/** Whether tests are spoken, and in which conditions. */
export function SpokenChoice(props: SpokenChoiceProps) {
  const { id, label, help, value, onChange, error, disabled = false } = props;
  const chosen = value?.conditions ?? [];
  const choose = (name: LineCondition, isChosen: boolean) =>
    onChange({
      conditions: CONDITIONS.filter((each) => (each === name ? isChosen : chosen.includes(each))),
    });
  return (
    <>
      <Checkbox
        id={id}
        label={label}
        help={help}
        error={error}
        checked={value !== undefined}
        onChange={(isSpoken) => onChange(isSpoken ? { conditions: ['clean'] } : undefined)}
        disabled={disabled}
      />
      {value && (
        <fieldset id={`${id}-conditions`} class="spoken-conditions">
          <legend class="field-label">
            Conditions{chosen.length === 0 && <span class="soft"> – none is chosen: all</span>}
          </legend>
          {CONDITIONS.map((name) => (
            <Checkbox
              key={name}
              id={`${id}-${name}`}
              label={CONDITION_NAMES[name]}
              checked={chosen.includes(name)}
              onChange={(isChosen) => choose(name, isChosen)}
              disabled={disabled}
            />
          ))}
        </fieldset>
      )}
    </>
  );
}
