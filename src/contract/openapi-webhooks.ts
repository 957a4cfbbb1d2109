import { z } from 'zod';
import type { JsonSchema, OpenApiSchemas } from './openapi-schema.ts';
import { webhookMessages } from './webhooks.ts';

export const WEBHOOK_TAG = 'Webhooks';

const DESCRIPTION =
  "Sent to `assistantServer.url` when `assistantServer.messages` names the kind: at least once, in order within a call, again with growing pauses for 24 hours. Any 2xx takes it; 410 says never to send it again. `webhook-id` is the same in every attempt, so that a receiver can tell what it has. Signed by the [Standard Webhooks](https://www.standardwebhooks.com) scheme under the server's secret, which also stands in `X-Webhook-Secret`. A secret that begins with `whsec_` is taken by the standard's libraries as it is; for any other, `new Webhook(Buffer.from(secret), {format: 'raw'})`.";

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

/** The messages to users' servers, for the `webhooks` section. */
export function describeWebhooks(schemas: OpenApiSchemas): Record<string, JsonSchema> {
  const described = Object.entries(webhookMessages).map(([kind, { summary, schema }]) => {
    const body = schemas.convert(z.strictObject({ message: schema }), 'output');
    const operation: JsonSchema = {
      operationId: `on-${kind}`,
      tags: [WEBHOOK_TAG],
      summary,
      description: DESCRIPTION,
      security: [],
      parameters: HEADERS,
      requestBody: { required: true, content: { 'application/json': { schema: body } } },
      responses: {
        '2XX': { description: 'Taken. The body is not used.' },
        410: { description: 'Never to be sent again.' },
      },
    };
    return [kind, { post: operation }] as const;
  });
  return Object.fromEntries(described);
}
