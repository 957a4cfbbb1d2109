import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Client } from '../../src/client/client.ts';
import { sharedService } from '../support/shared-service.ts';
import { unmetIn } from '../support/unmet.ts';

const TO = '+15005550123';
const RUN_MS = 60_000;

const FILE = {
  model: [
    { tool: 'callForward', result: 'failed: (busy|no-answer|declined)', say: 'They cannot talk.' },
    { heard: 'a person', call: { name: 'callForward' } },
    { say: 'What can I do?' },
  ],
  tests: [
    {
      name: 'put through',
      turns: [
        {
          say: 'I want a person',
          expect: [{ transfer: { to: TO, result: 'answered' } }, { tool: 'callForward' }],
        },
      ],
      expect: [{ outcome: 'transferred' }],
    },
    ...(['busy', 'no-answer', 'declined'] as const).map((operator) => ({
      name: operator,
      operator,
      turns: [
        {
          say: 'I want a person',
          expect: [{ transfer: { result: operator } }, { contains: 'They cannot talk' }],
        },
      ],
      expect: [{ outcome: 'user-hung-up' }],
    })),
    {
      name: 'the second time',
      operator: ['busy', 'answered'],
      turns: [
        { say: 'I want a person', expect: [{ transfer: { result: 'busy' } }] },
        { say: 'I still want a person', expect: [{ transfer: { result: 'answered' } }] },
      ],
    },
    {
      name: 'nobody',
      turns: [{ say: 'Hello' }],
      expect: [{ noTransfer: true }, { noTool: 'callForward' }],
    },
    { name: 'wrong', turns: [{ say: 'Hello' }], expect: [{ transfer: { to: TO } }] },
  ],
};

describe('tests of transfers', () => {
  let service: Awaited<ReturnType<typeof sharedService>>;
  let client: Client;
  beforeAll(async () => {
    service = await sharedService();
    client = new Client({ baseUrl: `${service.url}/`, apiKey: service.key });
  });
  afterAll(() => service[Symbol.asyncDispose]());

  test.each(['blind', 'conversational'] as const)(
    'operators do what the test says, in a transfer that is %s',
    async (mode) => {
      const { _id: assistantId } = await client.call('createAssistant', {
        body: {
          name: `Desk ${mode}`,
          welcomeMessage: 'Good day.',
          assistantProvider: 'offline',
          assistantPredefinedTools: { callForward: true },
          callForwardData: { phoneNumber: TO },
          warmTransferEnabled: mode === 'conversational',
          warmTransferConversational: mode === 'conversational',
        },
      });
      // Without a briefing nobody can decline.
      const tests = FILE.tests.filter(({ name }) => mode !== 'blind' || name !== 'declined');
      const { id } = await client.call('startTestRun', {
        body: { assistantId, source: JSON.stringify({ ...FILE, tests }) },
      });
      const run = () => client.call('getTestRun', { path: { id } });
      await expect.poll(async () => (await run()).status, { timeout: RUN_MS }).toBe('finished');
      const { results } = await run();
      const held = JSON.stringify(results.map(({ transcript }) => transcript));
      expect(unmetIn(results), held).toEqual(['wrong: nobody was dialled']);
    },
    RUN_MS,
  );
});
