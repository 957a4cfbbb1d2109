import { type NamedKind, useFinder, useNamed } from '../named.ts';
import { Combobox } from '../ui/combobox.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { Select } from '../ui/select.tsx';
import { TextField } from '../ui/text-field.tsx';
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

const MOST_PEOPLE = 10;

/** People and API keys. Neither list is asked for by ids, but a search finds an id as well. */
const ACTORS: NamedKind = async (client, wanted, signal) => {
  const search = 'ids' in wanted ? wanted.ids : wanted.search;
  const query = { limit: MOST_PEOPLE, ...(search === undefined ? {} : { search }) };
  const [people, keys] = await Promise.all([
    client.call('listPeople', { query, signal }),
    client.call('listApiKeys', { query, signal }),
  ]);
  return [
    ...people.map(({ id, name }) => ({ value: id, label: name })),
    ...keys.map(({ id, name }) => ({ value: id, label: `${name} (API key)` })),
  ];
};

/** Who, what and when. */
export function AuditFilterBar({ filters, onChange }: AuditFilterBarProps) {
  const named = useNamed(ACTORS, [filters.who]);
  const find = useFinder(ACTORS);
  const chosen = named.isGone(filters.who)
    ? { value: filters.who, label: 'Removed user' }
    : named.of(filters.who);
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
        <Combobox
          id="audit-who"
          label="Person or key"
          placeholder="Anyone"
          value={filters.who}
          options={[{ value: '', label: 'Anyone' }, ...(chosen ? [chosen] : [])]}
          find={find}
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
