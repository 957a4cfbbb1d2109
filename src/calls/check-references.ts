import type { AssistantConfig } from '../contract/assistant.ts';
import { invalid } from '../contract/errors.ts';
import type { Db } from '../store/db.ts';
import { missingKnowledgeBaseIds } from '../store/knowledge-bases.ts';
import { missingToolIds } from '../store/tools.ts';

interface InTeam {
  readonly teamId: string;
  /** Path of the assistant within the request, for error messages. */
  readonly path?: string;
}

/**
 * Throws Problem if an assistant refers to a tool or knowledge base that the team does not have. Within the transaction
 * that stores the assistant, these cannot be deleted in between.
 */
export async function checkReferences(
  db: Db,
  assistant: AssistantConfig,
  { teamId, path = '' }: InTeam,
): Promise<void> {
  const named = [...namedTools(assistant), ...namedKnowledgeBases(assistant)];
  const missing = {
    tool: new Set(await missingToolIds(db, { teamId, ids: idsOf(named, 'tool') })),
    'knowledge base': new Set(
      await missingKnowledgeBaseIds(db, { teamId, ids: idsOf(named, 'knowledge base') }),
    ),
  };
  const faults = named
    .filter(({ kind, id }) => missing[kind].has(id))
    .map(({ kind, id, field }) => ({
      path: `${path}${field}`,
      message: `there is no such ${kind}: ${id}`,
    }));
  if (faults.length > 0) throw invalid(faults);
}

interface Reference {
  readonly kind: 'tool' | 'knowledge base';
  readonly id: string;
  readonly field: string;
}

function namedTools({ assistantToolIds, assistantWorkflow }: AssistantConfig): Reference[] {
  const refer = (id: string, field: string): Reference => ({ kind: 'tool', id, field });
  return [
    ...assistantToolIds.map((id, i) => refer(id, `assistantToolIds.${i}`)),
    ...(assistantWorkflow?.nodes ?? []).flatMap(({ toolIds }, node) =>
      toolIds.map((id, i) => refer(id, `assistantWorkflow.nodes.${node}.toolIds.${i}`)),
    ),
  ];
}

function namedKnowledgeBases({ assistantKnowledgeBaseIds }: AssistantConfig): Reference[] {
  return assistantKnowledgeBaseIds.map((id, i) => ({
    kind: 'knowledge base',
    id,
    field: `assistantKnowledgeBaseIds.${i}`,
  }));
}

// Sorted, so that two requests cannot deadlock.
function idsOf(references: readonly Reference[], kind: Reference['kind']): string[] {
  const ids = references.filter((reference) => reference.kind === kind).map(({ id }) => id);
  return [...new Set(ids)].sort();
}
