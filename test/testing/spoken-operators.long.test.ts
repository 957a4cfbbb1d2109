import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Client } from '../../src/client/client.ts';
import { sharedService } from '../support/shared-service.ts';
import { transferAssistant, transferTests } from '../support/transfer-tests.ts';
import { unmetIn } from '../support/unmet.ts';

const RUN_MS = 120_000;

describe('operators in tests that are spoken in virtual time', () => {
  let service: Awaited<ReturnType<typeof sharedService>>;
  let client: Client;
  beforeAll(async () => {
    service = await sharedService();
    client = new Client({ baseUrl: `${service.url}/`, apiKey: service.key });
  });
  afterAll(() => service[Symbol.asyncDispose]());

  test.each(['conversational', 'blind', 'announced'] as const)(
    'do what they do without sound, in a transfer that is %s',
    async (mode) => {
      const { _id: assistantId } = await client.call('createAssistant', {
        body: transferAssistant(mode),
      });
      const all = transferTests(mode);
      const run = async (spoken?: { conditions: ['clean'] }) => {
        const source = JSON.stringify(all);
        const { id } = await client.call('startTestRun', {
          body: { assistantId, source, ...(spoken ? { spoken } : {}) },
        });
        const read = () => client.call('getTestRun', { path: { id } });
        await expect.poll(async () => (await read()).status, { timeout: RUN_MS }).toBe('finished');
        return (await read()).results;
      };
      const spoken = await run({ conditions: ['clean'] });
      expect(spoken).toHaveLength(all.tests.length);
      expect(JSON.stringify(await run({ conditions: ['clean'] }))).toBe(JSON.stringify(spoken));
      for (const results of [await run(), spoken]) {
        const held = JSON.stringify(results.map(({ transcript }) => transcript));
        expect(unmetIn(results), held).toEqual([]);
      }
    },
    2 * RUN_MS,
  );
});
