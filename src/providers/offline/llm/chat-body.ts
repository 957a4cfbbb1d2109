import { z } from 'zod';
import type { DescribedTool } from './described-tool.ts';
import { type Step, stepsIn } from './next-step.ts';
import { type Conversation, END_CALL_TOOL, KNOWLEDGE_TOOL, NEXT_STEP_TOOL } from './reply.ts';

const ToolCallSchema = z.object({ id: z.string(), function: z.object({ name: z.string() }) });

const FunctionSchema = z.object({
  name: z.string(),
  description: z.string().optional(),
  parameters: z.object({ required: z.array(z.string()).optional() }).optional(),
});

const BodySchema = z.object({
  stream: z.literal(true),
  stream_options: z.object({ include_usage: z.boolean().optional() }).optional(),
  messages: z
    .array(
      z.object({
        role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
        content: z.string().nullish(),
        tool_calls: z.array(ToolCallSchema).optional(),
        tool_call_id: z.string().optional(),
      }),
    )
    .min(1),
  tools: z.array(z.object({ function: FunctionSchema })).optional(),
  tool_choice: z.unknown().optional(),
  max_tokens: z.number().positive().optional(),
  metadata: z.object({ language: z.string() }).partial().optional(),
  response_format: z.object({ type: z.string() }).optional(),
});

type Body = z.infer<typeof BodySchema>;

export type ParsedChatBody =
  | {
      readonly ok: true;
      readonly conversation: Conversation;
      readonly maxTokens: number;
      readonly includeUsage: boolean;
    }
  | { readonly ok: false; readonly message: string };

/**
 * The workflow steps on offer. Empty if a step requires values from the conversation, which this responder cannot
 * extract.
 */
function stepsOf({ tools = [] }: Body): readonly Step[] {
  const tool = tools.find(({ function: { name } }) => name === NEXT_STEP_TOOL)?.function;
  const needsValues = tool?.parameters?.required?.some((name) => name !== 'step') ?? false;
  return needsValues ? [] : stepsIn(tool?.description ?? '');
}

/** None that needs a value, and none that other rules call. */
function describedOf({ tools = [] }: Body): readonly DescribedTool[] {
  const byRule = [KNOWLEDGE_TOOL, END_CALL_TOOL, NEXT_STEP_TOOL];
  return tools.flatMap(({ function: { name, description = '', parameters } }) => {
    const needsValues = (parameters?.required?.length ?? 0) > 0;
    return needsValues || byRule.includes(name) ? [] : [{ name, description }];
  });
}

function toConversation(body: Body): Conversation {
  return {
    messages: body.messages.map((message) => ({
      role: message.role === 'developer' ? 'system' : message.role,
      content: message.content ?? '',
      ...(message.tool_calls
        ? { toolCalls: new Map(message.tool_calls.map((call) => [call.id, call.function.name])) }
        : {}),
      ...(message.tool_call_id === undefined ? {} : { toolCallId: message.tool_call_id }),
    })),
    tools: (body.tools ?? []).map((tool) => tool.function.name),
    described: describedOf(body),
    steps: stepsOf(body),
    mayCall: body.tool_choice !== 'none',
    languageHint: body.metadata?.language,
  };
}

/** Parses a Chat Completions request; features that this responder does not support are refused, not ignored. */
export function parseChatBody(text: string): ParsedChatBody {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { ok: false, message: 'The body is not valid JSON.' };
  }
  const parsed = BodySchema.safeParse(json);
  if (!parsed.success) return { ok: false, message: z.prettifyError(parsed.error) };
  const body = parsed.data;
  if (body.response_format && body.response_format.type !== 'text') {
    return {
      ok: false,
      message:
        'The built-in responder answers from a knowledge base only; it cannot produce structured output. Choose another model provider for that.',
    };
  }
  return {
    ok: true,
    conversation: toConversation(body),
    maxTokens: body.max_tokens ?? Number.POSITIVE_INFINITY,
    includeUsage: body.stream_options?.include_usage === true,
  };
}
