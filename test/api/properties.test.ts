import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createContract, operationsOf } from '../../src/contract/contract.ts';
import { openApiDocument } from '../../src/contract/openapi.ts';
import type { JsonSchema } from '../../src/contract/openapi-schema.ts';
import {
  type Answer,
  startTestApi,
  type TestApi,
  type TestClient,
  testVendors,
} from '../support/api.ts';
import { runs } from '../support/effort.ts';
import { withDatabase } from '../support/postgres.ts';
import fc from '../support/properties.ts';
import { arbitraryOf } from '../support/schema-arbitrary.ts';
import { violationsOf, withValue } from '../support/schema-violations.ts';

const document = openApiDocument(operationsOf(createContract(testVendors)));
const components = document.components.schemas as Record<string, JsonSchema>;
const component = (name: string) => components[name] as JsonSchema;

/** Makes fields agree that depend on each other, since a JSON Schema does not express these rules. */
function agree(body: Record<string, unknown>): Record<string, unknown> {
  const custom = body.assistantProvider === 'custom-llm';
  const { assistantWorkflow: _workflow, assistantLLMUrl: _url, ...rest } = body;
  const server = rest.assistantServer as Record<string, unknown> | undefined;
  const hours = rest.callingHours as Record<string, unknown> | undefined;
  const speech = (rest.config as { speech?: { ttsData?: object[] } } | undefined)?.speech;
  return inKnownLanguages({
    ...rest,
    ...(custom ? { assistantLLMUrl: 'https://models.example/v1' } : {}),
    ...(rest.assistantType === undefined ? {} : { assistantType: 'single_prompt' }),
    ...(rest.assistantToolIds === undefined ? {} : { assistantToolIds: [] }),
    ...(rest.assistantKnowledgeBaseIds === undefined ? {} : { assistantKnowledgeBaseIds: [] }),
    ...('endCallMessage' in rest || 'endCallPhrases' in rest || 'endCallToolDescription' in rest
      ? { assistantPredefinedTools: { endCall: true } }
      : {}),
    ...(hours ? { callingHours: { ...hours, from: '08:00', to: '21:00', timeZone: '' } } : {}),
    ...(server ? { assistantServer: { ...server, enabled: false } } : {}),
    ...(speech?.ttsData
      ? {
          config: {
            speech: { ...speech, ttsData: speech.ttsData.map((v) => ({ ...v, enabled: true })) },
          },
        }
      : {}),
  }) as Record<string, unknown>;
}

/** Not every text in the form of a language tag names a language that exists. */
function inKnownLanguages(value: unknown, key?: string): unknown {
  if (Array.isArray(value)) return value.map((inner) => inKnownLanguages(inner));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, inKnownLanguages(inner, name)]),
    );
  return (key === 'language' || key === 'languages') && typeof value === 'string' && value !== ''
    ? 'nb-NO'
    : value;
}

function withoutRequired(fn: Record<string, unknown>): Record<string, unknown> {
  const { parameters } = fn;
  if (typeof parameters !== 'object') return fn;
  return { ...fn, parameters: { ...parameters, required: [] } };
}

/** The values that a patch sets. A `null` restores a default, which the patch does not contain. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutNulls(inner)]));
}

/** Making a counterexample smaller takes longer than a test may; its seed repeats it. */
const PROPERTY = { numRuns: runs({ usual: 20, long: 60 }), endOnFailure: true };

withDatabase('every body', ({ db, newTeam }) => {
  let api: TestApi;
  let ada: TestClient;
  let baseId: string;
  beforeAll(async () => {
    api = await startTestApi(db(), { limits: { rate: { perSecond: 1e6, burst: 1e6 } } });
    ada = await api.client(await newTeam());
    baseId = (await ada.post('/kb/v1/knowledge-bases', { title: 'Base' })).body.id;
  });
  afterAll(() => api.close());

  const accept = async (
    name: string,
    path: string,
    prepare: (body: Record<string, unknown>) => Record<string, unknown> = (body) => body,
  ): Promise<void> => {
    const property = fc.asyncProperty(arbitraryOf(component(name), components), async (raw) => {
      const body = prepare(raw as Record<string, unknown>);
      const answer: Answer = await ada.post(path, body);
      expect([200, 201], answer.text).toContain(answer.status);
      expect(answer.body).toMatchObject(body);
    });
    await fc.assert(property, PROPERTY);
  };

  describe('that is valid is accepted and comes back as it was sent', () => {
    test(
      'an assistant',
      () => accept('AssistantInput', '/assistants/v1/assistants', agree),
      60_000,
    );

    test('a tool', async () => {
      let count = 0;
      await accept('ToolInput', '/assistants/v1/tools', (tool) => ({
        ...tool,
        // Unique names and references to existing objects are rules beyond the schema.
        function: withoutRequired({ ...(tool.function as object), name: `tool_${++count}` }),
      }));
    });

    test(
      'a knowledge base',
      () => accept('KnowledgeBaseInput', '/kb/v1/knowledge-bases', ({ files: _, ...rest }) => rest),
      60_000,
    );

    test(
      'FAQ entries',
      () => accept('NewFaq', `/kb/v1/knowledge-bases/${baseId}/faq-template`),
      60_000,
    );

    test.each(['Twilio', 'Asterisk'])('a number of %s, but for its credentials', async (name) => {
      const provider = name.toLowerCase();
      let count = provider.length * 1_000_000;
      const property = fc.asyncProperty(
        arbitraryOf(component(`${name}NumberImport`), components),
        fc.record({ inboundEnabled: fc.boolean(), outboundEnabled: fc.boolean() }),
        async (raw, switches) => {
          const sent = { ...(raw as Record<string, unknown>), number: `+4780${++count}` };
          const { credentials, ...shown } = { credentials: undefined, ...sent };
          const answer: Answer = await ada.post(`/assistants/v1/numbers/${provider}`, sent);
          if (credentials === undefined && provider === 'twilio') {
            expect(answer.status).toBe(409);
            return;
          }
          expect(answer.status, answer.text).toBe(201);
          expect(answer.body).toMatchObject({ ...shown, provider: { name: provider } });
          const url = `/assistants/v1/numbers/${answer.body._id}`;
          expect((await ada.put(url, switches)).body).toMatchObject({ ...shown, ...switches });
          const read = await ada.get(url);
          for (const secret of Object.values(credentials ?? {}))
            if (String(secret).length > 8) expect(read.text).not.toContain(JSON.stringify(secret));
          // A team may have only so many accounts.
          expect((await ada.delete(url)).status).toBe(200);
        },
      );
      await fc.assert(property, PROPERTY);
    });

    test('a patch of an assistant: what it names changes, the rest stays', async () => {
      const { _id } = (await ada.post('/assistants/v1/assistants', { name: 'Patched' })).body;
      const url = `/assistants/v1/assistants/${_id}`;
      const property = fc.asyncProperty(
        arbitraryOf(component('AssistantPatch'), components),
        async (raw) => {
          const before: Answer = await ada.get(url);
          const { assistantProvider: _, ...named } = raw as Record<string, unknown>;
          const patch = { ...agree(named), assistantPredefinedTools: { endCall: true } };
          const answer: Answer = await ada.patch(url, patch);
          expect(answer.status, answer.text).toBe(200);
          const after: Answer = await ada.get(url);
          const { warnings: _warned, ...changed } = answer.body;
          expect(after.body).toEqual(changed);
          expect(after.body).toMatchObject(withoutNulls(patch) as object);
          for (const field of Object.keys(before.body))
            if (!(field in patch) && field !== 'updatedAt')
              expect(after.body[field], field).toEqual(before.body[field]);
        },
      );
      await fc.assert(property, PROPERTY);
    });
  });

  describe.each([
    ['AssistantInput', '/assistants/v1/assistants', { name: 'A' }],
    [
      'ConnectInput',
      '/calls/v1/conversations/connect',
      { direction: 'inbound', assistant: { name: 'A' } },
    ],
    [
      'ToolInput',
      '/assistants/v1/tools',
      { function: { name: 'a' }, server: { url: 'https://tools.example' } },
    ],
    ['TwilioNumberImport', '/assistants/v1/numbers/twilio', { number: '+14155550100' }],
    ['TelnyxNumberImport', '/assistants/v1/numbers/telnyx', { number: '+14155550100' }],
    ['AsteriskNumberImport', '/assistants/v1/numbers/asterisk', { number: '+14155550100' }],
    [
      'NumberPurchase',
      '/assistants/v1/numbers/purchase',
      { provider: 'twilio', number: '+14155550100' },
    ],
    ['ApiKeyInput', '/auth/v1/api-keys', { name: 'A' }],
    ['KnowledgeBaseInput', '/kb/v1/knowledge-bases', { title: 'A' }],
    ['KnowledgeSearch', '/kb/v1/knowledge-bases/BASE/search', { query: 'q' }],
    [
      'NewFaq',
      '/kb/v1/knowledge-bases/BASE/faq-template',
      { faq: [{ question: 'q', answer: 'a' }] },
    ],
  ] as const)('with a single fault in %s', (name, path, good) => {
    test('is refused, and the refusal names the field', async () => {
      const violations = [...violationsOf(component(name), components)];
      expect(violations.length).toBeGreaterThan(2);

      for (const { path: at, rule, value, named } of violations) {
        const answer: Answer = await ada.post(
          path.replace('BASE', baseId),
          withValue(good, at, value),
        );
        const label = `${named} ${rule}: ${answer.text.slice(0, 300)}`;
        expect([400, 422], label).toContain(answer.status);
        const faults: string[] = answer.body.detail
          ? answer.body.detail.errors.map((fault: { path: string }) => fault.path)
          : answer.body.message.split('; ').map((text: string) => text.split(':')[0]);
        expect(faults, label).toContain(named);
      }
    });
  });
});
