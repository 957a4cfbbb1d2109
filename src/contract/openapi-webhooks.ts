import { z } from 'zod';
import type { JsonSchema, OpenApiSchemas } from './openapi-schema.ts';
import { TestsFailedMessageSchema } from './tests-failed.ts';
import { TOOL_EXAMPLE, ToolRequestSchema, ToolResultsSchema } from './tool-server.ts';
import { webhookMessages } from './webhooks.ts';

export const WEBHOOK_TAG = 'Webhooks';

const DESCRIPTION =
  "Sent to `assistantServer.url` when `assistantServer.messages` includes the kind: at least once, in order within a call, repeated with growing pauses for 24 hours. Any 2xx accepts it; 410 stops further attempts. `webhook-id` is the same in every attempt, so that a receiver can detect repetitions. Signed by the [Standard Webhooks](https://www.standardwebhooks.com) scheme with the server's secret, which is also sent in `X-Webhook-Secret`. The standard's libraries accept a secret that begins with `whsec_` directly; for any other, use `new Webhook(Buffer.from(secret), {format: 'raw'})`.";

const header = (name: string, description: string, required: boolean): JsonSchema => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string' },
});

const HEADERS = [
  header('webhook-id', 'Of the message; the same in every attempt.', true),
  header('webhook-timestamp', 'Of the attempt, Unix time in seconds.', true),
  header('webhook-signature', '`v1,` and the base64 HMAC-SHA256, where there is a secret.', false),
  header('X-Webhook-Secret', 'The secret itself, where there is one.', false),
];

const TOOL_DESCRIPTION =
  "Sent to a tool's `server.url` when the model asks for the tool, once for each call of the tool, with the tool's own `server.headers`. The timeout is `server.timeoutSeconds`. `toolCallList` names the tool and the model's arguments, which have been checked against `function.parameters`. Signed by the Standard Webhooks scheme: `webhook-signature` is `v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` with the key `server.secret` (base64 after `whsec_`, else its UTF-8 bytes), which is also sent in `X-Webhook-Secret`. The example is signed with `" +
  `${TOOL_EXAMPLE.secret}\`.`;

/** Documents the request to a tool's server and its response. */
function describeToolCalls(schemas: OpenApiSchemas): JsonSchema {
  const { headers, request, answers } = TOOL_EXAMPLE;
  const examples = Object.entries(headers);
  const parameters = [
    header('idempotency-key', '`<call id>:<tool call id>`.', true),
    ...HEADERS,
  ].map((one) => ({ ...one, example: examples.find(([name]) => name === one.name)?.[1] }));
  const summaries = {
    result: 'A result for the model',
    spoken: 'A result with a spoken message',
    failed: 'A failure, told to the model',
  } satisfies Record<keyof typeof answers, string>;
  return {
    operationId: 'on-tool-calls',
    tags: [WEBHOOK_TAG],
    summary: 'A tool is called',
    description: TOOL_DESCRIPTION,
    security: [],
    parameters,
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: schemas.convert(ToolRequestSchema, 'output'),
          example: request,
        },
      },
    },
    responses: {
      '2XX': {
        description:
          'What came of it: `results`, or any other JSON value or text, which is then the result of the call.',
        content: {
          'application/json': {
            schema: schemas.convert(ToolResultsSchema, 'input'),
            examples: Object.fromEntries(
              Object.entries(answers).map(([name, value]) => [
                name,
                { summary: summaries[name as keyof typeof answers], value },
              ]),
            ),
          },
          'text/plain': { schema: { type: 'string' }, example: 'Booked for half past nine.' },
        },
      },
      default: {
        description: 'The tool failed: the model is told the status and the first 500 characters.',
      },
    },
  };
}

const FAILED_TESTS_DESCRIPTION =
  'Sent to `assistantServer.url`, whatever `assistantServer.messages` includes, when tests fail in a nightly run that passed in the one before: at least once, repeated with growing pauses for some two hours. Signed like the other webhooks.';

/** Documents a message to a user's server. */
function describeMessage(
  schemas: OpenApiSchemas,
  kind: string,
  {
    summary,
    schema,
    description,
  }: { readonly summary: string; readonly schema: z.ZodType; readonly description: string },
): JsonSchema {
  const body = schemas.convert(z.strictObject({ message: schema }), 'output');
  return {
    operationId: `on-${kind}`,
    tags: [WEBHOOK_TAG],
    summary,
    description,
    security: [],
    parameters: HEADERS,
    requestBody: { required: true, content: { 'application/json': { schema: body } } },
    responses: {
      '2XX': { description: 'Accepted. The body is ignored.' },
      410: { description: 'The webhook is not sent again.' },
    },
  };
}

/** Documents the webhooks, for the section `webhooks`. */
export function describeWebhooks(schemas: OpenApiSchemas): Record<string, JsonSchema> {
  const described = Object.entries(webhookMessages).map(([kind, message]) => {
    const post = describeMessage(schemas, kind, { ...message, description: DESCRIPTION });
    return [kind, { post }] as const;
  });
  const failedTests = describeMessage(schemas, 'tests-failed', {
    summary: 'Tests that passed fail in a nightly run',
    schema: TestsFailedMessageSchema,
    description: FAILED_TESTS_DESCRIPTION,
  });
  return {
    ...Object.fromEntries(described),
    'tests-failed': { post: failedTests },
    'tool-calls': { post: describeToolCalls(schemas) },
  };
}
