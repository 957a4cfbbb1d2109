import type { SavedAssistant } from '../../../client/api.generated.ts';
import type { Client } from '../../../client/client.ts';
import type { AssistantTemplate } from './template.ts';

interface Creation {
  readonly template: AssistantTemplate;
  /** What was changed of the template's assistant. */
  readonly fields: {
    readonly name: string;
    readonly welcomeMessage: string;
    readonly assistantSystemPrompt: string;
  };
  /** Address of each tool's server, by the name of the tool; a tool without one is left out. */
  readonly servers: Readonly<Record<string, string>>;
}

/** Creates an assistant with its knowledge, tools, calendars and waiting lists. */
export async function createFromTemplate(
  client: Client,
  { template, fields, servers }: Creation,
): Promise<SavedAssistant> {
  const { knowledge, tools = [], calendars = [], waitLists = [] } = template;
  const assistantToolIds: string[] = [];
  for (const { asksFor: _, ...tool } of tools) {
    const url = servers[tool.function.name]?.trim();
    if (!url) continue;
    const { _id } = await client.call('createTool', { body: { ...tool, server: { url } } });
    assistantToolIds.push(_id);
  }
  const assistantKnowledgeBaseIds: string[] = [];
  if (knowledge) {
    const { faq, ...body } = knowledge;
    const { id } = await client.call('createKnowledgeBase', { body });
    await client.call('addFaq', { path: { id }, body: { faq } });
    assistantKnowledgeBaseIds.push(id);
  }
  const assistant = await client.call('createAssistant', {
    body: { ...template.assistant, ...fields, assistantToolIds, assistantKnowledgeBaseIds },
  });
  // Those of the template are for this assistant alone.
  const assistantIds = [assistant._id];
  for (const body of calendars)
    await client.call('createCalendar', { body: { ...body, assistantIds } });
  for (const body of waitLists)
    await client.call('createWaitList', { body: { ...body, assistantIds } });
  return assistant;
}
