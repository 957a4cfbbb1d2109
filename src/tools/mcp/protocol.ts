import type { LlmTool } from '../../ports/llm.ts';
import type { ToolOutcome } from '../../ports/tool.ts';

type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The server's answer is none of the protocol. */
export class McpError extends Error {
  override readonly name = 'McpError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Asked for first; servers that know others answer with one of theirs. */
export const PROTOCOL_VERSION = '2025-11-25';
const KNOWN_VERSIONS: readonly unknown[] = [PROTOCOL_VERSION, '2025-06-18', '2025-03-26'];

/** A request's JSON, and the id by which its answer is found. */
export const rpcRequest = (id: number, method: string, params: JsonObject): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

export const INITIALIZED = JSON.stringify({
  jsonrpc: '2.0',
  method: 'notifications/initialized',
});

/** The result in a JSON answer to the request `id`; undefined if it is another message. Throws McpError. */
export function resultIn(text: string, id: number): JsonObject | undefined {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    throw new McpError('bad_answer', 'the server did not answer in JSON');
  }
  if (!isObject(message) || message.id !== id) return undefined;
  if (isObject(message.error)) {
    const said = typeof message.error.message === 'string' ? message.error.message : '';
    throw new McpError('mcp_error', `the server refused: ${said.slice(0, 500)}`);
  }
  if (isObject(message.result)) return message.result;
  throw new McpError('bad_answer', 'the server answered without a result');
}

/** Reads server-sent events from chunks of text: the data of each event that is complete. */
export class EventReader {
  #rest = '';

  push(text: string): readonly string[] {
    this.#rest += text;
    const events = this.#rest.split(/\r\n\r\n|\n\n|\r\r/);
    this.#rest = events.pop() ?? '';
    return events.map(dataOf).filter((data) => data !== '');
  }

  /** The last event, if the stream ends without an empty line. */
  end(): readonly string[] {
    return this.push('\n\n');
  }
}

const dataOf = (event: string): string =>
  event
    .split(/\r\n|\n|\r/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length).replace(/^ /, ''))
    .join('\n');

/** The revision that a server has chosen. */
export function chosenVersion({ protocolVersion }: JsonObject): string {
  if (KNOWN_VERSIONS.includes(protocolVersion)) return protocolVersion as string;
  throw new McpError('bad_answer', 'the server speaks no revision of the protocol that is known');
}

/** A tool as its server describes it. */
export interface ServerTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: LlmTool['parameters'];
  readonly readOnly: boolean;
  /** It says that the same request has no further effect. */
  readonly idempotent: boolean;
}

const MAX_DESCRIPTION_CHARS = 5000;
const MAX_PARAMETERS_CHARS = 16_384;
const MAX_NAME_CHARS = 200;

/** The tools on one page of a server's list; what is no tool, or too long to be one, is left out. */
export function toolsIn({ tools }: JsonObject): readonly ServerTool[] {
  if (!Array.isArray(tools)) throw new McpError('bad_answer', 'the server listed no tools');
  return tools.filter(isObject).flatMap((tool): ServerTool[] => {
    const { name, title, description, inputSchema, annotations } = tool;
    const isUsable =
      typeof name === 'string' &&
      name !== '' &&
      name.length <= MAX_NAME_CHARS &&
      isObject(inputSchema) &&
      JSON.stringify(inputSchema).length <= MAX_PARAMETERS_CHARS;
    if (!isUsable) return [];
    const words = [description, title].find((text) => typeof text === 'string') as
      | string
      | undefined;
    const { $schema: _dialect, ...parameters } = inputSchema;
    return [
      {
        name,
        description: (words ?? '').slice(0, MAX_DESCRIPTION_CHARS),
        parameters: { properties: {}, ...parameters, type: 'object' },
        readOnly: isObject(annotations) && annotations.readOnlyHint === true,
        idempotent: isObject(annotations) && annotations.idempotentHint === true,
      },
    ];
  });
}

/** The cursor of the next page; undefined on the last one. */
export const nextCursor = ({ nextCursor: cursor }: JsonObject): string | undefined =>
  typeof cursor === 'string' && cursor !== '' ? cursor : undefined;

const DONE = '{"status":"done"}';

/** What a tool's result tells the model: its texts, else its structured content. */
export function outcomeOf({ content, structuredContent, isError }: JsonObject): ToolOutcome {
  const texts = Array.isArray(content)
    ? content.filter(isObject).flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
    : [];
  const structured = structuredContent === undefined ? '' : JSON.stringify(structuredContent);
  const text = texts.join('\n') || structured;
  if (isError === true)
    return { ok: false, error: text || 'the tool failed', code: 'tool_reported' };
  return { ok: true, result: text || DONE };
}

const MAX_TOOL_NAME = 64;

/**
 * A name for a model: letters, digits, dashes and underscores. One that is taken is put behind `prefix`, and counted if
 * that is taken too.
 */
export function uniqueName(
  name: string,
  prefix: string,
  isTaken: (name: string) => boolean,
): string {
  const plain = name.replaceAll(/[^\w-]/g, '_').slice(0, MAX_TOOL_NAME);
  let unique = plain;
  for (let count = 1; isTaken(unique); count++) {
    const end = count === 1 ? '' : `_${count}`;
    unique = `${`${prefix}_${plain}`.slice(0, MAX_TOOL_NAME - end.length)}${end}`;
  }
  return unique;
}
