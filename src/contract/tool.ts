import { z } from 'zod';
import {
  DateTimeSchema,
  HeadersSchema,
  IdSchema,
  JsonSchemaObjectSchema,
  SigningSecretSchema,
  text,
} from './atoms.ts';
import { isReservedToolName } from './reserved-tool-names.ts';

const JSON_TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'] as const;
const JsonTypeSchema = z.enum(JSON_TYPES);

// Loose, since users may use any other keywords of JSON Schema.
const PropertySchema = z.looseObject({
  type: z.union([JsonTypeSchema, z.array(JsonTypeSchema).min(1)]).optional(),
  format: text(100).optional(),
  description: text(5000).optional(),
  example: z.unknown().optional(),
});

const ParametersSchema = z
  .strictObject({
    type: z.literal('object').default('object'),
    properties: z.record(text(100).min(1), PropertySchema).default({}),
    required: z.array(text(100)).max(200).default([]),
    additionalProperties: z.boolean().default(false),
  })
  .check((context) => {
    const { properties, required } = context.value;
    for (const [index, name] of required.entries()) {
      if (Object.hasOwn(properties, name)) continue;
      context.issues.push({
        code: 'custom',
        path: ['required', index],
        message: `names no property: ${name}`,
        input: name,
      });
    }
  });

const ToolFunctionSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[\w-]{1,64}$/, 'must be 1 to 64 letters, digits, dashes or underscores')
    .refine((name) => !isReservedToolName(name), 'is the name of a predefined tool'),
  description: text(5000).default('').describe('Tells the model when and how to use the tool.'),
  parameters: ParametersSchema.prefault({}).describe('JSON Schema of the arguments.'),
  strict: z.boolean().default(false),
});

const content = text(5000);
const role = z
  .enum(['assistant', 'system'])
  .default('assistant')
  .describe('`assistant`: spoken; `system`: a hint to the model.');
const endCallAfterSpokenEnabled = z.boolean().default(false);

/** Texts spoken around a call of the tool. */
const ToolMessageSchema = z.discriminatedUnion('type', [
  z
    .strictObject({
      type: z.literal('request-start'),
      content,
      blocking: z
        .boolean()
        .default(false)
        .describe('The server is not called before this has been said.'),
    })
    .describe('ToolMessageStart: said when the call to the server starts; of several, one.'),
  z
    .strictObject({
      type: z.literal('request-response-delayed'),
      content,
      timingMilliseconds: z.int().min(100).max(120_000).default(3000),
    })
    .describe('ToolMessageDelayed: said while waiting; several timings are stages.'),
  z
    .strictObject({ type: z.literal('request-complete'), content, role, endCallAfterSpokenEnabled })
    .describe(
      'ToolMessageComplete: said when the server has answered, instead of asking the model.',
    ),
  z
    .strictObject({ type: z.literal('request-failed'), content, role, endCallAfterSpokenEnabled })
    .describe('ToolMessageFailed: said when the server failed or took too long.'),
]);

const ToolServerSchema = z.strictObject({
  url: z
    .string()
    .max(2000)
    .regex(/^https?:\/\/[^\s/?#]+[^\s]*$/, 'must be an absolute http(s) URL'),
  timeoutSeconds: z.number().min(1).max(300).default(20),
  secret: SigningSecretSchema.default(''),
  headers: HeadersSchema.default({}),
  idempotent: z
    .boolean()
    .optional()
    .describe(
      'The server knows a repeated request by its `idempotency-key`, so it may be asked again for an answer that was lost.',
    ),
});

const editable = {
  async: z
    .boolean()
    .default(false)
    .describe('true: the assistant goes on without waiting for the server.'),
  function: ToolFunctionSchema,
  messages: z.array(ToolMessageSchema).max(50).default([]),
  server: ToolServerSchema,
  mcpTools: z
    .array(text(200).min(1))
    .max(64)
    .optional()
    .describe(
      'Of a tool of type `mcp`: which tools of the server are offered, by name; empty: all.',
    ),
};

/** The fields of a tool that a PATCH may change. */
export const ToolEditableSchema = z.strictObject(editable);

/** The configuration of a tool. */
export const ToolConfigSchema = z
  .strictObject({
    type: z
      .enum(['function', 'mcp'])
      .default('function')
      .describe(
        '`function`: one function, described here. `mcp`: the tools that a server of the Model Context Protocol lists, over streamable HTTP, when a call begins; `function.name` stands before names that are taken.',
      ),
    ...editable,
  })
  .meta({ title: 'ToolInput' });

export const ToolSchema = z
  .strictObject({
    _id: IdSchema,
    teamId: IdSchema,
    ...ToolConfigSchema.shape,
    createdAt: DateTimeSchema,
    updatedAt: DateTimeSchema,
  })
  .meta({ title: 'Tool' });

/** The request that tests a tool. */
export const ToolTestSchema = z
  .strictObject({
    arguments: JsonSchemaObjectSchema.default({}).describe(
      'As a model would send them; they must match `function.parameters`.',
    ),
    tool: text(200)
      .min(1)
      .optional()
      .describe('Of a tool of type `mcp`: the name of the tool to call; absent: tools are listed.'),
  })
  .meta({ title: 'ToolTest' });

export const ToolTrialSchema = z
  .strictObject({
    ok: z.boolean(),
    result: z.string().optional().describe('What the model is given.'),
    error: z.string().optional().describe('The error that the model is told.'),
    message: z.string().optional().describe('Spoken instead of asking the model.'),
    status: z.int().optional().describe("Of the server's answer; absent: none came."),
    body: z.string().optional().describe('The answer as it came, up to 20,000 characters.'),
    durationMs: z.number(),
    tools: z
      .array(
        z.strictObject({
          name: z.string(),
          description: z.string(),
          readOnly: z.boolean().describe('It says that it changes nothing.'),
          parameters: JsonSchemaObjectSchema,
        }),
      )
      .optional()
      .describe('What a server of the Model Context Protocol lists.'),
  })
  .meta({ title: 'ToolTrial' });

export type ToolConfig = z.output<typeof ToolConfigSchema>;
export type Tool = z.output<typeof ToolSchema>;
export type ToolTrial = z.output<typeof ToolTrialSchema>;
