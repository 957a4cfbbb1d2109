import { useState } from 'preact/hooks';
import { AssistantField } from '../assistants/assistant-field.tsx';
import { Button } from '../ui/button.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { Select } from '../ui/select.tsx';
import { TextField } from '../ui/text-field.tsx';
import { type CallFilters, countFilters } from './call-filters.ts';
import { END_REASONS, endReason } from './end-reasons.ts';

interface FilterBarProps {
  readonly filters: CallFilters;
  readonly onChange: (change: Partial<CallFilters>) => void;
}

const TYPING_MS = 300;

const STATE_OPTIONS = [
  { value: '', label: 'Any state' },
  { value: 'live', label: 'Live now' },
  { value: 'ended', label: 'Ended' },
  { value: 'queued', label: 'Not answered yet' },
  { value: 'ongoing', label: 'Ongoing' },
  { value: 'forwarded', label: 'Forwarded' },
] as const;

const CHANNEL_OPTIONS = [
  { value: '', label: 'Any channel' },
  { value: 'web', label: 'Web' },
  { value: 'phone', label: 'Phone, both ways' },
  { value: 'phone-inbound', label: 'Phone, inbound' },
  { value: 'phone-outbound', label: 'Phone, outbound' },
] as const;

const PERIOD_OPTIONS = [
  { value: '', label: 'Any time' },
  { value: '1h', label: 'Last hour' },
  { value: '24h', label: 'Last 24 hours' },
  { value: 'today', label: 'Today' },
  { value: 'yesterday', label: 'Yesterday' },
  { value: '7d', label: 'Last 7 days' },
  { value: '30d', label: 'Last 30 days' },
  { value: 'days', label: 'Between days …' },
] as const;

const END_OPTIONS = [
  { value: '', label: 'Any end' },
  ...END_REASONS.map((code) => ({ value: code, label: endReason(code).text })),
];

const REVIEWED_OPTIONS = [
  { value: '', label: 'Any' },
  { value: 'no', label: 'Not reviewed' },
  { value: 'yes', label: 'Reviewed' },
] as const;

const ORDER_OPTIONS = [
  { value: '', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
  { value: 'longest', label: 'Longest first' },
  { value: 'shortest', label: 'Shortest first' },
  { value: 'dearest', label: 'Highest cost first' },
  { value: 'cheapest', label: 'Lowest cost first' },
  { value: 'ended', label: 'Last ended first' },
] as const;

/** Search field and filters of the call list. */
export function FilterBar({ filters, onChange }: FilterBarProps) {
  const [open, setOpen] = useState(false);
  const count = countFilters(filters);
  return (
    <search class="calls-filters" data-open={open || undefined}>
      <SearchField
        id="calls-search"
        label="Search calls"
        placeholder="Number, name, spoken words or call id"
        value={filters.search}
        onChange={(search) => onChange({ search })}
        pauseMs={TYPING_MS}
      />
      <div class="calls-filters-toggle">
        <Button aria-expanded={open} aria-controls="call-filters" onClick={() => setOpen(!open)}>
          Filters{count > 0 && ` (${count})`}
        </Button>
      </div>
      <div id="call-filters" class="calls-filters-fields">
        <Select
          id="filter-state"
          label="State"
          value={filters.state}
          options={STATE_OPTIONS}
          onChange={(state) => onChange({ state })}
        />
        <AssistantField
          id="filter-assistant"
          label="Assistant"
          none="Any assistant"
          value={filters.assistant}
          onChange={(assistant) => onChange({ assistant })}
        />
        <Select
          id="filter-channel"
          label="Channel"
          value={filters.channel}
          options={CHANNEL_OPTIONS}
          onChange={(channel) => onChange({ channel })}
        />
        <Select
          id="filter-end"
          label="Ended because"
          value={filters.end}
          options={END_OPTIONS}
          onChange={(end) => onChange({ end })}
        />
        <Period filters={filters} onChange={onChange} />
        <Select
          id="filter-reviewed"
          label="Reviewed"
          value={filters.reviewed}
          options={REVIEWED_OPTIONS}
          onChange={(reviewed) => onChange({ reviewed })}
        />
        <Select
          id="filter-sort"
          label="Order"
          value={filters.sort}
          options={ORDER_OPTIONS}
          onChange={(sort) => onChange({ sort })}
        />
      </div>
    </search>
  );
}

function Period({ filters, onChange }: Pick<FilterBarProps, 'filters' | 'onChange'>) {
  const { period, from, to } = filters;
  return (
    <>
      <Select
        id="filter-period"
        label="Began"
        value={period}
        options={PERIOD_OPTIONS}
        onChange={(next) => onChange({ period: next })}
      />
      {period === 'days' && (
        <>
          <TextField
            id="filter-from"
            label="From day"
            type="date"
            value={from}
            onChange={(day) => onChange({ from: day, period: 'days' })}
          />
          <TextField
            id="filter-to"
            label="To day"
            type="date"
            value={to}
            onChange={(day) => onChange({ to: day, period: 'days' })}
          />
        </>
      )}
    </>
  );
}
