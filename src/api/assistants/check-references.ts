import type { AssistantConfig } from '../../contract/assistant.ts';
import { invalid } from '../../contract/errors.ts';
import type { FieldFault } from '../../contract/validation.ts';
import type { Db } from '../../store/db.ts';
import { missingKnowledgeBaseIds } from '../../store/knowledge-bases.ts';

interface InTeam {
  readonly teamId: string;
  /** Where in the request the assistant stands. */
  readonly path?: string;
}

/** Refuses an assistant that names a tool or knowledge base the team does not have. */
export async function checkReferences(
  db: Db,
  assistant: AssistantConfig,
  { teamId, path = '' }: InTeam,
): Promise<void> {
  const { assistantKnowledgeBaseIds: baseIds, assistantToolIds: toolIds } = assistant;
  const missingBases = await missingKnowledgeBaseIds(db, { teamId, ids: baseIds });
  const faults = [
    ...faultsOf(`${path}assistantKnowledgeBaseIds`, baseIds, missingBases),
    ...faultsOf(`${path}assistantToolIds`, toolIds, toolIds),
  ];
  if (faults.length > 0) throw invalid(faults);
}

function faultsOf(
  field: string,
  named: readonly string[],
  absent: readonly string[],
): FieldFault[] {
  return absent.map((id) => ({
    path: `${field}.${named.indexOf(id)}`,
    message: `there is no such ${field.endsWith('ToolIds') ? 'tool' : 'knowledge base'}: ${id}`,
  }));
}
