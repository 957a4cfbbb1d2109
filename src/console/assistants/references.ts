import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Client } from '../../client/client.ts';
import { loadAllPages } from '../all-pages.ts';

export interface Reference {
  readonly id: string;
  readonly name: string;
  readonly detail: string;
}

/** Resources that an assistant can refer to. */
export interface References {
  readonly tools: readonly Reference[];
  readonly knowledgeBases: readonly Reference[];
}

const Known = createContext<References>({ tools: [], knowledgeBases: [] });

export const ReferencesProvider = Known.Provider;

export const useReferences = (): References => useContext(Known);

/** Reads the team's tools and knowledge bases. */
export async function loadReferences(client: Client, signal: AbortSignal): Promise<References> {
  const [tools, { knowledge_bases: bases }] = await Promise.all([
    loadAllPages(client, 'listTools', signal),
    client.call('listKnowledgeBases', { signal }),
  ]);
  return {
    tools: tools.map((tool) => ({
      id: tool._id,
      name: tool.function.name,
      detail: tool.function.description,
    })),
    knowledgeBases: bases.map(({ id, title, status }) => ({ id, name: title, detail: status })),
  };
}
