import { describe, expect, test } from 'vitest';
import { Client } from '../../src/client/client.ts';
import { changeAssistantBases } from '../../src/console/knowledge/change-assistant-bases.ts';
import { changeBase } from '../../src/console/knowledge/change-base.ts';
import { importNumber } from '../../src/console/numbers/import-number.ts';
import type { NumberDraft } from '../../src/console/numbers/number-draft.ts';
import { addEmulatorNumber } from '../../src/console/talk/phone/emulator-numbers.ts';

type Answer = (path: string, init: RequestInit) => Response;

const json = (body: object, status = 200, headers = {}): Response =>
  Response.json(body, { status, headers });
const clientOf = (answer: Answer): Client =>
  new Client({
    baseUrl: 'http://parley.test',
    maxRetries: 0,
    fetch: async (url, init) => answer(new URL(url).pathname, init),
  });

/** One resource, which somebody else changes right before each of the first `races` writes. */
function resource(start: Readonly<Record<string, unknown>>, races: number, change: object = {}) {
  let version = 1;
  let content = start;
  let writes = 0;
  const client = clientOf((_path, { method, headers, body }) => {
    if (method === 'GET') return json(content, 200, { etag: `"${version}"` });
    if (writes++ < races) {
      version++;
      content = { ...content, ...change };
    }
    if (new Headers(headers).get('if-match') !== `"${version}"`)
      return json({ message: 'It was changed meanwhile' }, 412);
    content = { ...content, ...JSON.parse(String(body)) };
    return json(content);
  });
  return { client, content: () => content, writes: () => writes };
}

const BASE = { title: 'House', description: '', files: [], docs: [], retrain_frequency_minutes: 0 };

describe('a knowledge base that others change at the same time', () => {
  test('has both changes', async () => {
    const { client, content, writes } = resource(BASE, 5, { description: 'Of others' });
    const saved = await changeBase(client, 'k1', (base) => ({ ...base, title: 'Home' }));
    expect(saved).toMatchObject({ title: 'Home', description: 'Of others' });
    expect(content()).toEqual(saved);
    expect(writes()).toBe(6);
  });

  test('is given up after six attempts, with the refusal', async () => {
    const { client, writes } = resource(BASE, 100);
    await expect(changeBase(client, 'k1', (base) => base)).rejects.toThrow('changed meanwhile');
    expect(writes()).toBe(6);
  });

  test('is not tried again if it is refused for another reason', async () => {
    let writes = 0;
    const client = clientOf((_path, { method }) => {
      if (method === 'GET') return json(BASE);
      writes++;
      return json({ message: 'title: is required' }, 400);
    });
    await expect(changeBase(client, 'k1', (base) => base)).rejects.toThrow('title: is required');
    expect(writes).toBe(1);
  });
});

describe('the knowledge bases of an assistant that others change at the same time', () => {
  const add = (ids: readonly string[]) => [...ids, 'mine'];

  test('are those of both, and the tool that asks them is on', async () => {
    const others = { assistantKnowledgeBaseIds: ['theirs'] };
    const { client, content } = resource({ assistantKnowledgeBaseIds: [] }, 1, others);
    await changeAssistantBases(client, 'a1', add);
    expect(content()).toEqual({
      assistantKnowledgeBaseIds: ['theirs', 'mine'],
      assistantPredefinedTools: { knowledgeBase: true },
    });
  });

  test('without any the tool stays as it is', async () => {
    const { client, content } = resource({ assistantKnowledgeBaseIds: ['mine'] }, 0);
    await changeAssistantBases(client, 'a1', () => []);
    expect(content()).toEqual({ assistantKnowledgeBaseIds: [] });
  });

  test('are given up after four attempts, with the refusal', async () => {
    const { client, writes } = resource({ assistantKnowledgeBaseIds: [] }, 100);
    await expect(changeAssistantBases(client, 'a1', add)).rejects.toThrow('changed meanwhile');
    expect(writes()).toBe(4);
  });
});

describe('a test number for an assistant', () => {
  /** A service in which the first `taken` numbers that are asked for are taken. */
  function numbers(taken: number) {
    const asked: string[] = [];
    const given: object[] = [];
    const client = clientOf((path, { method, body }) => {
      const sent = JSON.parse(String(body)) as { readonly number: string };
      if (method === 'PUT') {
        given.push({ path, ...sent });
        return json({});
      }
      asked.push(sent.number);
      if (asked.length <= taken) return json({ message: 'The number is taken' }, 409);
      return json({ _id: 'n1' }, 201);
    });
    return { client, asked, given };
  }

  test('is another one if the first is taken', async () => {
    const { client, asked, given } = numbers(3);
    await addEmulatorNumber(client, 'a1');
    expect(asked).toHaveLength(4);
    for (const number of asked) expect(number).toMatch(/^\+1555010\d{4}$/);
    expect(given).toEqual([{ path: '/assistants/v1/numbers/n1', assistantId: 'a1' }]);
  });

  test('is given up after four that are taken', async () => {
    const { client, asked, given } = numbers(100);
    await expect(addEmulatorNumber(client, 'a1')).rejects.toThrow('The number is taken');
    expect([asked.length, given]).toEqual([4, []]);
  });
});

test.each([
  ['twilio', { accountSid: 'AC1', authToken: 't' }],
  ['telnyx', { apiKey: 'KEY1', publicKey: 'p', connectionId: '7' }],
  ['asterisk', { ariUrl: 'http://pbx.example:8088/ari', user: 'u', password: 'p' }],
  ['emulator', undefined],
] as const)('a number of %s is imported as its carrier wants it', async (carrier, credentials) => {
  const sent: object[] = [];
  const client = clientOf((path, { body }) => {
    sent.push({ path, ...JSON.parse(String(body)) });
    return json({ _id: 'n1' }, 201);
  });
  const draft: NumberDraft = {
    carrier,
    number: '+1 415 555 0123',
    label: 'Desk',
    ownAccount: true,
    account: credentials ?? {},
  };
  await importNumber(client, draft);
  expect(sent).toEqual([
    {
      path: `/assistants/v1/numbers/${carrier}`,
      ...{ number: '+14155550123', label: 'Desk' },
      ...(credentials ? { credentials } : {}),
    },
  ]);
});
