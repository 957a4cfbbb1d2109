import type {
  ChatCompletionMessageFunctionToolCall,
  ChatCompletionMessageParam,
  ChatCompletionTool,
} from 'openai/resources/chat/completions';
import { withoutEndSlashes } from '../../lib/without-end-slashes.ts';
import type { LlmMessage, LlmRequest, LlmTool, LlmToolCall } from '../../ports/llm.ts';
import type { VendorError } from './error-protocol.ts';
import type { ChatQuirks } from './quirks.ts';

/** A part of the request that a server may refuse by name and that can be left out. */
export type Concession =
  | 'max_tokens'
  | 'temperature'
  | 'stream_options'
  | 'prompt_cache_key'
  | 'parallel_tool_calls'
  | 'strict'
  | 'tool_choice'
  | 'json_schema'
  | 'json_object'
  | 'extra_body';

/** Vendor fields of a tool call that must be sent back, by tool-call id. */
type ToolCallExtras = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

export interface RequestContext {
  readonly model: string;
  readonly quirks: ChatQuirks;
  readonly concessions: ReadonlySet<Concession>;
  readonly extras: ToolCallExtras;
}

type JsonObject = Readonly<Record<string, unknown>>;

function withoutKeywords(schema: unknown, refused: readonly string[]): unknown {
  if (refused.length === 0 || typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map((item) => withoutKeywords(item, refused));
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]) => {
      if (refused.includes(key)) return [];
      // Names of properties are not keywords.
      const inner =
        key === 'properties' && typeof value === 'object' && value !== null
          ? Object.fromEntries(
              Object.entries(value).map(([name, sub]) => [name, withoutKeywords(sub, refused)]),
            )
          : withoutKeywords(value, refused);
      return [[key, inner]];
    }),
  );
}

function toTool(tool: LlmTool, context: RequestContext): ChatCompletionTool {
  const { quirks, concessions } = context;
  const strict = tool.strict === true && quirks.strictTools && !concessions.has('strict');
  return {
    type: 'function',
    function: {
      name: tool.name,
      description: tool.description,
      parameters: withoutKeywords(tool.parameters, quirks.refusedSchemaKeywords) as Record<
        string,
        unknown
      >,
      ...(strict ? { strict: true } : {}),
    },
  };
}

function toToolCall(
  call: LlmToolCall,
  context: RequestContext,
): ChatCompletionMessageFunctionToolCall {
  return {
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: call.arguments || '{}' },
    ...(context.extras.get(call.id) ?? context.quirks.toolCallExtra),
  };
}

function toMessage(message: LlmMessage, context: RequestContext): ChatCompletionMessageParam {
  switch (message.role) {
    case 'tool':
      return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
    case 'assistant':
      if (!message.toolCalls?.length) return { role: 'assistant', content: message.content };
      return {
        role: 'assistant',
        content: message.content || null,
        tool_calls: message.toolCalls.map((call) => toToolCall(call, context)),
      };
    default:
      return { role: message.role, content: message.content };
  }
}

function answerFormat(context: RequestContext): ChatQuirks['responseFormat'] {
  const { quirks, concessions } = context;
  if (concessions.has('json_object')) return 'prompt';
  if (!concessions.has('json_schema')) return quirks.responseFormat;
  return quirks.responseFormat === 'prompt' ? 'prompt' : 'json_object';
}

function schemaInWords(schema: JsonObject): ChatCompletionMessageParam {
  return {
    role: 'system',
    content: `Answer with one JSON object and nothing else, following this JSON Schema:\n${JSON.stringify(schema)}`,
  };
}

function toolFields(request: LlmRequest, context: RequestContext): JsonObject {
  if (!request.tools?.length) return {};
  const { quirks, concessions } = context;
  return {
    tools: request.tools.map((tool) => toTool(tool, context)),
    ...(quirks.parallelToolCalls && !concessions.has('parallel_tool_calls')
      ? { parallel_tool_calls: true }
      : {}),
  };
}

function maxTokensField(context: RequestContext): ChatQuirks['maxTokensField'] {
  const usual = context.quirks.maxTokensField;
  if (!context.concessions.has('max_tokens')) return usual;
  return usual === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
}

/**
 * The body of a streaming request. The constant parts (settings, tools, system prompt) come first and in a fixed
 * order, so consecutive requests share a prefix that the vendor can cache.
 */
export function serializeChatRequest(request: LlmRequest, context: RequestContext): string {
  const { quirks, concessions } = context;
  const messages = request.messages.map((message) => toMessage(message, context));
  const { responseSchema } = request;
  const format = responseSchema ? answerFormat(context) : undefined;
  if (responseSchema && format !== 'json_schema')
    messages.push(schemaInWords(responseSchema.schema));
  return JSON.stringify({
    model: context.model,
    stream: true,
    ...(quirks.streamUsage && !concessions.has('stream_options')
      ? {
          stream_options: {
            include_usage: true,
            ...(quirks.obfuscates ? { include_obfuscation: false } : {}),
          },
        }
      : {}),
    ...(request.maxTokens === undefined ? {} : { [maxTokensField(context)]: request.maxTokens }),
    ...(request.temperature === undefined || concessions.has('temperature')
      ? {}
      : { temperature: Math.min(request.temperature, quirks.maxTemperature) }),
    ...(request.cacheKey && quirks.promptCacheKey && !concessions.has('prompt_cache_key')
      ? { prompt_cache_key: request.cacheKey }
      : {}),
    ...(concessions.has('extra_body') ? {} : quirks.extraBody),
    ...toolFields(request, context),
    messages,
    ...(responseSchema && format === 'json_schema'
      ? {
          response_format: {
            type: 'json_schema',
            json_schema: { name: responseSchema.name, strict: true, schema: responseSchema.schema },
          },
        }
      : {}),
    ...(format === 'json_object' ? { response_format: { type: 'json_object' } } : {}),
    // `auto` is every server's default.
    ...(request.tools?.length &&
    request.toolChoice &&
    request.toolChoice !== 'auto' &&
    !concessions.has('tool_choice')
      ? { tool_choice: request.toolChoice }
      : {}),
  });
}

/** The body field that each concession drops (`max_tokens`: renames). */
const CONCESSION_FIELDS: readonly (readonly [Concession, RegExp])[] = [
  ['max_tokens', /\bmax_(?:completion_)?tokens\b/],
  ['temperature', /\btemperature\b/],
  ['stream_options', /\bstream_options\b|\binclude_(?:usage|obfuscation)\b/],
  ['prompt_cache_key', /\bprompt_cache_key\b/],
  ['parallel_tool_calls', /\bparallel_tool_calls\b/],
  ['strict', /\bstrict\b/],
  ['tool_choice', /\btool_choice\b/],
  ['json_schema', /\bresponse_format\b|\bjson_schema\b/],
  ['json_object', /\bresponse_format\b|\bjson_object\b/],
  ['extra_body', /\bthinking\b/],
];

/** The concession to make after a refusal, if the error names a field that was sent. */
export function concessionFor(
  error: VendorError,
  body: string,
  made: ReadonlySet<Concession>,
): Concession | undefined {
  const refusal = `${error.param} ${error.message}`;
  const sent = Object.keys(JSON.parse(body) as JsonObject).join(' ') + body.match(/"strict":true/);
  return CONCESSION_FIELDS.find(
    ([concession, field]) => !made.has(concession) && field.test(refusal) && field.test(sent),
  )?.[0];
}

/** The request URL: the base URL plus the operation's path, with its query kept. */
export function chatCompletionsUrl(baseUrl: string): string | undefined {
  const url = URL.parse(baseUrl);
  if (!url) return undefined;
  url.pathname = `${withoutEndSlashes(url.pathname)}/chat/completions`;
  url.hash = '';
  return url.href;
}
