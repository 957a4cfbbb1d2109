import { createContract } from '../../contract/contract.ts';
import { describeMcpTools, type McpTool, mcpOperations } from '../../contract/mcp.ts';
import type { VendorCatalogue } from '../../contract/vendors.ts';
import { answerTasks } from '../../lib/compute-thread.ts';

/** Whose vendors the tools name. */
export interface ListToolsTask {
  readonly vendors: VendorCatalogue;
}

answerTasks(({ vendors }: ListToolsTask): readonly McpTool[] =>
  describeMcpTools(mcpOperations(createContract(vendors))),
);
