import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { CliError } from './cli-error.ts';
import type { ServiceClient } from './service-client.ts';

/** The assistant that answers the call; `dispose` deletes it and its knowledge base if they were made for this call. */
export interface AssistantForCall {
  readonly id: string;
  readonly name: string;
  /** As it was made, with its tools and knowledge; absent: the service had it before. */
  readonly config?: Readonly<Record<string, unknown>>;
  dispose(): Promise<void>;
}

interface AssistantFile {
  readonly config: Readonly<Record<string, unknown>>;
  readonly faq: readonly unknown[];
  readonly tools: readonly unknown[];
}

/**
 * Finds the assistant by id, or creates one from a file for this call; without `given`, takes the first in the list.
 * `toolServer` answers the tools of a file instead of their own servers.
 */
export async function resolveAssistant(
  client: ServiceClient,
  given: string | undefined,
  { toolServer }: { readonly toolServer?: string } = {},
): Promise<AssistantForCall> {
  if (given === undefined) {
    const [first] = await client.listAssistants();
    if (!first) throw new CliError('the service has no assistant yet: give one with --assistant');
    return existing(first);
  }
  if (given.endsWith('.json') || existsSync(given)) {
    const file = await readFileAs(given);
    return create(client, toolServer === undefined ? file : servedBy(toolServer, file));
  }
  return existing(await client.getAssistant(given));
}

const servedBy = (url: string, file: AssistantFile): AssistantFile => ({
  ...file,
  tools: file.tools.map((tool) => (isObject(tool) ? { ...tool, server: { url } } : tool)),
});

function existing({
  _id,
  name,
}: {
  readonly _id: string;
  readonly name: string;
}): AssistantForCall {
  return { id: _id, name, dispose: async () => {} };
}

async function create(client: ServiceClient, file: AssistantFile): Promise<AssistantForCall> {
  // What was made is deleted in the opposite order: a tool cannot go while an assistant uses it.
  const made: (() => Promise<void>)[] = [];
  const dispose = async () => {
    for (const remove of made.splice(0).reverse()) await remove();
  };
  try {
    let config = file.config;
    if (file.faq.length > 0) {
      const base = await client.createKnowledgeBase(`FAQ of ${String(config.name ?? 'a call')}`);
      made.push(() => client.deleteKnowledgeBase(base.id));
      await client.addFaq(base.id, file.faq);
      config = withKnowledge(config, base.id);
    }
    const toolIds: string[] = [];
    for (const tool of file.tools) {
      const { _id } = await client.createTool(tool);
      made.push(() => client.deleteTool(_id));
      toolIds.push(_id);
    }
    if (toolIds.length > 0) {
      const named = config.assistantToolIds as readonly string[] | undefined;
      config = { ...config, assistantToolIds: [...(named ?? []), ...toolIds] };
    }
    const { _id, name } = await client.createAssistant(config);
    made.push(() => client.deleteAssistant(_id));
    return { id: _id, name, config, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

function withKnowledge(
  config: AssistantFile['config'],
  knowledgeBaseId: string,
): AssistantFile['config'] {
  const tools = config.assistantPredefinedTools as object | undefined;
  const ids = config.assistantKnowledgeBaseIds as readonly string[] | undefined;
  return {
    ...config,
    assistantPredefinedTools: { ...tools, knowledgeBase: true },
    assistantKnowledgeBaseIds: [...(ids ?? []), knowledgeBaseId],
  };
}

async function readFileAs(path: string): Promise<AssistantFile> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CliError(
      `--assistant ${path}: ${error.code === 'ENOENT' ? 'no such file' : error.message}`,
      2,
    );
  });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new CliError(`--assistant ${path}: ${(error as Error).message}`, 2);
  }
  if (!isObject(json)) throw new CliError(`--assistant ${path}: must hold a JSON object`, 2);
  const { assistant, faq = [], tools = [] } = json;
  if (!isObject(assistant)) return { config: json, faq: [], tools: [] };
  if (!Array.isArray(faq)) throw new CliError(`--assistant ${path}: faq must be an array`, 2);
  if (!Array.isArray(tools)) throw new CliError(`--assistant ${path}: tools must be an array`, 2);
  return { config: assistant, faq, tools };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
