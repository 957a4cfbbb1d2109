import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { CliError } from './cli-error.ts';
import type { ServiceClient } from './service-client.ts';

/** The assistant that answers the call; `dispose` deletes it and its knowledge base if they were made for this call. */
export interface AssistantForCall {
  readonly id: string;
  readonly name: string;
  dispose(): Promise<void>;
}

interface AssistantFile {
  readonly config: Readonly<Record<string, unknown>>;
  readonly faq: readonly unknown[];
}

/**
 * Finds the assistant by id, or creates one from a file for this call; without `given`, takes the first in the list.
 */
export async function resolveAssistant(
  client: ServiceClient,
  given: string | undefined,
): Promise<AssistantForCall> {
  if (given === undefined) {
    const [first] = await client.listAssistants();
    if (!first) throw new CliError('the service has no assistant yet: give one with --assistant');
    return existing(first);
  }
  if (given.endsWith('.json') || existsSync(given)) return create(client, await readFileAs(given));
  return existing(await client.getAssistant(given));
}

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
  if (file.faq.length === 0) {
    const { _id, name } = await client.createAssistant(file.config);
    return { id: _id, name, dispose: () => client.deleteAssistant(_id) };
  }
  const base = await client.createKnowledgeBase(`FAQ of ${String(file.config.name ?? 'a call')}`);
  try {
    await client.addFaq(base.id, file.faq);
    const { _id, name } = await client.createAssistant(withKnowledge(file.config, base.id));
    return {
      id: _id,
      name,
      dispose: async () => {
        await client.deleteAssistant(_id);
        await client.deleteKnowledgeBase(base.id);
      },
    };
  } catch (error) {
    await client.deleteKnowledgeBase(base.id);
    throw error;
  }
}

function withKnowledge(config: AssistantFile['config'], knowledgeBaseId: string): object {
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
  const { assistant, faq = [] } = json;
  const wrapped = isObject(assistant);
  if (wrapped && !Array.isArray(faq))
    throw new CliError(`--assistant ${path}: faq must be an array`, 2);
  return wrapped ? { config: assistant, faq: faq as unknown[] } : { config: json, faq: [] };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
