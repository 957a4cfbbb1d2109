import { describe, expect, test } from 'vitest';
import { searchBookings } from '../../src/store/search-bookings.ts';

const booking = (n: number) => ({
  id: `b${n}`,
  name: n % 100 === 0 ? `Ada Lovelace ${n}` : `Patient ${n}`,
  phone: `+4930${n}`,
  notes: n % 200 === 0 ? 'First VISIT' : '',
});

/** A list of so many, which counts what is read of it. */
function listOf(count: number) {
  const rows = Array.from({ length: count }, (_, n) => booking(n + 1));
  const reads: number[] = [];
  return {
    reads,
    list: async ({ limit, cursor }: { readonly limit: number; readonly cursor?: string }) => {
      const from = cursor === undefined ? 0 : rows.findIndex(({ id }) => id === cursor) + 1;
      const read = rows.slice(from, from + limit);
      reads.push(read.length);
      return read;
    },
  };
}

describe('a search in what is booked', () => {
  test('finds every word, in any case, in name, number and notes, or the id', async () => {
    const { list } = listOf(400);
    const found = async (search: string) =>
      (await searchBookings(list, search, {})).items.map(({ id }) => id);
    expect(await found('LOVELACE')).toEqual(['b100', 'b200', 'b300', 'b400']);
    expect(await found('visit  ada')).toEqual(['b200', 'b400']);
    expect(await found('+4930321')).toEqual(['b321']);
    expect(await found('b17')).toEqual(['b17']);
    expect(await found('visit patient')).toEqual([]);
  });

  test('pages on after the last one found, and reads no more than it needs', async () => {
    const { list, reads } = listOf(1000);
    const first = await searchBookings(list, 'ada', { limit: 2 });
    expect(first.items.map(({ id }) => id)).toEqual(['b100', 'b200']);
    expect(reads.length).toBeLessThanOrEqual(4);
    const next = await searchBookings(list, 'ada', {
      limit: 2,
      cursor: first.nextCursor as string,
    });
    expect(next.items.map(({ id }) => id)).toEqual(['b300', 'b400']);
    const last = await searchBookings(list, 'ada', { limit: 9, cursor: 'b900' });
    expect(last).toEqual({ items: [expect.objectContaining({ id: 'b1000' })] });
  });

  test('gives up after 5,000, whatever the list holds', async () => {
    const { list, reads } = listOf(20_000);
    expect(await searchBookings(list, 'nobody', {})).toEqual({ items: [] });
    expect(reads.reduce((sum, read) => sum + read, 0)).toBe(5000);
  });
});
