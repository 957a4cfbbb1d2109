/** An OpenAI-style refusal. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly code: string | null;
  readonly param: string | null;
}

type Json = Record<string, unknown>;

/** Fields of a request that a kind of server takes; anything else is refused by name. */
const FIELDS = {
  openai:
    'model stream stream_options messages tools tool_choice parallel_tool_calls max_completion_tokens max_tokens temperature prompt_cache_key response_format metadata user seed stop',
  reasoning:
    'model stream stream_options messages tools tool_choice parallel_tool_calls max_completion_tokens prompt_cache_key response_format metadata',
  minimal: 'model stream messages tools max_completion_tokens temperature',
} as const;

/** `openai` takes everything; `reasoning` no temperature and no max_tokens; `minimal` only what all servers know. */
export type EmulatorProfile = keyof typeof FIELDS;

function refuse(message: string, param: string, code: string | null = null): Refusal {
  return { status: 400, message, code, param };
}

function fieldRefusal(body: Json, profile: EmulatorProfile): Refusal | undefined {
  const known = FIELDS[profile].split(' ');
  for (const field of Object.keys(body)) {
    if (known.includes(field)) continue;
    if (field === 'max_tokens') {
      return refuse(
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        'max_tokens',
        'unsupported_parameter',
      );
    }
    return refuse(`Unrecognized request argument supplied: ${field}`, field, 'unknown_parameter');
  }
  if (body.max_tokens !== undefined && body.max_completion_tokens !== undefined)
    return refuse('Setting both max_tokens and max_completion_tokens is not allowed', 'max_tokens');
  return undefined;
}

function strictRefusal(schema: Json, path: string): Refusal | undefined {
  if (schema.type !== 'object') return undefined;
  const names = Object.keys((schema.properties ?? {}) as Json);
  const required = (schema.required ?? []) as string[];
  if (schema.additionalProperties !== false)
    return refuse(`Invalid schema: 'additionalProperties' is required to be false`, path);
  const missing = names.find((name) => !required.includes(name));
  return missing ? refuse(`Invalid schema: Missing '${missing}' in 'required'`, path) : undefined;
}

function toolRefusal(tools: unknown): Refusal | undefined {
  if (tools === undefined) return undefined;
  if (!Array.isArray(tools) || tools.length === 0)
    return refuse("[] is too short - 'tools'", 'tools');
  for (const [i, tool] of (tools as Json[]).entries()) {
    const declared = tool.function as Json | undefined;
    if (tool.type !== 'function' || !/^[\w-]{1,64}$/.test(String(declared?.name)))
      return refuse(`Invalid 'tools[${i}].function.name'`, `tools[${i}].function.name`);
    if (declared?.strict === true) {
      const fault = strictRefusal(declared.parameters as Json, `tools[${i}].function.parameters`);
      if (fault) return fault;
    }
  }
  return undefined;
}

/** Each assistant tool call needs exactly one tool message before any other role. */
function historyRefusal(messages: readonly Json[]): Refusal | undefined {
  let open: string[] = [];
  for (const [i, message] of messages.entries()) {
    const path = `messages.[${i}]`;
    if (message.role === 'tool') {
      const id = String(message.tool_call_id);
      if (!open.includes(id)) {
        return refuse(
          "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
          `${path}.role`,
        );
      }
      open = open.filter((other) => other !== id);
      continue;
    }
    if (open.length > 0) break;
    if (!['system', 'developer', 'user', 'assistant'].includes(String(message.role)))
      return refuse(`Invalid value: '${message.role}'`, `${path}.role`);
    const calls = message.tool_calls as Json[] | undefined;
    if (typeof message.content !== 'string' && !(message.role === 'assistant' && calls?.length))
      return refuse(`Invalid value for 'content': expected a string, got null.`, `${path}.content`);
    if (calls) open = calls.map((call) => String(call.id));
  }
  if (open.length === 0) return undefined;
  return refuse(
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${open.join(', ')}`,
    'messages',
  );
}

/** What a real endpoint would refuse of a request. */
export function refusalOf(body: Json, profile: EmulatorProfile): Refusal | undefined {
  if (typeof body.model !== 'string') return refuse('you must provide a model parameter', 'model');
  if (!Array.isArray(body.messages) || body.messages.length === 0)
    return refuse("[] is too short - 'messages'", 'messages');
  return (
    fieldRefusal(body, profile) ??
    toolRefusal(body.tools) ??
    (body.tool_choice !== undefined && body.tools === undefined
      ? refuse(
          "Invalid value for 'tool_choice': only allowed when 'tools' are specified.",
          'tool_choice',
        )
      : undefined) ??
    historyRefusal(body.messages as Json[])
  );
}
