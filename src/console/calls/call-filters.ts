import type { Operations } from '../../client/api.generated.ts';

type CallQuery = NonNullable<Operations['listCalls']['query']>;

export const STATES = ['live', 'ended', 'queued', 'ongoing', 'forwarded'] as const;
export const CHANNELS = ['web', 'phone', 'phone-inbound', 'phone-outbound'] as const;
export const PERIODS = ['1h', '24h', '7d', '30d', 'days'] as const;

/** Filters of the call list; an empty one matches every call. */
export interface CallFilters {
  readonly search: string;
  readonly state: (typeof STATES)[number] | '';
  readonly assistant: string;
  readonly channel: (typeof CHANNELS)[number] | '';
  readonly period: (typeof PERIODS)[number] | '';
  /** Dates in the reader's time zone, such as 2026-03-01; used only if the period is `days`. */
  readonly from: string;
  readonly to: string;
  readonly end: string;
  /** Starts at 1. */
  readonly page: number;
}

export const PAGE_SIZE = 25;
const HOUR_MS = 3_600_000;
const PERIOD_MS = { '1h': HOUR_MS, '24h': 24 * HOUR_MS, '7d': 168 * HOUR_MS, '30d': 720 * HOUR_MS };

/** Reads the filters from the query; invalid values are ignored. */
export function readFilters(address: URLSearchParams): CallFilters {
  const text = (name: string): string => (address.get(name) ?? '').slice(0, 200);
  const day = (name: string): string => (isDay(text(name)) ? text(name) : '');
  const from = day('from');
  const to = day('to');
  const page = /^[1-9]\d{0,5}$/.test(text('page')) ? Number(text('page')) : 1;
  return {
    search: text('search'),
    state: oneOf(STATES, text('state')),
    assistant: text('assistant'),
    channel: oneOf(CHANNELS, text('channel')),
    period: from || to ? 'days' : oneOf(PERIODS, text('period')),
    from,
    to,
    end: text('end'),
    page,
  };
}

/** Changes to the query for new filters; any change of filter goes back to the first page. */
export function filterChange(
  change: Partial<CallFilters>,
): Readonly<Record<string, string | undefined>> {
  const { page, ...rest } = change;
  return {
    ...rest,
    ...('period' in rest && rest.period !== 'days' ? { from: undefined, to: undefined } : {}),
    ...(rest.from || rest.to ? { period: undefined } : {}),
    page: page === undefined || page === 1 ? undefined : String(page),
  };
}

/** The filters as a query to the API. */
export function queryOf(filters: CallFilters, nowMs: number): CallQuery {
  const { search, state, assistant, channel, end, page } = filters;
  const wanted = search.trim();
  return {
    page,
    size: PAGE_SIZE,
    ...(wanted === '' ? {} : { search: wanted }),
    ...stateQuery(state),
    ...(assistant === '' ? {} : { assistantId: assistant }),
    ...channelQuery(channel),
    ...(end === '' ? {} : { endReason: end }),
    ...periodQuery(filters, nowMs),
  };
}

/** Number of filters set, not counting the search. */
export function countFilters({ state, assistant, channel, period, end }: CallFilters): number {
  return [state, assistant, channel, period, end].filter((value) => value !== '').length;
}

function stateQuery(state: CallFilters['state']): CallQuery {
  if (state === '') return {};
  if (state === 'live' || state === 'ended') return { live: state === 'live' ? 'true' : 'false' };
  return { status: state };
}

function channelQuery(channel: CallFilters['channel']): CallQuery {
  if (channel === '') return {};
  const [callType, direction] = channel.split('-') as [
    'web' | 'phone',
    'inbound' | 'outbound' | undefined,
  ];
  return { callType, ...(direction === undefined ? {} : { direction }) };
}

function periodQuery({ period, from, to }: CallFilters, nowMs: number): CallQuery {
  if (period === '') return {};
  if (period !== 'days') return { startDate: new Date(nowMs - PERIOD_MS[period]).toISOString() };
  return {
    ...(from === '' ? {} : { startDate: new Date(`${from}T00:00:00.000`).toISOString() }),
    ...(to === '' ? {} : { endDate: new Date(`${to}T23:59:59.999`).toISOString() }),
  };
}

function oneOf<V extends string>(values: readonly V[], value: string): V | '' {
  return values.find((each) => each === value) ?? '';
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}
