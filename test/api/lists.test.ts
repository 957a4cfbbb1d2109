import { describe, expect, test } from 'vitest';
import { writeJsonList } from '../../src/api/json-list.ts';
import {
  foundInPortions,
  PortionSize,
  pageInPortions,
  portionsOf,
} from '../../src/api/portions.ts';
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

/** Of a list whose records are serialised to so many bytes each. */
async function readPage(length: number, request: PageRequest, recordBytes = 6000) {
  const { asked, read } = stored(length);
  let next: string | undefined;
  const items: { readonly id: string }[] = [];
  const onNext = (cursor: string) => {
    next = cursor;
  };
  const size = new PortionSize();
  for await (const portion of pageInPortions(request, read, onNext)(size)) {
    items.push(...portion);
    size.wrote(portion.length, portion.length * recordBytes);
  }
  return { ids: items.map(({ id }) => Number(id)), next, limits: asked.map(({ limit }) => limit) };
}

const upTo = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

describe('a list', () => {
  test.each([
    ['all of none', 0, {}, { ids: [], next: undefined, limits: [8] }],
    ['all of one portion', 8, {}, { ids: upTo(0, 8), limits: [8] }],
    ['all of more', 40, {}, { ids: upTo(0, 40), limits: [8, 8, 8, 8, 8] }],
    ['a page and its next', 40, { limit: 20 }, { ids: upTo(0, 20), next: '19', limits: [8, 8, 4] }],
    ['the page after', 40, { limit: 20, cursor: '19' }, { ids: upTo(20, 40), limits: [8, 8, 4] }],
    ['more than there is', 3, { limit: 5 }, { ids: upTo(0, 3), limits: [5] }],
    ['a page of one', 3, { limit: 1 }, { ids: [0], next: '0', limits: [1] }],
  ])('is read in portions: %s', async (_, length, request, expected) => {
    expect(await readPage(length, request)).toEqual({ next: undefined, ...expected });
  });

  test('takes more records at a time while they are small, and single ones where they are large', async () => {
    expect((await readPage(100, {}, 100)).limits).toEqual([8, 16, 32, 32, 32]);
    expect((await readPage(13, {}, 40_000)).limits).toEqual([8, 1, 1, 1, 1, 1]);
  });

  test('of ids is found in portions', async () => {
    const sizes: number[] = [];
    const ids = range(20).map(({ id }) => id);
    const find = async (some: readonly string[]) => {
      sizes.push(some.length);
      return some;
    };
    const found: string[] = [];
    for await (const some of foundInPortions(ids, find)(new PortionSize())) found.push(...some);
    expect(found).toEqual(ids);
    expect(sizes).toEqual([8, 8, 4]);
  });

  test('asks for a slice of the loop before each portion is serialised', async () => {
    const steps: string[] = [];
    const list = {
      portions: portionsOf(range(20)),
      present: ({ id }: { readonly id: string }) => {
        if (Number(id) % 8 === 0) steps.push(`present ${id}`);
        return 'x'.repeat(6000);
      },
    };
    await writeJsonList(list, async () => {
      steps.push('slice');
    });
    expect(steps).toEqual(['slice', 'present 0', 'slice', 'present 8', 'slice', 'present 16']);
  });

  test.each([0, 1, 16, 17, 40])('of %i items has the bytes of JSON.stringify', async (length) => {
    const items = range(length);
    const present = ({ id, text }: (typeof items)[number]) => ({ text, id: Number(id) });
    const shown = items.map(present);
    const now = async () => undefined;
    const write = async (head?: object, name?: string) => {
      const list = { ...(head ? { head: { ...head } } : {}), name, present };
      return (await writeJsonList({ ...list, portions: portionsOf(items) }, now)).toString();
    };
    expect(await write()).toBe(JSON.stringify(shown));
    expect(await write(undefined, 'items')).toBe(JSON.stringify({ items: shown }));
    expect(await write({ total: 7, of: 'ä' }, 'items')).toBe(
      JSON.stringify({ total: 7, of: 'ä', items: shown }),
    );
  });
});
