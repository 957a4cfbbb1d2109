import { useRef } from 'preact/hooks';
import { nextCursor } from '../client/lists.ts';
import { useClient } from './session.ts';
import { useAction } from './use-action.ts';
import { type Loaded, useLoad } from './use-load.ts';

const ROWS = 25;
/** The most that one request may name. */
const IDS = 100;

interface PageQuery {
  readonly limit: number;
  readonly cursor?: string;
}

interface Shown<T> {
  readonly items: readonly T[];
  readonly cursor: string | undefined;
}

interface PagesOptions<T> {
  /** The items of an answer that is not an array of them. */
  readonly itemsOf?: (body: unknown) => readonly T[];
  /** How the shown rows are loaded, such as again and again. @defaultValue once */
  readonly by?: (
    load: (signal: AbortSignal) => Promise<Shown<T>>,
    deps: readonly unknown[],
  ) => Loaded<Shown<T>>;
}

/** Rows of a list that the service searches and pages, and those after them when they are asked for. */
export function usePages<T>(
  open: (query: PageQuery, signal: AbortSignal | undefined) => Promise<Response>,
  deps: readonly unknown[],
  { itemsOf = (body) => body as readonly T[], by = useLoad }: PagesOptions<T> = {},
) {
  const shown = useRef({ key: '', count: 0 });
  const key = JSON.stringify(deps);
  if (shown.current.key !== key) shown.current = { key, count: 0 };
  const read = async (cursor?: string, signal?: AbortSignal): Promise<Shown<T>> => {
    const response = await open({ limit: ROWS, ...(cursor ? { cursor } : {}) }, signal);
    return {
      items: itemsOf(await response.json()),
      cursor: nextCursor(response.headers.get('link')),
    };
  };
  const rows = by(
    async (signal) => {
      let page = await read(undefined, signal);
      // A list that is loaded again keeps its length.
      while (page.cursor !== undefined && page.items.length < shown.current.count) {
        const next = await read(page.cursor, signal);
        page = { ...next, items: [...page.items, ...next.items] };
      }
      return page;
    },
    [useClient(), key],
  );
  const { data } = rows;
  const more = useAction(async () => {
    const next = await read(data?.cursor);
    if (shown.current.key !== key) return;
    const items = [...(data?.items ?? []), ...next.items];
    shown.current.count = items.length;
    rows.set({ ...next, items });
  });
  return {
    rows: data?.items,
    error: rows.error ?? more.error,
    reload: rows.reload,
    more: data?.cursor === undefined ? undefined : () => void more.run(),
    isLoadingMore: more.busy,
  };
}

/** What the service counts of each of these ids, by id: one request for a hundred of them. */
export function useCounted<Counted>(
  ids: readonly string[] | undefined,
  count: (ids: string, signal: AbortSignal) => Promise<readonly Counted[]>,
  idOf: (counted: Counted) => string,
): ReadonlyMap<string, Counted> | undefined {
  const { data } = useLoad(
    async (signal) => {
      const chunks: string[][] = [];
      for (let from = 0; from < (ids?.length ?? 0); from += IDS)
        chunks.push(ids?.slice(from, from + IDS) ?? []);
      const counted = await Promise.all(chunks.map((some) => count(some.join(','), signal)));
      return new Map(counted.flat().map((one) => [idOf(one), one]));
    },
    [useClient(), ids?.join()],
  );
  return data;
}
