import { useRef } from 'preact/hooks';
import type { Assistant } from '../client/api.generated.ts';
import type { Client } from '../client/client.ts';
import { useClient } from './session.ts';
import type { ComboboxOption } from './ui/combobox-frame.tsx';
import { useLoad } from './use-load.ts';

/** An assistant of which only these fields were loaded. */
export type AssistantWith<F extends keyof Assistant> = Pick<Assistant, F | '_id'>;

/** What is asked of a list: these alone, or what a search finds. */
type NamedQuery = { readonly ids: string } | { readonly limit: number; readonly search?: string };

/** Resources of the team that are chosen by their names. */
export type NamedKind = (
  client: Client,
  query: NamedQuery,
  signal: AbortSignal,
) => Promise<readonly ComboboxOption[]>;

/** As many as a search offers; whoever misses one types more of its name. */
const MOST_FOUND = 20;
/** The most that one request may name. */
const MOST_IDS = 100;

export const ASSISTANTS: NamedKind = async (client, query, signal) => {
  const found = await client.call('listAssistants', {
    query: { ...query, fields: 'name' },
    signal,
  });
  return found.map(({ _id, name }) => ({ value: _id, label: name }));
};

export const TOOLS: NamedKind = async (client, query, signal) => {
  const found = await client.call('listTools', { query, signal });
  return found.map(({ _id, function: { name, description } }) => ({
    value: _id,
    label: name,
    detail: description,
  }));
};

export const KNOWLEDGE_BASES: NamedKind = async (client, query, signal) => {
  const { knowledge_bases: found } = await client.call('listKnowledgeBases', { query, signal });
  return found.map(({ id, title, status }) => ({ value: id, label: title, detail: status }));
};

/** What has some of these ids; undefined for one that is gone or not known yet. */
export interface Named {
  readonly of: (id: string | undefined) => ComboboxOption | undefined;
  /** It was asked for, and there is none. */
  readonly isGone: (id: string) => boolean;
  readonly error: unknown;
  readonly reload: () => void;
}

/** Loads what has these ids, in one request for a hundred of them; what is known already is not asked for again. */
export function useNamed(kind: NamedKind, ids: readonly (string | undefined)[] = []): Named {
  const client = useClient();
  const known = useRef(new Map<string, ComboboxOption | undefined>());
  const wanted = [...new Set(ids)].filter((id): id is string => Boolean(id)).sort();
  const { error, reload } = useLoad(
    async (signal) => {
      const missing = wanted.filter((id) => !known.current.has(id));
      for (let from = 0; from < missing.length; from += MOST_IDS) {
        const some = missing.slice(from, from + MOST_IDS);
        const found = await kind(client, { ids: some.join() }, signal);
        for (const id of some)
          known.current.set(
            id,
            found.find(({ value }) => value === id),
          );
      }
    },
    [client, kind, wanted.join()],
  );
  return {
    of: (id) => (id === undefined ? undefined : known.current.get(id)),
    isGone: (id) => known.current.has(id) && known.current.get(id) === undefined,
    error,
    reload,
  };
}

/** Finds some by what was typed; those that have it in their names come first. */
export function useFinder(kind: NamedKind) {
  const client = useClient();
  return async (typed: string, signal: AbortSignal): Promise<readonly ComboboxOption[]> => {
    const search = typed.trim();
    const query = { limit: MOST_FOUND, ...(search === '' ? {} : { search }) };
    const found = await kind(client, query, signal);
    const isNamed = ({ label }: ComboboxOption) =>
      label.toLowerCase().includes(search.toLowerCase());
    return [...found.filter(isNamed), ...found.filter((it) => !isNamed(it))];
  };
}
