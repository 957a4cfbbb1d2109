import { afterAll, beforeAll, expect, test } from 'vitest';
import { createContract, operationsOf } from '../../src/contract/contract.ts';
import { openApiDocument } from '../../src/contract/openapi.ts';
import type { JsonSchema } from '../../src/contract/openapi-schema.ts';
import { startTestApi, type TestApi, type TestClient, testVendors } from '../support/api.ts';
import { runs } from '../support/effort.ts';
import { withDatabase } from '../support/postgres.ts';
import fc from '../support/properties.ts';
import { arbitraryOf } from '../support/schema-arbitrary.ts';
import { withValue } from '../support/schema-violations.ts';

const operations = operationsOf(createContract(testVendors));
const document = JSON.parse(JSON.stringify(openApiDocument(operations)));
const components: Record<string, JsonSchema> = document.components.schemas;

/** Arbitrary JSON values, including many that are invalid here. */
const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(null, '', '\0', '\ud800', -0, 1e308, 2 ** 53, [], {}, { __proto__: null }),
  fc.string({ unit: 'binary' }),
);

/** Paths into a body, mostly of known fields. */
function pathArbitrary(body: unknown): fc.Arbitrary<(string | number)[]> {
  const keys = typeof body === 'object' && body !== null ? Object.keys(body) : [];
  const key = keys.length > 0 ? fc.constantFrom(...keys) : fc.string({ maxLength: 5 });
  return fc.array(fc.oneof(key, fc.string({ maxLength: 8 }), fc.nat(3)), {
    minLength: 1,
    maxLength: 3,
  });
}

const strangeId = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.constantFrom('..', '.', '%', '\0', "' or 1=1 --", 'WC-', '​', 'x'.repeat(600)),
);

withDatabase('whatever is sent', ({ db, newTeam }) => {
  let api: TestApi;
  let ada: TestClient;
  const ids: string[] = [];
  beforeAll(async () => {
    api = await startTestApi(db(), { limits: { rate: { perSecond: 1e6, burst: 1e6 } } });
    ada = await api.client(await newTeam());
    const base = (await ada.post('/kb/v1/knowledge-bases', { title: 'Base' })).body;
    const { faq } = (
      await ada.post(`/kb/v1/knowledge-bases/${base.id}/faq-template`, {
        faq: [{ question: 'q', answer: 'a' }],
      })
    ).body;
    const assistant = (await ada.post('/assistants/v1/assistants', { name: 'A' })).body;
    const call = (
      await ada.post('/calls/v1/conversations/connect', {
        direction: 'inbound',
        assistantId: assistant._id,
      })
    ).body;
    const number = (await ada.post('/assistants/v1/numbers/asterisk', { number: '+4712345678' }))
      .body;
    ids.push(base.id, assistant._id, call.id, faq[0].id, number._id);
  });
  afterAll(() => api.close());

  /**
   * Requests may succeed or be rejected as documented, but never fail; the client checks each response by its schema.
   */
  const expectNoFailure = async (method: string, url: string, body?: unknown) => {
    const answer = await ada.send(method, url, body === undefined ? {} : { body });
    const about = `${method} ${url} ${answer.text.slice(0, 200)}\n${api.log.at(-1)}`;
    expect(answer.status, about).toBeLessThan(500);
  };

  const address = (path: string) =>
    fc
      .array(fc.oneof({ weight: 3, arbitrary: fc.nat(4) }, strangeId), {
        minLength: 2,
        maxLength: 2,
      })
      .map((parts) => {
        const named = parts.map((part) =>
          typeof part === 'number' ? (ids[part] as string) : part,
        );
        return path.replaceAll(/\{\w+\}/g, () =>
          encodeURIComponent((named.shift() ?? 'x').toWellFormed()),
        );
      });

  const bodied = operations.filter(({ body }) => body !== undefined);
  test.each(bodied.map((operation) => [operation.id, operation] as const))(
    '%s never fails',
    async (_, operation) => {
      const { schema } =
        document.paths[operation.path][operation.method.toLowerCase()].requestBody.content[
          'application/json'
        ];
      const body = arbitraryOf(schema, components);
      const broken = body.chain((value) =>
        fc
          .tuple(pathArbitrary(value), anything)
          .map(([path, wrong]) => withValue(value, path, wrong)),
      );
      await fc.assert(
        fc.asyncProperty(
          address(operation.path),
          fc.oneof(body, broken, anything),
          async (url, sent) => {
            await expectNoFailure(operation.method, url, JSON.stringify(sent) ?? 'null');
          },
        ),
        { numRuns: runs({ usual: 15, long: 40 }) },
      );
    },
  );

  test('raw bytes as a body never fail', async () => {
    const raw = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json().map((json) => json.slice(1)),
      fc.nat(3000).map((depth) => '['.repeat(depth)),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...bodied), raw, async (operation, body) => {
        const url = operation.path.replaceAll(/\{\w+\}/g, ids[0] as string);
        await expectNoFailure(operation.method, url, body);
      }),
      { numRuns: runs({ usual: 50, long: 150 }) },
    );
  });

  test('odd ids and queries never fail', async () => {
    const reads = operations.filter(({ method }) => method === 'GET');
    const query = fc.dictionary(
      fc.oneof(
        fc.constantFrom('limit', 'cursor', 'page', 'size', 'sort', 'order', 'startDate', 'format'),
        fc.string({ maxLength: 5 }),
      ),
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 20 }),
        fc.constantFrom('1', '1000', '9'.repeat(30), '-1', '1e9', '2026-02-30', '\0', 'asc'),
      ),
      { maxKeys: 3 },
    );
    const request = fc.constantFrom(...reads).chain(({ path }) => fc.tuple(address(path), query));
    await fc.assert(
      fc.asyncProperty(request, async ([url, parameters]) => {
        const pairs = Object.entries(parameters).map(
          ([key, value]) =>
            `${encodeURIComponent(key.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`,
        );
        await expectNoFailure('GET', `${url}?${pairs.join('&')}`);
      }),
      { numRuns: runs({ usual: 100, long: 300 }) },
    );
  });

  test('any text finds or does not find, and never fails', async () => {
    const url = `/kb/v1/knowledge-bases/${ids[0]}`;
    const odd = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1 }),
      fc.stringMatching(/^[一か่a'&|!():*\\ -]{1,12}$/),
    );
    await fc.assert(
      fc.asyncProperty(odd, async (text) => {
        await expectNoFailure('POST', `${url}/search`, JSON.stringify({ query: text }));
        const faq = [{ question: text, answer: text, category: text }];
        await expectNoFailure('POST', `${url}/faq-template`, JSON.stringify({ faq }));
      }),
      { numRuns: runs({ usual: 50, long: 150 }) },
    );
  });
});
