import type { LlmTool } from '../ports/llm.ts';
import type { ToolInvocation, ToolOutcome } from '../ports/tool.ts';

export const KNOWLEDGE_BASE_TOOL = 'knowledgeBase';

/** Definition of the predefined `knowledgeBase` tool for the model. */
export const knowledgeBaseTool: LlmTool = {
  name: KNOWLEDGE_BASE_TOOL,
  description:
    "Searches the organisation's knowledge base. Call it before answering any question about facts, " +
    "products, opening hours, prices or policies. Give the caller's question in full, in the caller's own words. " +
    'If asked where an answer stands, name its document, heading and page.',
  parameters: {
    type: 'object',
    properties: {
      query: { type: 'string', description: 'The question to look up, as a full sentence.' },
    },
    required: ['query'],
    additionalProperties: false,
  },
  strict: true,
};

/** A passage found; `score` 0…1. */
export interface Passage {
  readonly question?: string;
  readonly answer?: string;
  readonly text?: string;
  readonly score: number;
  /** The source's type and id. */
  readonly source: string;
  /** Where it stands, for callers who ask. */
  readonly document?: string;
  readonly heading?: string;
  readonly page?: number;
}

const MAX_RESULTS = 4;
const MAX_QUERY_LENGTH = 1000;

/** Runs the tool; `search` already knows the call's team and knowledge bases. */
export async function searchKnowledgeBase(
  invocation: ToolInvocation,
  search: (query: string, limit: number) => Promise<readonly Passage[]>,
): Promise<ToolOutcome> {
  const query = invocation.arguments.query;
  if (typeof query !== 'string' || query.trim() === '') {
    return { ok: false, error: 'query must be a non-empty string' };
  }
  try {
    const results = await search(query.slice(0, MAX_QUERY_LENGTH), MAX_RESULTS);
    return { ok: true, result: JSON.stringify({ results }) };
  } catch {
    const error = 'the knowledge base cannot be searched at the moment';
    return { ok: false, error, code: 'internal' };
  }
}
