import type { Tool } from '../../contract/tool.ts';
import type { ToolRecord } from '../../store/tools.ts';

/** Converts a tool to its form in the API. */
export function presentTool(record: ToolRecord): Tool {
  return {
    _id: record.id,
    teamId: record.teamId,
    ...record.config,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
  };
}
