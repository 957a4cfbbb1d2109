import type { AssistantConfig } from '../../contract/assistant.ts';
import { renderTemplate } from '../settings/render-template.ts';
import type { CallSettings } from '../settings/settings.ts';
import type { Variables } from '../state/workflow.ts';
import { enter } from './workflow.ts';

type ToolNames = ReadonlyMap<string, readonly string[]>;

/** An assistant's workflow for a call, with tools by their names; undefined without a workflow. */
export function resolveWorkflow(
  assistant: AssistantConfig,
  variables: Variables,
  toolNames: ToolNames,
): CallSettings['workflow'] {
  const { assistantWorkflow: workflow, assistantToolIds } = assistant;
  if (assistant.assistantType !== 'workflow_based' || !workflow) return undefined;
  const namesOf = (ids: readonly string[]) => ids.flatMap((id) => toolNames.get(id) ?? []);
  const everywhere = new Set(namesOf(assistantToolIds));
  const nodes = workflow.nodes.map(({ toolIds, ...node }) => ({
    ...node,
    tools: namesOf(toolIds),
  }));
  const nodeTools = new Set(nodes.flatMap(({ tools }) => tools));
  return {
    start: workflow.start,
    nodes,
    edges: workflow.edges,
    variables: { ...variables },
    nodeTools: [...nodeTools].filter((name) => !everywhere.has(name)),
  };
}

/** The messages of the first nodes, which the welcome says. */
export function openingMessages(workflow: CallSettings['workflow']): readonly string[] {
  if (!workflow) return [];
  return enter(workflow, workflow.start, workflow.variables)
    .map(({ message }) => renderTemplate(message, workflow.variables).trim())
    .filter((message) => message !== '');
}
