import type { AssistantConfig } from '../contract/assistant.ts';
import type { SnapshotTool } from '../contract/call-snapshot.ts';
import type { Db } from './db.ts';
import { findTools } from './tools.ts';

/** The current configuration of every tool that an assistant or its workflow refers to, for a call's snapshot. */
export async function snapshotTools(
  db: Db,
  params: { readonly teamId: string; readonly assistant: AssistantConfig },
): Promise<readonly SnapshotTool[]> {
  const { teamId, assistant } = params;
  const named = [
    ...assistant.assistantToolIds,
    ...(assistant.assistantWorkflow?.nodes ?? []).flatMap(({ toolIds }) => toolIds),
  ];
  const records = await findTools(db, { teamId, ids: [...new Set(named)] });
  return records.map(({ id, config }) => ({ id, config }));
}
