import {
  Client as SplitClient,
  StreamableHTTPClientTransport as SplitTransport,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createContract } from '../../src/contract/contract.ts';
import { describeMcpTools, mcpOperations } from '../../src/contract/mcp.ts';
import { newCallId } from '../../src/lib/ids.ts';
import { createApiKey } from '../../src/store/api-keys.ts';
import { appendCallEvents } from '../../src/store/call-events.ts';
import { createCall, updateCall } from '../../src/store/calls.ts';
import { createClient, startTestApi, type TestApi, testVendors } from '../support/api.ts';
import { callSnapshot } from '../support/call-snapshot.ts';
import { withDatabase } from '../support/postgres.ts';
import { recordedConversation } from '../support/recorded-conversation.ts';

const operations = mcpOperations(createContract(testVendors));

interface Result {
  readonly isError?: boolean | undefined;
  readonly content: readonly { readonly type: string; readonly text?: string }[];
}
const textOf = ({ content }: Result): string => content[0]?.text ?? '';
// biome-ignore lint/suspicious/noExplicitAny: what a test reads of an answer, it asserts on.
const bodyOf = (result: Result): any => {
  expect(result.isError, textOf(result)).toBeFalsy();
  return JSON.parse(textOf(result));
};

withDatabase('mcp', ({ db, newTeam }) => {
  let api: TestApi;
  let url: URL;
  beforeAll(async () => {
    api = await startTestApi(db(), { limits: { rate: { perSecond: 1e6, burst: 1e6 } } });
    url = new URL(`${await api.app.listen({ port: 0, host: '127.0.0.1' })}/mcp`);
  });
  afterAll(() => api.close());

  const keyOf = async (teamId: string, role?: 'viewer' | 'reviewer') =>
    (await createApiKey(db(), { teamId, name: 'Agent', ...(role ? { role } : {}) })).key;
  const requestInit = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });
  const connect = async (key: string) => {
    const client = new Client({ name: 'test', version: '1' });
    const transport = new StreamableHTTPClientTransport(url, { requestInit: requestInit(key) });
    // The declarations of the package do not agree with exactOptionalPropertyTypes.
    await client.connect(transport as Parameters<typeof client.connect>[0]);
    const call = async (name: string, args: Record<string, unknown> = {}) =>
      (await client.callTool({ name, arguments: args })) as Result;
    return { client, call, [Symbol.asyncDispose]: () => client.close() };
  };

  test("the SDK's client lists the tools, makes an assistant, changes and publishes it", async () => {
    await using agent = await connect(await keyOf(await newTeam()));
    const { tools } = await agent.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(operations.map(({ id }) => id));
    expect(agent.client.getInstructions()).toContain('createAssistant');
    await agent.client.ping();
    const body = { name: 'Desk', assistantSystemPrompt: 'You answer for a bakery.' };
    const { _id: id } = bodyOf(await agent.call('createAssistant', { body }));
    const renamed = bodyOf(await agent.call('updateAssistant', { id, body: { name: 'Shop' } }));
    expect(renamed).toMatchObject({ _id: id, name: 'Shop' });
    const draft = { changes: { welcomeMessage: 'Good morning' } };
    const { version } = bodyOf(await agent.call('createAssistantDraft', { id, body: draft }));
    expect(bodyOf(await agent.call('getAssistant', { id })).welcomeMessage).not.toBe(
      'Good morning',
    );
    bodyOf(await agent.call('publishAssistantVersion', { id, version }));
    expect(bodyOf(await agent.call('getAssistant', { id })).welcomeMessage).toBe('Good morning');
  });

  test('the client of the split SDK finds the same tools, and calls one', async () => {
    const client = new SplitClient({ name: 'test', version: '1' });
    const key = await keyOf(await newTeam());
    await client.connect(new SplitTransport(url, { requestInit: requestInit(key) }));
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(operations.length);
    const found = await client.callTool({ name: 'listAssistants', arguments: {} });
    expect(bodyOf(found as Result)).toEqual([]);
    await client.close();
  });

  test('a call is read, replayed with a change, and its long log read in parts', async () => {
    const teamId = await newTeam();
    const id = newCallId('web');
    const startAt = new Date('2026-01-31T08:00:00.000Z');
    const fields = { id, teamId, assistantId: 'ada', startAt, snapshot: callSnapshot } as const;
    await createCall(db(), { ...fields, callType: 'web', direction: 'inbound' });
    const endAt = new Date('2026-01-31T08:01:00.000Z');
    await updateCall(db(), { teamId, id, change: { status: 'finished', endAt } });
    const lines = recordedConversation();
    const last = Math.max(...lines.map(({ seq }) => seq));
    const padding = Array.from({ length: 400 }, (_, index) => ({
      ...(lines.at(-1) as (typeof lines)[number]),
      seq: last + 1 + index,
      kind: 'note' as const,
      type: 'padding',
      data: { text: 'x'.repeat(200) },
    }));
    await appendCallEvents(db(), { teamId, callId: id, lines: [...lines, ...padding] });
    await using agent = await connect(await keyOf(teamId));
    expect(bodyOf(await agent.call('getCall', { id }))).toMatchObject({ id, status: 'finished' });
    expect(bodyOf(await agent.call('listCalls')).data ?? []).toBeInstanceOf(Array);
    bodyOf(await agent.call('getCallTranscript', { id, format: 'json' }));
    const slower = { assistant: { startSpeakingOptions: { waitSeconds: 1.5 } } };
    const compared = bodyOf(await agent.call('replayCall', { id, body: slower }));
    expect(compared.turns[1].replayed.answerMs).toBe(1500);

    let log = '';
    for (let parts = 0; parts < 10; parts++) {
      const { content } = await agent.call('getCallEvents', { id, skip: log.length });
      log += content[0]?.text ?? '';
      if (!content[1]?.text?.startsWith('Cut:')) break;
    }
    const client = createClient(api.app, { key: await keyOf(teamId), teamId });
    expect(log).toBe((await client.get(`/calls/v1/conversations/${id}/events`)).text);
    expect(log.length).toBeGreaterThan(60_000);
  });

  test('a list comes in pages of twenty', async () => {
    await using agent = await connect(await keyOf(await newTeam()));
    for (let made = 0; made < 21; made++)
      bodyOf(await agent.call('createAssistant', { body: { name: `Desk ${made}` } }));
    const first = await agent.call('listAssistants', { fields: 'name' });
    expect(bodyOf(first)).toHaveLength(20);
    const cursor = /cursor (.+)$/.exec(first.content[1]?.text ?? '')?.[1];
    const rest = await agent.call('listAssistants', { fields: 'name', cursor });
    expect(bodyOf(rest)).toHaveLength(1);
    expect(rest.content).toHaveLength(1);
  });

  test('the same idempotency key makes one assistant', async () => {
    await using agent = await connect(await keyOf(await newTeam()));
    const once = { body: { name: 'Once' }, idempotencyKey: 'one' };
    const first = bodyOf(await agent.call('createAssistant', once));
    expect(bodyOf(await agent.call('createAssistant', once))._id).toBe(first._id);
    expect(bodyOf(await agent.call('listAssistants'))).toHaveLength(1);
  });

  test.each([
    ['getAssistant', { id: 'nobody' }, 'Assistant not found!'],
    ['getAssistant', {}, 'id: is required'],
    ['getAssistant', { id: '..' }, 'id: must be an id'],
    ['getAssistant', { id: {} }, 'id: must be text, a number, true or false'],
    ['getAssistant', { id: 'x', other: 1 }, 'other: unknown field'],
    ['createAssistant', {}, 'body: is required'],
    ['createAssistant', { body: {} }, 'name: is required'],
    ['createAssistant', { body: { name: 'X', voice: 1 } }, 'voice: unknown field'],
    ['listAssistants', { limit: 'many' }, 'limit: must be'],
    ['getCall', { id: 'x', skip: -1 }, 'skip: must be a whole number, at least 0'],
    [
      'connectCall',
      { body: { direction: 'inbound', assistantId: 'nobody' } },
      'Assistant not found!',
    ],
  ])('%s with %j fails with the sentence of the API', async (name, args, sentence) => {
    await using agent = await connect(await keyOf(await newTeam()));
    const result = await agent.call(name, args);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain(sentence);
  });

  test('a role sees what it may do, and is refused the rest', async () => {
    const teamId = await newTeam();
    await using viewer = await connect(await keyOf(teamId, 'viewer'));
    const { tools } = await viewer.client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toContain('listAssistants');
    expect(names).not.toContain('createAssistant');
    expect(names).not.toContain('getCall');
    expect(await viewer.call('createAssistant', { body: { name: 'Desk' } })).toMatchObject({
      isError: true,
      content: [{ text: 'This needs the role builder, and the role of this credential is viewer' }],
    });
  });

  test('a team sees nothing of another', async () => {
    await using ada = await connect(await keyOf(await newTeam()));
    await using eve = await connect(await keyOf(await newTeam()));
    const { _id: id } = bodyOf(await ada.call('createAssistant', { body: { name: 'Desk' } }));
    expect(textOf(await eve.call('getAssistant', { id }))).toBe('Assistant not found!');
    expect(bodyOf(await eve.call('listAssistants'))).toEqual([]);
  });

  test('without a key that is known there is no way in', async () => {
    await expect(connect('unknown')).rejects.toThrow(/401|Unauthorized/);
    expect((await fetch(url, { method: 'POST' })).status).toBe(401);
  });

  test("each tool's call counts against the team's own rate", async () => {
    const slow = await startTestApi(db(), { limits: { rate: { perSecond: 0.001, burst: 4 } } });
    const client = createClient(slow.app, { key: await keyOf(await newTeam()), teamId: '' });
    const params = { name: 'listAssistants', arguments: {} };
    const call = () => client.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    expect((await call()).body.result.isError).toBeUndefined();
    expect((await call()).body.result.isError).toBeUndefined();
    expect((await call()).status).toBe(429);
    await slow.close();
  });

  describe('messages', () => {
    const message = (method: string, params: object = {}) => ({
      ...{ jsonrpc: '2.0', id: 7, method, params },
    });
    test.each([
      ['an unknown method', message('resources/list'), 200, { error: { code: -32_601 } }],
      ['an unknown tool', message('tools/call', { name: 'rm' }), 200, { error: { code: -32_602 } }],
      [
        'a call without name',
        message('tools/call'),
        200,
        { error: { code: -32_602, message: 'A call needs a name and may have arguments' } },
      ],
      [
        'a later revision',
        message('initialize', { protocolVersion: '2099-01-01' }),
        200,
        {
          result: { protocolVersion: '2025-11-25' },
        },
      ],
      [
        'an earlier revision',
        message('initialize', { protocolVersion: '2025-03-26' }),
        200,
        {
          result: { protocolVersion: '2025-03-26' },
        },
      ],
      ['a batch', [message('ping')], 400, { id: null, error: { code: -32_600 } }],
      ['no message', 'ping', 400, { error: { code: -32_600 } }],
    ])('%s', async (_, body, status, answer) => {
      const client = createClient(api.app, { key: await keyOf(await newTeam()), teamId: '' });
      const sent = await client.post('/mcp', JSON.stringify(body));
      expect(sent).toMatchObject({ status, body: answer });
    });

    test('a notification is accepted, a stream and an unknown revision are not', async () => {
      const client = createClient(api.app, { key: await keyOf(await newTeam()), teamId: '' });
      const noted = { jsonrpc: '2.0', method: 'notifications/initialized' };
      expect(await client.post('/mcp', noted)).toMatchObject({ status: 202, text: '' });
      expect((await client.get('/mcp')).status).toBe(405);
      const version = { 'mcp-protocol-version': '1999-01-01' };
      expect((await client.post('/mcp', message('ping'), version)).status).toBe(400);
    });
  });
});

test('the list of tools is short enough for a model, and has the fields of assistants once', () => {
  const tools = describeMcpTools(operations);
  const text = JSON.stringify(tools);
  expect(text.match(/"assistantSystemPrompt":/g)).toHaveLength(1);
  // Some 16,000 tokens.
  expect(text.length).toBeLessThan(65_000);
  expect(tools.every(({ inputSchema }) => inputSchema.type === 'object')).toBe(true);
  const names = (id: string) =>
    Object.keys(tools.find(({ name }) => name === id)?.inputSchema.properties ?? {});
  expect(names('updateAssistant')).toEqual(['id', 'body']);
  expect(names('connectCall')).toEqual(['body', 'idempotencyKey']);
  expect(operations.filter(({ method }) => method === 'DELETE')).toEqual([]);
});
