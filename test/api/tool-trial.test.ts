import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApi, type TestApi, type TestClient } from '../support/api.ts';
import { type LocalServer, startLocalServer } from '../support/local-server.ts';
import { withDatabase } from '../support/postgres.ts';

const PATH = '/assistants/v1/tools';

withDatabase('the test of a tool', ({ db, newTeam }) => {
  let api: TestApi;
  let ada: TestClient;
  let server: LocalServer;
  const asked: { headers: Record<string, unknown>; body: unknown }[] = [];

  beforeAll(async () => {
    api = await startTestApi(db());
    ada = await api.client(await newTeam());
    server = await startLocalServer(async (request, response) => {
      const text = (await request.setEncoding('utf8').toArray()).join('');
      asked.push({ headers: request.headers, body: JSON.parse(text) });
      if (request.url === '/never') return;
      if (request.url === '/broken') response.writeHead(500).end('out of order');
      else response.end('{"results":[{"result":{"free":true},"message":"It is free."}]}');
    });
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await api.close();
  });

  const make = async (name: string, at: string, more: object = {}) => {
    const body = {
      function: {
        name,
        parameters: { properties: { day: { type: 'string' } }, required: ['day'] },
      },
      server: { url: `${server.url}${at}`, secret: 'hush', headers: { 'X-Mine': 'yes' }, ...more },
    };
    return (await ada.post(PATH, body)).body._id as string;
  };

  test('asks its server as a call would, and tells what came back', async () => {
    const id = await make('look_up', '/');
    const { status, body } = await ada.post(`${PATH}/${id}/test`, { arguments: { day: 'today' } });
    expect(status).toBe(200);
    expect(body).toEqual({
      ok: true,
      result: '{"free":true}',
      message: 'It is free.',
      status: 200,
      body: '{"results":[{"result":{"free":true},"message":"It is free."}]}',
      durationMs: expect.any(Number),
    });
    const request = asked.at(-1);
    expect(request?.headers).toMatchObject({
      'x-mine': 'yes',
      'x-webhook-secret': 'hush',
      'webhook-signature': expect.stringMatching(/^v1,/),
    });
    expect(request?.body).toMatchObject({
      message: {
        type: 'tool-calls',
        call: { id: `test-${id}`, teamId: ada.teamId, test: true },
        toolCallList: [{ name: 'look_up', parameters: { day: 'today' } }],
      },
    });
  });

  test('arguments that do not fit never reach the server', async () => {
    const id = await make('strict', '/');
    const before = asked.length;
    const { status, body } = await ada.post(`${PATH}/${id}/test`, { arguments: { day: 7 } });
    expect(status).toBe(400);
    expect(body.message).toMatch(/^arguments: wrong arguments: .*day/);
    expect(asked.length).toBe(before);
  });

  test('a schema that is too much to check is an answer, and no standstill', async () => {
    const parameters = {
      properties: { list: { type: 'array', items: { type: 'string', pattern: '^(a+)+$' } } },
    };
    const tool = { function: { name: 'slow', parameters }, server: { url: server.url } };
    const { body: made } = await ada.post(PATH, tool);
    const list = Array.from({ length: 400 }, () => `${'a'.repeat(40)}!`);
    const { status, body } = await ada.post(`${PATH}/${made._id}/test`, { arguments: { list } });
    expect(status).toBe(400);
    expect(body.message).toBe(
      "arguments: the arguments can't be checked: the tool's JSON Schema takes longer than 500 ms to check",
    );
  });

  test('a server that fails, and one that never answers, are results too', async () => {
    const broken = await make('broken', '/broken');
    expect(
      (await ada.post(`${PATH}/${broken}/test`, { arguments: { day: 'today' } })).body,
    ).toMatchObject({
      ok: false,
      status: 500,
      body: 'out of order',
      error: expect.stringContaining('status 500'),
    });
    const silent = await make('silent', '/never', { timeoutSeconds: 1 });
    const { body } = await ada.post(`${PATH}/${silent}/test`, { arguments: { day: 'today' } });
    expect(body).toEqual({
      ok: false,
      error: "the tool's server did not answer within 1 s",
      durationMs: expect.any(Number),
    });
    expect(body.durationMs).toBeGreaterThanOrEqual(990);
  });

  test("another team's tool is not there", async () => {
    const eve = await api.client(await newTeam());
    const id = await make('private', '/');
    expect(await eve.post(`${PATH}/${id}/test`, {})).toMatchObject({
      status: 404,
      body: { message: 'Tool not found!' },
    });
  });
});
