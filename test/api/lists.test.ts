import { describe, expect, test } from 'vitest';
import { writeJsonList } from '../../src/api/json-list.ts';
import { foundInPortions, PORTION, pageInPortions, portionsOf } from '../../src/api/portions.ts';
import type { PageRequest } from '../../src/store/page.ts';

const range = (length: number) => Array.from({ length }, (_, i) => ({ id: String(i), text: 'ä"' }));

/** A list of so many items in a store, and the pages that were read of it. */
function stored(length: number) {
  const asked: PageRequest[] = [];
  const read = async (request: PageRequest) => {
    asked.push(request);
    const { limit = length, cursor } = request;
    const from = cursor === undefined ? 0 : Number(cursor) + 1;
    const items = range(length).slice(from, from + limit);
    const last = items.at(-1);
    const isMore = from + items.length < length;
    return { items, ...(last && isMore ? { nextCursor: last.id } : {}) };
  };
  return { asked, read };
}

async function readPage(length: number, request: PageRequest) {
  const { asked, read } = stored(length);
  let next: string | undefined;
  const items: { readonly id: string }[] = [];
  const onNext = (cursor: string) => {
    next = cursor;
  };
  for await (const portion of pageInPortions(request, read, onNext)) items.push(...portion);
  return { ids: items.map(({ id }) => Number(id)), next, limits: asked.map(({ limit }) => limit) };
}

const upTo = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

describe('a list', () => {
  test.each([
    ['all of none', 0, {}, { ids: [], next: undefined, limits: [PORTION] }],
    ['all of one portion', PORTION, {}, { ids: upTo(0, PORTION), limits: [PORTION] }],
    ['all of more', 40, {}, { ids: upTo(0, 40), limits: [PORTION, PORTION, PORTION] }],
    ['a page and its next', 40, { limit: 20 }, { ids: upTo(0, 20), next: '19', limits: [16, 4] }],
    ['the page after', 40, { limit: 20, cursor: '19' }, { ids: upTo(20, 40), limits: [16, 4] }],
    ['more than there is', 3, { limit: 5 }, { ids: upTo(0, 3), limits: [5] }],
    ['a page of one', 3, { limit: 1 }, { ids: [0], next: '0', limits: [1] }],
  ])('is read in portions: %s', async (_, length, request, expected) => {
    expect(await readPage(length, request)).toEqual({ next: undefined, ...expected });
  });

  test('of ids is found in portions', async () => {
    const sizes: number[] = [];
    const ids = range(35).map(({ id }) => id);
    const find = async (some: readonly string[]) => {
      sizes.push(some.length);
      return some;
    };
    const found: string[] = [];
    for await (const some of foundInPortions(ids, find)) found.push(...some);
    expect(found).toEqual(ids);
    expect(sizes).toEqual([16, 16, 3]);
  });

  test('that is in memory lets others have their turn between its portions', async () => {
    let turns = 0;
    const count = () => {
      turns++;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);
    const sizes: number[] = [];
    for await (const portion of portionsOf(range(35))) sizes.push(portion.length);
    clearImmediate(timer);
    expect(sizes).toEqual([16, 16, 3]);
    expect(turns).toBeGreaterThanOrEqual(2);
  });

  test.each([0, 1, 16, 17, 40])('of %i items has the bytes of JSON.stringify', async (length) => {
    const items = range(length);
    const present = ({ id, text }: (typeof items)[number]) => ({ text, id: Number(id) });
    const shown = items.map(present);
    const write = async (head?: object, name?: string) => {
      const list = { ...(head ? { head: { ...head } } : {}), name, present };
      return (await writeJsonList({ ...list, portions: portionsOf(items) })).toString();
    };
    expect(await write()).toBe(JSON.stringify(shown));
    expect(await write(undefined, 'items')).toBe(JSON.stringify({ items: shown }));
    expect(await write({ total: 7, of: 'ä' }, 'items')).toBe(
      JSON.stringify({ total: 7, of: 'ä', items: shown }),
    );
  });
});
