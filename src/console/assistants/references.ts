import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { VendorPart } from '../../client/api.generated.ts';
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
  /** The vendors that an assistant may name, and whether they are ready. */
  readonly vendors: readonly VendorPart[];
}

const Known = createContext<References>({ tools: [], knowledgeBases: [], vendors: [] });

export const ReferencesProvider = Known.Provider;

export const useReferences = (): References => useContext(Known);

/** Reads the team's tools and knowledge bases, and what is ready of the vendors. */
export async function loadReferences(client: Client, signal: AbortSignal): Promise<References> {
  const [tools, { knowledge_bases: bases }, { parts: vendors }] = await Promise.all([
    loadAllPages(client, 'listTools', signal),
    client.call('listKnowledgeBases', { signal }),
    client.call('listVendors', { signal }),
  ]);
  return {
    vendors,
    tools: tools.map((tool) => ({
      id: tool._id,
      name: tool.function.name,
      detail: tool.function.description,
    })),
    knowledgeBases: bases.map(({ id, title, status }) => ({ id, name: title, detail: status })),
  };
}
