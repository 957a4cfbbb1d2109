import type { ToolOutcome } from '../../ports/tool.ts';

interface ToolRequest {
  /** Unix ms. */
  readonly timestamp: number;
  readonly call: Readonly<Record<string, unknown>>;
  readonly assistant: Readonly<Record<string, unknown>>;
  readonly toolCall: {
    readonly id: string;
    readonly name: string;
    readonly parameters: Readonly<Record<string, unknown>>;
  };
}

/** The body of a request to a tool's server. */
export function serializeToolRequest({ toolCall, ...rest }: ToolRequest): string {
  return JSON.stringify({ message: { type: 'tool-calls', ...rest, toolCallList: [toolCall] } });
}

interface ToolAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: Uint8Array;
  readonly toolCallId: string;
}

const MAX_MESSAGE_LENGTH = 5000;
const MAX_EXCERPT_LENGTH = 500;
/** The result given to the model when the answer has no content. */
const DONE = '{"status":"done"}';

/** Reads the tool call's result from a server's answer, in any of the accepted forms. */
export function readToolAnswer({ status, contentType, body, toolCallId }: ToolAnswer): ToolOutcome {
  const text = decode(body);
  if (status < 200 || status > 299) return refusedBy(status, contentType, text);
  if (text === undefined) return unreadable("the tool's server did not answer with text");
  if (text.trim() === '') return { ok: true, result: DONE };
  const parsed = parse(text);
  if (parsed) return fromJson(parsed.value, toolCallId);
  if (/\bjson\b/i.test(contentType)) {
    return unreadable("the tool's server announced JSON and sent something else");
  }
  if (isPage(contentType, text)) {
    return unreadable("the tool's server answered with a web page");
  }
  return { ok: true, result: text };
}

function decode(body: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

const isPage = (contentType: string, text: string) =>
  /\bhtml\b/i.test(contentType) || /^\s*<(?:!doctype|html)\b/i.test(text);

function refusedBy(status: number, contentType: string, text = ''): ToolOutcome {
  const said = isPage(contentType, text) ? '' : text.trim().slice(0, MAX_EXCERPT_LENGTH);
  const error = `the tool's server answered with status ${status}`;
  const code = `http_${status}`;
  return { ok: false, error: said === '' ? error : `${error}: ${said}`, code };
}

const unreadable = (error: string): ToolOutcome => ({ ok: false, error, code: 'bad_answer' });

type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function fromJson(value: unknown, toolCallId: string): ToolOutcome {
  const results = isObject(value) ? value.results : undefined;
  if (!Array.isArray(results) || !results.every(isObject)) {
    return { ok: true, result: asText(value) };
  }
  const ours =
    results.find((entry) => entry.toolCallId === toolCallId) ??
    (results.length === 1 && results[0]?.toolCallId === undefined ? results[0] : undefined);
  if (!ours) return unreadable("the tool's server answered without a result for this call");
  const spoken = typeof ours.message === 'string' ? ours.message.trim() : '';
  const message = spoken === '' ? {} : { message: spoken.slice(0, MAX_MESSAGE_LENGTH) };
  if (ours.error !== undefined && ours.error !== null) {
    return { ok: false, error: asText(ours.error), code: 'tool_reported', ...message };
  }
  return { ok: true, result: ours.result === undefined ? DONE : asText(ours.result), ...message };
}

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);
