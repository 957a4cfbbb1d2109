import { describe, expect, test } from 'vitest';
import {
  type CallFilters,
  CHANNELS,
  countFilters,
  FLAGS,
  filterChange,
  filterSearch,
  ORDERS,
  PERIODS,
  queryOf,
  REVIEWED,
  readFilters,
  STATES,
} from '../../src/console/calls/call-filters.ts';
import fc from '../support/properties.ts';

const NOW = Date.parse('2026-03-10T12:00:00.000Z');
const none = readFilters(new URLSearchParams());

/** The address after changes, as the page writes it. */
function addressOf(...changes: readonly Partial<CallFilters>[]): URLSearchParams {
  const address = new URLSearchParams();
  for (const change of changes) {
    for (const [name, value] of Object.entries(filterChange(change))) {
      if (value === undefined || value === '') address.delete(name);
      else address.set(name, value);
    }
  }
  return address;
}

describe('filters of calls in the address', () => {
  test('an address without filters asks for the first page of all calls', () => {
    expect(countFilters(none)).toBe(0);
    expect(queryOf(none, NOW)).toEqual({ page: 1, size: 25 });
  });

  test('every choice is read back from the address', () => {
    const chosen = fc.record({
      search: fc.string({ maxLength: 60 }),
      state: fc.constantFrom('', ...STATES),
      assistant: fc.uuid(),
      channel: fc.constantFrom('', ...CHANNELS),
      period: fc.constantFrom('', ...PERIODS.filter((period) => period !== 'days')),
      end: fc.constantFrom('', 'busy', 'user-hung-up'),
      flags: fc.subarray([...FLAGS]),
      reviewed: fc.constantFrom('', ...REVIEWED),
      tag: fc.stringMatching(/^[a-z]{0,20}$/),
      sort: fc.constantFrom('', ...(Object.keys(ORDERS) as (keyof typeof ORDERS)[])),
    });
    fc.assert(
      fc.property(chosen, (change) => {
        const copied = new URLSearchParams(addressOf(change).toString());
        expect(readFilters(copied)).toEqual({ ...none, ...change });
      }),
    );
  });

  test('any address gives a query that the service accepts', () => {
    const names = [
      'search',
      'state',
      'assistant',
      'channel',
      'period',
      'from',
      'to',
      'end',
      'flags',
      'reviewed',
      'tag',
      'sort',
      'page',
    ];
    const address = fc.array(fc.tuple(fc.constantFrom(...names), fc.string()));
    fc.assert(
      fc.property(address, (pairs) => {
        const { page, size, live } = queryOf(readFilters(new URLSearchParams(pairs)), NOW);
        expect(page).toBeGreaterThanOrEqual(1);
        expect(size).toBe(25);
        expect(['true', 'false', undefined]).toContain(live);
      }),
    );
  });

  test('a changed filter goes back to the first page', () => {
    expect(readFilters(addressOf({ page: 7 })).page).toBe(7);
    expect(readFilters(addressOf({ page: 7 }, { state: 'live' })).page).toBe(1);
  });

  test('days are whole days of the reader’s own time zone, and give way to another period', () => {
    const days = addressOf({ period: 'days' }, { from: '2026-03-01' }, { to: '2026-03-02' });
    expect(readFilters(days)).toMatchObject({ period: 'days', from: '2026-03-01' });
    const { startDate = '', endDate = '' } = queryOf(readFilters(days), NOW);
    expect(new Date(startDate).getHours()).toBe(0);
    expect(Date.parse(endDate) - Date.parse(startDate)).toBe(2 * 86_400_000 - 1);
    const week = addressOf({ period: 'days' }, { from: '2026-03-01' }, { period: '7d' });
    expect(readFilters(week)).toMatchObject({ period: '7d', from: '', to: '' });
    expect(queryOf(readFilters(week), NOW).startDate).toBe('2026-03-03T12:00:00.000Z');
  });

  test('yesterday is the whole day before today, of the reader’s own time zone', () => {
    const asked = { ...none, period: 'yesterday' } as const;
    const { startDate = '', endDate = '' } = queryOf(asked, NOW);
    const midnight = new Date(NOW).setHours(0, 0, 0, 0);
    expect(Date.parse(endDate)).toBe(midnight - 1);
    expect(new Date(startDate).getHours()).toBe(0);
    expect(new Date(startDate).getDate()).toBe(new Date(midnight - 1).getDate());
    expect(queryOf({ ...none, period: 'today' }, NOW)).toMatchObject({
      startDate: new Date(midnight).toISOString(),
    });
  });

  test('a link to a call of the list keeps the filters and the order, but neither page nor tab', () => {
    const address = addressOf({ flags: ['failed'], sort: 'longest' }, { page: 3 });
    address.set('tab', 'notes');
    const kept = filterSearch(address);
    expect(readFilters(new URLSearchParams(kept))).toEqual({
      ...none,
      ...{ flags: ['failed'], sort: 'longest' },
    });
    expect(kept).not.toMatch(/tab|page/);
    expect(filterSearch(new URLSearchParams())).toBe('');
  });

  test.each([
    [{ flags: ['failed', 'short'] }, { flags: ['failed', 'short'] }],
    [{ reviewed: 'no' }, { reviewed: 'false' }],
    [{ tag: 'vip' }, { tag: 'vip' }],
    [{ sort: 'shortest' }, { sort: 'duration', order: 'asc' }],
    [{ state: 'live' }, { live: 'true' }],
    [{ state: 'ended' }, { live: 'false' }],
    [{ state: 'forwarded' }, { status: 'forwarded' }],
    [{ channel: 'phone' }, { callType: 'phone' }],
    [{ channel: 'phone-outbound' }, { callType: 'phone', direction: 'outbound' }],
    [
      { end: 'busy', assistant: 'a1' },
      { endReason: 'busy', assistantId: 'a1' },
    ],
    [{ search: ' +49 ' }, { search: '+49' }],
    [{ search: '   ' }, {}],
  ] as const)('%j asks the service for %j', (change, query) => {
    expect(queryOf({ ...none, ...change }, NOW)).toEqual({ page: 1, size: 25, ...query });
  });
});
