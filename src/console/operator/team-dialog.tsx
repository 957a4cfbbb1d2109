import { useState } from 'preact/hooks';
import type { NewTeam, Team, TeamLimits } from '../../client/api.generated.ts';
import type { FieldFaults } from '../field-faults.ts';
import { useClient } from '../session.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { NumberField } from '../ui/number-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import { LIMITS } from './team-limits.ts';

interface TeamDialogProps {
  /** The team to change; absent: a new one is created. */
  readonly of?: Team;
  readonly onMade?: (team: NewTeam) => void;
  readonly onChanged?: () => void;
  readonly onClose: () => void;
}

const RETENTION = [
  { name: 'sound', label: 'Recordings are kept for at most' },
  { name: 'text', label: 'Calls are kept for at most' },
] as const;

/** Creates a team, or changes its name, its limits and for how long it may keep calls. */
export function TeamDialog({ of, onMade, onChanged, onClose }: TeamDialogProps) {
  const client = useClient();
  const [name, setName] = useState(of?.name ?? '');
  const [limits, setLimits] = useState<TeamLimits>(of?.limits ?? {});
  const [retentionDays, setRetentionDays] = useState<Team['retentionDays']>(
    of?.retentionDays ?? {},
  );
  const save = async (): Promise<void> => {
    if (!of) {
      const body = {
        name: name.trim(),
        limits: given(limits),
        retentionDays: given(retentionDays),
      };
      onMade?.(await client.call('createTeam', { body }));
      return;
    }
    await client.call('updateTeam', {
      path: { id: of.id },
      body: {
        name: name.trim(),
        limits: changesOf(of.limits, limits),
        retentionDays: changesOf(of.retentionDays, retentionDays),
      },
    });
    onChanged?.();
  };
  return (
    <FormDialog
      title={of ? `Change “${of.name}”` : 'Create team'}
      action={of ? 'Save' : 'Create team'}
      check={(): FieldFaults => (name.trim() === '' ? { name: 'Enter a name.' } : {})}
      onSubmit={save}
      onClose={onClose}
    >
      {(faults) => (
        <>
          <TextField
            id="team-name"
            label="Name"
            value={name}
            onChange={setName}
            error={faults.name}
            maxLength={200}
            autoFocus
          />
          {LIMITS.map(({ name: limit, label, unit }) => (
            <NumberField
              key={limit}
              id={`team-${limit}`}
              label={label}
              optional
              min={0}
              step={1}
              {...(unit === undefined ? {} : { unit })}
              value={limits[limit]}
              error={faults[`limits.${limit}`]}
              onChange={(value) => setLimits((old) => ({ ...old, [limit]: value }))}
            />
          ))}
          {RETENTION.map(({ name: kind, label }) => (
            <NumberField
              key={kind}
              id={`team-${kind}`}
              label={label}
              optional
              min={1}
              step={1}
              unit="days"
              value={retentionDays[kind]}
              error={faults[`retentionDays.${kind}`]}
              onChange={(value) => setRetentionDays((old) => ({ ...old, [kind]: value }))}
            />
          ))}
        </>
      )}
    </FormDialog>
  );
}

type Numbers = Readonly<Record<string, number | undefined>>;

const given = <Of extends object>(values: Of): Of =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Of;

/** A merge patch: null takes a limit away. */
function changesOf(before: object, after: object): Record<string, number | null> {
  const [old, now] = [before as Numbers, after as Numbers];
  const names = new Set([...Object.keys(old), ...Object.keys(now)]);
  return Object.fromEntries(
    [...names].filter((name) => old[name] !== now[name]).map((name) => [name, now[name] ?? null]),
  );
}
