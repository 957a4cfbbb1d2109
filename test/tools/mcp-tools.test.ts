import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { SnapshotTool } from '../../src/contract/call-snapshot.ts';
import { ToolConfigSchema } from '../../src/contract/tool.ts';
import { createGuardedFetch } from '../../src/lib/guarded-fetch.ts';
import { SchemaChecker } from '../../src/lib/schema-checker.ts';
import { systemClock } from '../../src/lib/system-clock.ts';
import { hostMcpTools, listServerTools, nameTools } from '../../src/tools/mcp/mcp-tools.ts';
import { EventReader, outcomeOf, toolsIn, uniqueName } from '../../src/tools/mcp/protocol.ts';
import { startLocalServer } from '../support/local-server.ts';
import { startMcpServer } from '../support/mcp-server.ts';

const schemas = new SchemaChecker();
afterAll(() => schemas.close());

const depsOf = ({ allowPrivate = true, listMs = 60_000, maxResponseBytes = 65_536 } = {}) => ({
  clock: systemClock,
  fetch: createGuardedFetch({ allowPrivate, clock: systemClock }).fetch,
  maxResponseBytes,
  schemas,
  team: 'ada',
  listMs,
});
const toolOf = (url: string, more: object = {}): SnapshotTool => ({
  id: 'crm',
  config: ToolConfigSchema.parse({
    type: 'mcp',
    function: { name: 'crm' },
    server: { url, secret: 'hush', headers: { 'X-Mine': 'yes' } },
    ...more,
  }),
});

const shop = (server: Parameters<Parameters<typeof startMcpServer>[0]>[0]) => {
  server.registerTool(
    'order.status',
    {
      description: 'Tells where an order is.',
      inputSchema: { number: z.string() },
      annotations: { readOnlyHint: true },
    },
    async ({ number }) => ({
      content: [
        { type: 'text', text: number === '4711' ? 'on its way' : 'There is no such order' },
      ],
      ...(number === '4711' ? {} : { isError: true }),
    }),
  );
  const cancel = { description: 'Cancels an order.', annotations: { idempotentHint: true } };
  server.registerTool('cancel', cancel, async () => ({
    content: [{ type: 'text', text: 'cancelled' }],
  }));
};

const call = async (tool: SnapshotTool, index: number, args: Record<string, unknown>) => {
  const deps = depsOf();
  const listed = await listServerTools(tool, deps);
  if (!listed.ok) throw new Error(listed.fault.message);
  const hosted = hostMcpTools(tool, nameTools(tool, listed.tools, new Set()), deps)[index];
  if (!hosted) throw new Error('no such tool');
  const { name } = hosted.tool.definition;
  const problem = await hosted.check(args);
  const signal = AbortSignal.timeout(60_000);
  const run = () =>
    hosted.run({ callId: 'WC-1', toolCallId: 'call_7', name, arguments: args, signal });
  return { hosted, problem, run };
};

describe.each([
  ['events', {}],
  ['JSON', { json: true }],
  ['sessions', { sessions: true }],
])("a server of the protocol's own library that answers with %s", (_, options) => {
  test('lists its tools, is sent secrets as other tools are, and is called', async () => {
    await using server = await startMcpServer(shop, options);
    const { hosted, problem, run } = await call(toolOf(server.url), 0, { number: '4711' });
    expect(hosted.tool).toMatchObject({
      definition: { name: 'order_status', description: 'Tells where an order is.' },
      readOnly: true,
      timeoutMs: 20_000,
      offered: { toolId: 'crm', name: 'order.status' },
    });
    expect(problem).toBeUndefined();
    expect(await run()).toEqual({ ok: true, result: 'on its way' });
    expect(server.asked.at(-1)).toMatchObject({
      method: 'tools/call',
      headers: {
        'x-mine': 'yes',
        'x-webhook-secret': 'hush',
        'idempotency-key': 'WC-1:call_7',
        'webhook-signature': expect.stringMatching(/^v1,/),
      },
    });
  });

  test('says what is wrong with arguments, and with an order', async () => {
    await using server = await startMcpServer(shop, options);
    expect((await call(toolOf(server.url), 0, {})).problem).toContain('number');
    const { run } = await call(toolOf(server.url), 0, { number: '1' });
    expect(await run()).toEqual({
      ok: false,
      error: 'There is no such order',
      code: 'tool_reported',
    });
    expect((await call(toolOf(server.url), 1, {})).hosted.tool).toMatchObject({
      readOnly: false,
      repeatable: true,
    });
  });
});

test('a server that has forgotten the session is asked anew, once', async () => {
  await using server = await startMcpServer(shop, { sessions: true });
  const { run } = await call(toolOf(server.url), 1, {});
  expect(await run()).toMatchObject({ ok: true });
  server.forget();
  expect(await run()).toMatchObject({ ok: true, result: 'cancelled' });
});

test('only the tools that are chosen are offered', async () => {
  await using server = await startMcpServer(shop);
  const listed = await listServerTools(toolOf(server.url, { mcpTools: ['cancel'] }), depsOf());
  expect(listed).toMatchObject({ ok: true, tools: [{ name: 'cancel' }] });
});

test('a tool that its server has taken away since is an error of that call alone', async () => {
  let isThere = true;
  await using server = await startMcpServer((one) => {
    if (isThere) shop(one);
    else one.registerTool('other', {}, async () => ({ content: [] }));
  });
  const { run } = await call(toolOf(server.url), 1, {});
  isThere = false;
  expect(await run()).toMatchObject({ ok: false });
});

describe('a server', () => {
  const answering = (answer: (method: string) => unknown) =>
    startLocalServer(async (request, response) => {
      const { id, method } = JSON.parse((await request.setEncoding('utf8').toArray()).join(''));
      const initialized = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: {} };
      const result = method === 'initialize' ? initialized : answer(method);
      if (id === undefined) response.writeHead(202).end();
      else if (result !== undefined)
        response
          .setHeader('content-type', 'application/json')
          .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });

  test('that does not answer is left at its time', async () => {
    await using server = await answering(() => undefined);
    expect(await listServerTools(toolOf(server.url), depsOf({ listMs: 300 }))).toEqual({
      ok: false,
      fault: { code: 'tool_timeout', message: 'the server did not answer within 300 ms' },
    });
  });

  test('that is away says so', async () => {
    const server = await answering(() => undefined);
    await server[Symbol.asyncDispose]();
    const listed = await listServerTools(toolOf(server.url), depsOf());
    expect(listed).toMatchObject({ ok: false, fault: { code: 'network' } });
  });

  test('at a private address is not asked', async () => {
    await using server = await answering(() => ({ tools: [] }));
    const listed = await listServerTools(toolOf(server.url), depsOf({ allowPrivate: false }));
    expect(listed).toMatchObject({ ok: false, fault: { code: 'private_target' } });
    expect(server.connections()).toBe(0);
  });

  test('that redirects is not followed', async () => {
    await using target = await answering(() => ({ tools: [] }));
    await using server = await startLocalServer((request, response) => {
      request.resume();
      response.writeHead(307, { location: target.url }).end();
    });
    const listed = await listServerTools(toolOf(server.url), depsOf());
    expect(listed).toMatchObject({ ok: false, fault: { code: 'redirect_refused' } });
    expect(target.connections()).toBe(0);
  });

  test('that sends too much is cut off', async () => {
    await using server = await answering(() => ({ tools: [], more: 'x'.repeat(100_000) }));
    const listed = await listServerTools(toolOf(server.url), depsOf());
    expect(listed).toMatchObject({ ok: false, fault: { code: 'response_too_large' } });
  });

  test('that lists pages without end is asked eight times', async () => {
    let pages = 0;
    await using server = await answering((method) => {
      if (method === 'tools/list') pages++;
      return { tools: [], nextCursor: String(pages) };
    });
    expect(await listServerTools(toolOf(server.url), depsOf())).toEqual({ ok: true, tools: [] });
    expect(pages).toBe(8);
  });

  test.each([
    ['that is no schema', { type: 'object', properties: { a: { type: 'nonsense' } } }],
    ['that refers elsewhere', { type: 'object', properties: { a: { $ref: 'https://x.example' } } }],
    ['that is too long', { type: 'object', description: 'x'.repeat(20_000) }],
  ])('with a schema %s keeps its other tools', async (_, inputSchema) => {
    const tools = [
      { name: 'bad', inputSchema },
      { name: 'good', inputSchema: { type: 'object' } },
    ];
    await using server = await answering(() => ({ tools }));
    const listed = await listServerTools(toolOf(server.url), depsOf());
    expect(listed).toMatchObject({ ok: true, tools: [{ name: 'good' }] });
    expect(listed.ok && listed.tools).toHaveLength(1);
  });

  test.each([
    ['no list', { tools: 7 }],
    ['nothing', []],
  ])('that answers with %s is at fault', async (_, answer) => {
    await using server = await answering(() => answer);
    expect(await listServerTools(toolOf(server.url), depsOf())).toMatchObject({
      ok: false,
      fault: { code: 'bad_answer' },
    });
  });
});

describe('the protocol', () => {
  test('names are those that models take, each unlike the others', () => {
    const taken = new Set<string>(['look']);
    const name = (one: string) => {
      const unique = uniqueName(one, 'crm', (other) => taken.has(other));
      taken.add(unique);
      return unique;
    };
    expect([name('look'), name('look'), name('a/b'), name('é'.repeat(80))]).toEqual([
      'crm_look',
      'crm_look_2',
      'a_b',
      '_'.repeat(64),
    ]);
    expect(name('x'.repeat(80))).toHaveLength(64);
    expect(name('x'.repeat(80))).toMatch(/^crm_x{60}$/);
    expect(name('x'.repeat(80))).toMatch(/^crm_x{58}_2$/);
  });

  test('events are read however they are cut', () => {
    const stream = ': hello\r\n\r\nevent: message\r\ndata: {"a":\r\ndata: 1}\r\n\r\ndata:{"b":2}';
    for (let size = 1; size < stream.length; size++) {
      const events = new EventReader();
      const read: string[] = [];
      for (let at = 0; at < stream.length; at += size)
        read.push(...events.push(stream.slice(at, at + size)));
      read.push(...events.end());
      expect(read).toEqual(['{"a":\n1}', '{"b":2}']);
    }
  });

  test('a result is its texts, else what is structured, else that it is done', () => {
    const text = (value: string) => ({ type: 'text', text: value });
    expect(outcomeOf({ content: [text('a'), { type: 'image' }, text('b')] })).toEqual({
      ok: true,
      result: 'a\nb',
    });
    expect(outcomeOf({ content: [], structuredContent: { a: 1 } })).toMatchObject({
      result: '{"a":1}',
    });
    expect(outcomeOf({})).toEqual({ ok: true, result: '{"status":"done"}' });
  });

  test('what is no tool is left out of a list', () => {
    const inputSchema = { type: 'object' };
    const tools = [7, {}, { name: '', inputSchema }, { name: 'a' }, { name: 'b', inputSchema }];
    expect(toolsIn({ tools }).map(({ name }) => name)).toEqual(['b']);
  });
});
