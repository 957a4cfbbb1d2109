import { Button } from '../ui/button.tsx';
import type { CallFilters, CallFlag } from './call-filters.ts';

interface FilterChipsProps {
  readonly filters: CallFilters;
  readonly onChange: (change: Partial<CallFilters>) => void;
}

const CHIPS: readonly { readonly flag: CallFlag; readonly label: string }[] = [
  { flag: 'failed', label: 'Failed' },
  { flag: 'short', label: 'Short' },
  { flag: 'transferred', label: 'Transferred' },
  { flag: 'unhappy', label: 'Unhappy outcome' },
  { flag: 'tool-failed', label: 'Tool failed' },
  { flag: 'long-silence', label: 'Long silence' },
];

/** The calls that a day's work begins with, one press each. Several together narrow the list. */
export function FilterChips({ filters, onChange }: FilterChipsProps) {
  const { flags, period, reviewed, tag } = filters;
  const isYesterday = period === 'yesterday';
  const flip = (flag: CallFlag) =>
    flags.includes(flag) ? flags.filter((each) => each !== flag) : [...flags, flag];
  return (
    <fieldset class="calls-chips">
      <legend class="visually-hidden">Show only</legend>
      <Chip
        label="Yesterday"
        pressed={isYesterday}
        onPress={() => onChange({ period: isYesterday ? '' : 'yesterday' })}
      />
      {CHIPS.map(({ flag, label }) => (
        <Chip
          key={flag}
          label={label}
          pressed={flags.includes(flag)}
          onPress={() => onChange({ flags: flip(flag) })}
        />
      ))}
      <Chip
        label="Not reviewed"
        pressed={reviewed === 'no'}
        onPress={() => onChange({ reviewed: reviewed === 'no' ? '' : 'no' })}
      />
      {tag !== '' && (
        <Chip label={`Tag: ${tag}`} pressed={true} onPress={() => onChange({ tag: '' })} />
      )}
    </fieldset>
  );
}

interface ChipProps {
  readonly label: string;
  readonly pressed: boolean;
  readonly onPress: () => void;
}

function Chip({ label, pressed, onPress }: ChipProps) {
  return (
    <Button small aria-pressed={pressed} onClick={onPress}>
      {label}
    </Button>
  );
}
