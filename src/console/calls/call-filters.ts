import type { Operations } from '../../client/api.generated.ts';

type CallQuery = NonNullable<Operations['listCalls']['query']>;
/** Which calls and in which order, for the operations that walk through a list. */
type CallListQuery = Omit<CallQuery, 'page' | 'size'>;

export const STATES = ['live', 'ended', 'queued', 'ongoing', 'forwarded'] as const;
export const CHANNELS = ['web', 'phone', 'phone-inbound', 'phone-outbound'] as const;
export const PERIODS = ['1h', '24h', 'today', 'yesterday', '7d', '30d', 'days'] as const;
export const FLAGS = [
  'failed',
  'short',
  'transferred',
  'unhappy',
  'tool-failed',
  'long-silence',
] as const;
export const REVIEWED = ['yes', 'no'] as const;

/** Orders of the list; without one, the newest call is first. */
export const ORDERS = {
  oldest: { sort: 'startAt', order: 'asc' },
  longest: { sort: 'duration', order: 'desc' },
  shortest: { sort: 'duration', order: 'asc' },
  dearest: { sort: 'cost', order: 'desc' },
  cheapest: { sort: 'cost', order: 'asc' },
  ended: { sort: 'endAt', order: 'desc' },
} as const;

export type CallOrder = keyof typeof ORDERS | '';
export type CallFlag = (typeof FLAGS)[number];

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
  /** Calls with all of these. */
  readonly flags: readonly CallFlag[];
  readonly reviewed: (typeof REVIEWED)[number] | '';
  readonly tag: string;
  readonly sort: CallOrder;
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
    flags: FLAGS.filter((flag) => text('flags').split(',').includes(flag)),
    reviewed: oneOf(REVIEWED, text('reviewed')),
    tag: text('tag'),
    sort: oneOf(Object.keys(ORDERS) as (keyof typeof ORDERS)[], text('sort')),
    page,
  };
}

/** Changes to the query for new filters; any change of filter goes back to the first page. */
export function filterChange(
  change: Partial<CallFilters>,
): Readonly<Record<string, string | undefined>> {
  const { page, flags, ...rest } = change;
  return {
    ...rest,
    ...(flags ? { flags: flags.join(',') } : {}),
    ...('period' in rest && rest.period !== 'days' ? { from: undefined, to: undefined } : {}),
    ...(rest.from || rest.to ? { period: undefined } : {}),
    page: page === undefined || page === 1 ? undefined : String(page),
  };
}

/** The filters as a query for one page. */
export function queryOf(filters: CallFilters, nowMs: number): CallQuery {
  return { page: filters.page, size: PAGE_SIZE, ...listQueryOf(filters, nowMs) };
}

/** The filters and the order, without the page. */
export function listQueryOf(filters: CallFilters, nowMs: number): CallListQuery {
  return { ...matchOf(filters, nowMs), ...(filters.sort === '' ? {} : ORDERS[filters.sort]) };
}

/** Which calls the filters mean. */
export function matchOf(
  filters: CallFilters,
  nowMs: number,
): Omit<CallListQuery, 'sort' | 'order'> {
  const { search, state, assistant, channel, end, flags, reviewed, tag } = filters;
  const wanted = search.trim();
  return {
    ...(wanted === '' ? {} : { search: wanted }),
    ...stateQuery(state),
    ...(assistant === '' ? {} : { assistantId: assistant }),
    ...channelQuery(channel),
    ...(end === '' ? {} : { endReason: end }),
    ...(flags.length === 0 ? {} : { flags: [...flags] }),
    ...(reviewed === '' ? {} : { reviewed: reviewed === 'yes' ? 'true' : 'false' }),
    ...(tag === '' ? {} : { tag }),
    ...periodQuery(filters, nowMs),
  };
}

/** Number of filters set, not counting the search. */
export function countFilters(filters: CallFilters): number {
  const { state, assistant, channel, period, end, flags, reviewed, tag } = filters;
  const chosen = [state, assistant, channel, period, end, reviewed, tag];
  return chosen.filter((value) => value !== '').length + flags.length;
}

/** The filters of an address without the page, for links to the calls of the list. */
export function filterSearch(address: URLSearchParams): string {
  const kept = new URLSearchParams(address);
  for (const name of ['page', 'tab']) kept.delete(name);
  const search = kept.toString();
  return search === '' ? '' : `?${search}`;
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
  if (period === 'today' || period === 'yesterday') return dayQuery(nowMs, period);
  if (period !== 'days') return { startDate: new Date(nowMs - PERIOD_MS[period]).toISOString() };
  return {
    ...(from === '' ? {} : { startDate: new Date(`${from}T00:00:00.000`).toISOString() }),
    ...(to === '' ? {} : { endDate: new Date(`${to}T23:59:59.999`).toISOString() }),
  };
}

/** A day of the reader's own time zone; days of a change of clocks are shorter or longer. */
function dayQuery(nowMs: number, day: 'today' | 'yesterday'): CallQuery {
  const start = new Date(nowMs);
  start.setHours(0, 0, 0, 0);
  if (day === 'today') return { startDate: start.toISOString() };
  const endDate = new Date(start.getTime() - 1).toISOString();
  start.setDate(start.getDate() - 1);
  return { startDate: start.toISOString(), endDate };
}

function oneOf<V extends string>(values: readonly V[], value: string): V | '' {
  return values.find((each) => each === value) ?? '';
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}
