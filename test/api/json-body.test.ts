import fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendError } from '../../src/api/framework-errors.ts';
import { acceptJsonBodies } from '../../src/api/json-body.ts';
import { cpuMsOf } from '../support/cpu-time.ts';
import fc from '../support/properties.ts';

const MAX_VALUES = 20;
const app = fastify({ bodyLimit: 1_100_000 });
beforeAll(async () => {
  acceptJsonBodies(app, { maxDepth: 32, maxValues: MAX_VALUES });
  app.setErrorHandler(sendError);
  app.post('/', async ({ body }) => ({ body }));
  await app.ready();
});
afterAll(() => app.close());

const post = (payload: string) =>
  app.inject({
    method: 'POST',
    url: '/',
    headers: { 'content-type': 'application/json' },
    payload,
  });

/** Values on all levels of parsed JSON, the topmost left out. */
function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, inner) => sum + 1 + valuesIn(inner), 0);
}

describe('the number of values in a body', () => {
  test('is told from its text as from what is parsed, whatever stands in it', async () => {
    const bodies = fc.jsonValue({ maxDepth: 4 });
    await fc.assert(
      fc.asyncProperty(bodies, fc.nat(3), async (value, indent) => {
        const { statusCode, body } = await post(JSON.stringify(value, undefined, indent));
        const isMany = valuesIn(value) > MAX_VALUES;
        expect(body.includes('must not hold more than 20 values')).toBe(isMany);
        if (isMany) expect(statusCode).toBe(400);
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ['brackets and commas in texts', '["[,{,\\"[,",{"a,[":"\\\\"}]', 3],
    ['empty ones', '[[],{},[ ],{\n}]', 4],
  ])('%s', async (_, text, count) => {
    expect(valuesIn(JSON.parse(text))).toBe(count);
    expect((await post(text)).statusCode).toBe(200);
  });

  test('half a million are refused before they are parsed', async () => {
    const half = 500_000;
    for (const text of [`${'['.repeat(half)}${']'.repeat(half)}`, `[${'1,'.repeat(half)}1]`]) {
      const parsed = cpuMsOf(() => JSON.parse(text));
      const before = process.threadCpuUsage();
      const { body } = await post(text);
      const { user } = process.threadCpuUsage(before);
      expect(body).toContain('must not hold more than 20 values');
      expect(user / 1000, `parsing takes ${parsed} ms`).toBeLessThan(parsed + 5);
    }
  });
});
