import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { type ChatEmulator, startChatEmulator } from '../support/chat-completions-emulator.ts';
import { startMcpServer } from '../support/mcp-server.ts';
import { dial } from '../support/service-call.ts';
import { sharedService } from '../support/shared-service.ts';

const TOOLS = '/assistants/v1/tools';

let service: Awaited<ReturnType<typeof sharedService>>;
let model: ChatEmulator;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(async () => {
  model = await startChatEmulator();
});
afterEach(() => model[Symbol.asyncDispose]());

const shop = () =>
  startMcpServer((server) => {
    server.registerTool(
      'orderStatus',
      { description: 'Tells where an order is.', inputSchema: { number: z.string() } },
      async ({ number }) => ({
        content: [{ type: 'text', text: `order ${number} is on its way` }],
      }),
    );
  });
const makeTool = (name: string, url: string) =>
  service.json<{ _id: string }>(TOOLS, {
    method: 'POST',
    body: { type: 'mcp', function: { name }, server: { url } },
  });
const talk = (toolId: string) =>
  dial(service, {
    assistant: {
      name: 'Shop',
      assistantSystemPrompt: 'You know the orders.',
      assistantProvider: 'custom-llm',
      assistantLLMUrl: model.baseUrl,
      assistantToolIds: [toolId],
    },
  });
const eventsOf = async (id: string) => {
  const headers = { authorization: `Bearer ${service.key}` };
  const url = `${service.url}/calls/v1/conversations/${id}/events`;
  const text = await (await fetch(url, { headers })).text();
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
};

test('a call has the tools of a server, calls one, and its log has their list', async () => {
  await using server = await shop();
  const { _id } = await makeTool('shop', server.url);
  const toolCalls = [{ id: 'call_1', name: 'orderStatus', arguments: '{"number":"4711"}' }];
  model.script({ toolCalls, times: 1 }, { deltas: ['It is on its way.'] });
  const call = await talk(_id);
  await expect.poll(() => call.said).toContain('assistant: It is on its way.');
  expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('order 4711 is on its way');
  call.caller.hangup();
  await call.caller.ended;
  await expect
    .poll(async () => JSON.stringify((await eventsOf(call.id))[0]))
    .toContain('"offered":{"toolId"');
  expect(server.asked.filter(({ method }) => method === 'tools/list')).toHaveLength(1);
});

test('a call goes on without the tools of a server that is away, and its log says why, once', async () => {
  const server = await shop();
  const { _id } = await makeTool('gone', server.url);
  await server[Symbol.asyncDispose]();
  model.script({ deltas: ['I cannot look that up.'] });
  const call = await talk(_id);
  await expect.poll(() => call.said).toContain('assistant: I cannot look that up.');
  call.caller.hangup();
  await call.caller.ended;
  const failures = async () =>
    (await eventsOf(call.id)).filter(({ type }) => type === 'failure').map(({ data }) => data);
  await expect.poll(failures).toHaveLength(1);
  expect(JSON.stringify(await failures())).toContain('the tools of gone could not be listed');
});

test('its test lists the tools, calls one, and says what is wrong with its arguments', async () => {
  await using server = await shop();
  const { _id } = await makeTool('tried', server.url);
  const trial = (body: object) => service.json(`${TOOLS}/${_id}/test`, { method: 'POST', body });
  expect(await trial({})).toMatchObject({
    ok: true,
    tools: [{ name: 'orderStatus', readOnly: false, parameters: { required: ['number'] } }],
  });
  const tool = 'orderStatus';
  expect(await trial({ tool, arguments: { number: '1' } })).toMatchObject({
    ok: true,
    result: 'order 1 is on its way',
  });
  expect(await trial({ tool })).toMatchObject({
    ok: false,
    error: expect.stringContaining('number'),
  });
  expect(await trial({ tool: 'none' })).toMatchObject({
    ok: false,
    error: 'the server offers no tool named none',
  });
});
