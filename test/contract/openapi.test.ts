import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { createContract, operationsOf } from '../../src/contract/contract.ts';
import { openApiDocument } from '../../src/contract/openapi.ts';
import {
  TOOL_EXAMPLE,
  ToolRequestSchema,
  ToolResultsSchema,
} from '../../src/contract/tool-server.ts';
import { WEBHOOK_KINDS } from '../../src/contract/webhook-kinds.ts';
import { readToolAnswer, serializeToolRequest } from '../../src/tools/function-tool/protocol.ts';
import { vendors } from './vendors.ts';

const operations = operationsOf(createContract(vendors));
const document = JSON.parse(JSON.stringify(openApiDocument(operations)));

interface Described {
  readonly post: {
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          readonly schema: { readonly properties: { readonly message: { readonly $ref: string } } };
        };
      };
    };
  };
}

function* walk(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Record<string, unknown>;
  for (const inner of Object.values(value)) yield* walk(inner);
}

describe('the OpenAPI document', () => {
  test('is 3.1, of version 1.1.0', () => {
    expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '1.1.0' } });
  });

  test('has every kind of message that an assistant can subscribe to in its webhooks section', () => {
    const { 'tool-calls': _tool, 'tests-failed': _tests, ...messages } = document.webhooks;
    expect(Object.keys(messages).sort()).toEqual([...WEBHOOK_KINDS].sort());
    for (const [kind, { post }] of Object.entries<Described>(messages)) {
      const { $ref } = post.requestBody.content['application/json'].schema.properties.message;
      const message = document.components.schemas[$ref.split('/').at(-1) ?? ''];
      expect(message.properties.type.const, kind).toBe(kind);
      expect(message.required).toEqual(
        expect.arrayContaining(['type', 'timestamp', 'call', 'assistant', 'messages']),
      );
    }
  });

  test("has the request to a tool's server and its answers, with examples that hold and a true signature", () => {
    const { post } = document.webhooks['tool-calls'];
    const { example } = post.requestBody.content['application/json'];
    expect(JSON.stringify(post)).toContain('toolCallList');
    expect(ToolRequestSchema.parse(example)).toEqual(example);
    const sent = serializeToolRequest({
      timestamp: example.message.timestamp,
      call: example.message.call,
      assistant: example.message.assistant,
      toolCall: example.message.toolCallList[0],
    });
    expect(sent).toBe(JSON.stringify(example));
    const headers = Object.fromEntries(
      (post.parameters as { name: string; example: string }[]).map((one) => [
        one.name,
        one.example,
      ]),
    );
    const { secret } = TOOL_EXAMPLE;
    const at = new Date(Number(headers['webhook-timestamp']) * 1000);
    const signed = new Webhook(secret).sign(headers['webhook-id'] as string, at, sent);
    expect(headers['webhook-signature']).toBe(signed);
    expect(post.description).toContain(secret);
    const { examples } = post.responses['2XX'].content['application/json'];
    for (const { value } of Object.values<{ value: unknown }>(examples)) {
      expect(ToolResultsSchema.parse(value)).toEqual(value);
      const outcome = readToolAnswer({
        status: 200,
        contentType: 'application/json',
        body: Buffer.from(JSON.stringify(value)),
        toolCallId: 'call_7',
      });
      expect(outcome.ok).toBe(
        !('error' in (value as typeof TOOL_EXAMPLE.answers.failed).results[0]),
      );
    }
  });

  test('has every operation once, each with its own id and the scheme of its keys; none by default', () => {
    expect(document.security).toEqual([]);
    expect(document.components.securitySchemes.bearer).toMatchObject({
      type: 'http',
      scheme: 'bearer',
    });
    const described = operations.map(
      ({ path, method }) => document.paths[path][method.toLowerCase()],
    );
    expect(described.map(({ security }) => security)).toEqual(
      operations.map(({ role }) => {
        if (role === 'anyone') return [];
        if (role === 'person') return [{ session: [] }];
        return [role === 'operator' ? { operator: [] } : { bearer: [] }];
      }),
    );
    expect(new Set(described.map(({ operationId }) => operationId)).size).toBe(operations.length);
  });

  test('names every path parameter', () => {
    for (const { path, method } of operations) {
      const parameters = document.paths[path][method.toLowerCase()].parameters ?? [];
      const named = parameters
        .filter((parameter: { in: string }) => parameter.in === 'path')
        .map(({ name }: { name: string }) => name);
      expect(named, path).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    }
  });

  test('refers only to components it has, and uses all it has', () => {
    const references = new Set<string>();
    for (const { $ref } of walk(document)) if (typeof $ref === 'string') references.add($ref);
    const components = Object.keys(document.components.schemas).map(
      (name) => `#/components/schemas/${name}`,
    );
    expect([...references].sort()).toEqual(components.sort());
  });

  test('shows the defaults and bounds of an assistant', () => {
    const { properties, required, additionalProperties } =
      document.components.schemas.AssistantInput;
    expect(required).toEqual(['name']);
    expect(additionalProperties).toBe(false);
    expect(properties.idleTimeout).toMatchObject({ minimum: 5, maximum: 600, default: 10 });
    expect(properties.assistantModel.examples).toHaveLength(4);
    expect(properties.startSpeakingOptions.default).toMatchObject({
      waitSeconds: 0.4,
      smartEndpointing: 'parley',
    });
    const missing = Object.entries<Record<string, unknown>>(properties).filter(
      ([name, schema]) => !['name', 'assistantWorkflow'].includes(name) && !('default' in schema),
    );
    expect(missing.map(([name]) => name)).toEqual([]);
  });

  test('gives the knowledge base area its own error shape and status', () => {
    const kb = document.paths['/kb/v1/knowledge-bases'].post.responses;
    expect(kb['422'].content['application/json'].schema.$ref).toMatch(/DetailValidationError$/);
    expect(kb['401'].content['application/json'].schema.$ref).toMatch(/DetailError$/);
    const other = document.paths['/assistants/v1/assistants'].post.responses;
    expect(other['400'].content['application/json'].schema.$ref).toMatch(/\/Error$/);
    expect(other['500'].content['application/json'].schema.$ref).toMatch(/InternalError$/);
  });
});
