import { argumentCheck } from './check-arguments.ts';
import type { HostedTool } from './hosted-tool.ts';
import { knowledgeBaseTool, type Passage, searchKnowledgeBase } from './knowledge-base.ts';

const TIMEOUT_MS = 5000;

/** The predefined `knowledgeBase` tool; `search` already knows the call's team and knowledge bases. */
export function createKnowledgeBaseTool(
  search: (query: string, limit: number) => Promise<readonly Passage[]>,
): HostedTool {
  return {
    tool: {
      definition: knowledgeBaseTool,
      async: false,
      readOnly: true,
      timeoutMs: TIMEOUT_MS,
      lines: [],
    },
    check: argumentCheck(knowledgeBaseTool),
    run: (invocation) => searchKnowledgeBase(invocation, search),
  };
}
