import { deserialize, serialize } from 'node:v8';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { largeBody } from '../../src/api/json-body.ts';
import { LargeBodies } from '../../src/api/large-bodies.ts';
import { createContract, operationsOf } from '../../src/contract/contract.ts';
import { openApiDocument } from '../../src/contract/openapi.ts';
import type { JsonSchema } from '../../src/contract/openapi-schema.ts';
import { validate } from '../../src/contract/validation.ts';
import { startTestApi, type TestApi, type TestClient, testVendors } from '../support/api.ts';
import { withDatabase } from '../support/postgres.ts';
import fc from '../support/properties.ts';
import { arbitraryOf } from '../support/schema-arbitrary.ts';

const ASSISTANTS = '/assistants/v1/assistants';
const BASES = '/kb/v1/knowledge-bases';

/** Watches until the test is over what is parsed on this thread. */
function watchThread() {
  const parsed = vi.spyOn(JSON, 'parse');
  onTestFinished(() => parsed.mockRestore());
  return { hasParsed: (body: object) => texts(parsed.mock.calls).has(JSON.stringify(body)) };
}
const texts = (calls: readonly (readonly unknown[])[]) => new Set(calls.map(([text]) => text));

const faqOf = (entries: number, answer: string) =>
  Array.from({ length: entries }, (_, n) => ({ question: `What is ${n}?`, answer }));

withDatabase('large bodies', ({ db, newTeam }) => {
  let api: TestApi;
  let ada: TestClient;
  beforeAll(async () => {
    api = await startTestApi(db());
    ada = await api.client(await newTeam());
  });
  afterAll(() => api.close());

  const newBase = async (): Promise<string> => (await ada.post(BASES, { title: 'Large' })).body.id;

  test('a long one is taken as a short one is, and parsed elsewhere', async () => {
    const id = await newBase();
    const { hasParsed } = watchThread();
    const faq = faqOf(100, 'a long answer. '.repeat(60));
    expect(JSON.stringify({ faq }).length).toBeGreaterThan(largeBody.bytes);
    const { status } = await ada.post(`${BASES}/${id}/faq-template`, { faq });
    expect(status).toBeLessThan(300);
    expect(hasParsed({ faq })).toBe(false);
    const kept = await ada.get(`${BASES}/${id}/faq-template`);
    expect(kept.body.faq).toMatchObject(faq);
  });

  test('a short one is parsed here, without a thread', async () => {
    const { hasParsed } = watchThread();
    const body = { name: 'Short' };
    expect((await ada.post(ASSISTANTS, body)).status).toBe(201);
    expect(hasParsed(body)).toBe(true);
  });

  test.each([
    ['long', { name: 'a'.repeat(largeBody.bytes) }],
    ['of many values', { name: 'x', variables: Array.from({ length: largeBody.values }, () => 1) }],
    ['of many fields', Object.fromEntries(Array.from({ length: 2500 }, (_, n) => [`k${n}`, n]))],
    [
      'deep',
      { name: 'x', config: JSON.parse(`${'['.repeat(40)}${'1,'.repeat(2000)}1${']'.repeat(40)}`) },
    ],
  ])('one that is %s and wrong has its faults named, and is not parsed here', async (_, body) => {
    const { hasParsed } = watchThread();
    const answer = await ada.post(ASSISTANTS, body);
    expect(answer.status).toBe(400);
    expect(hasParsed(body)).toBe(false);
    expect(answer.body.message).toMatch(/name: must|unknown field|nested deeper|must be/);
  });

  test('one that is no JSON is malformed', async () => {
    const headers = { 'content-type': 'application/json' };
    const broken = Buffer.from(`{"name":"${'a'.repeat(largeBody.bytes)}`);
    expect(await ada.sendBytes(ASSISTANTS, broken, headers)).toMatchObject({
      status: 400,
      body: { message: 'The body is not valid JSON' },
    });
  });

  test.each(['/none', '/assistants/v1/none', '/kb/v1/none', '/public/v1/none', '/admin/v1/none'])(
    'one that is sent to %s, where nothing is, is read nowhere',
    async (nowhere) => {
      const { hasParsed } = watchThread();
      const read = vi.spyOn(LargeBodies.prototype, 'read');
      onTestFinished(() => read.mockRestore());
      const json = { 'content-type': 'application/json' };
      const body = { name: `a${nowhere}`.repeat(largeBody.bytes / 4) };
      const broken = '{"name":['.repeat(20_000);
      for (const text of [JSON.stringify(body), broken]) {
        const answer = await ada.sendBytes(nowhere, Buffer.from(text), json);
        expect(answer).toMatchObject({ status: 404, text: expect.stringContaining('Not found') });
      }
      expect(hasParsed(body)).toBe(false);
      expect(read).not.toHaveBeenCalled();
      // Where something is, the same is read, elsewhere.
      expect((await ada.sendBytes(ASSISTANTS, Buffer.from(broken), json)).status).toBe(400);
      expect(read).toHaveBeenCalledOnce();
    },
  );

  test('the same with an Idempotency-Key is done once, another one is refused', async () => {
    const long = (text: string) => ({ name: 'Once', assistantSystemPrompt: text.repeat(90_000) });
    const key = { 'idempotency-key': 'large' };
    const first = await ada.post(ASSISTANTS, long('a'), key);
    const second = await ada.post(ASSISTANTS, long('a'), key);
    expect(first.status).toBe(201);
    expect(second).toMatchObject({ status: 201, body: first.body });
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect((await ada.post(ASSISTANTS, long('b'), key)).status).toBe(409);
  });
});

describe('what comes back from the thread', () => {
  const operations = operationsOf(createContract(testVendors)).filter(({ body }) => body);
  const document = openApiDocument(operations);
  const components = document.components.schemas as Record<string, JsonSchema>;

  test.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s: is what its schema made of the body',
    (_, { body, path, method }) => {
      // biome-ignore lint/suspicious/noExplicitAny: the description of a body that there is.
      const described = (document.paths as any)[path][method.toLowerCase()].requestBody;
      const schema = described.content['application/json'].schema;
      if (!body) throw new Error('no body');
      for (const sample of fc.sample(arbitraryOf(schema, components), { numRuns: 20, seed: 1 })) {
        const checked = validate(body, sample);
        if (checked.ok) expect(deserialize(serialize(checked.value))).toStrictEqual(checked.value);
      }
    },
  );
});
