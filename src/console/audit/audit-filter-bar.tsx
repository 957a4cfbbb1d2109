import { loadAllPages } from '../all-pages.ts';
import { useClient } from '../session.ts';
import { SearchField } from '../ui/search-field.tsx';
import { Select } from '../ui/select.tsx';
import { TextField } from '../ui/text-field.tsx';
import { useLoad } from '../use-load.ts';
import type { AuditFilters } from './audit-filters.ts';

interface AuditFilterBarProps {
  readonly filters: AuditFilters;
  readonly onChange: (change: Partial<AuditFilters>) => void;
}

const TYPING_MS = 300;

const OUTCOMES = [
  { value: '', label: 'Done or refused' },
  { value: 'done', label: 'Done' },
  { value: 'refused', label: 'Refused' },
] as const;

/** Who, what and when. */
export function AuditFilterBar({ filters, onChange }: AuditFilterBarProps) {
  const client = useClient();
  const people = useLoad((signal) => loadAllPages(client, 'listPeople', signal), [client]);
  const keys = useLoad((signal) => client.call('listApiKeys', { signal }), [client]);
  const known = [
    ...(people.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
    ...(keys.data ?? []).map(({ id, name }) => ({ value: id, label: `${name} (API key)` })),
  ];
  const isGone = filters.who !== '' && !known.some(({ value }) => value === filters.who);
  return (
    <search class="audit-filters">
      <SearchField
        id="audit-what"
        label="What"
        placeholder="An action such as Delete call, or an id"
        value={filters.what}
        onChange={(what) => onChange({ what })}
        pauseMs={TYPING_MS}
      />
      <div class="audit-filter-fields">
        <Select
          id="audit-who"
          label="Who"
          value={filters.who}
          options={[
            { value: '', label: 'Anybody' },
            ...(isGone ? [{ value: filters.who, label: 'Somebody who has gone' }] : []),
            ...known,
          ]}
          onChange={(who) => onChange({ who })}
        />
        <Select
          id="audit-outcome"
          label="Outcome"
          value={filters.outcome}
          options={OUTCOMES}
          onChange={(outcome) => onChange({ outcome })}
        />
        <TextField
          id="audit-from"
          label="From"
          type="date"
          value={filters.from}
          onChange={(from) => onChange({ from })}
        />
        <TextField
          id="audit-to"
          label="To"
          type="date"
          value={filters.to}
          onChange={(to) => onChange({ to })}
        />
      </div>
    </search>
  );
}
