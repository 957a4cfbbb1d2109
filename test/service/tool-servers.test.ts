import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Call } from '../../src/contract/call.ts';
import { type ChatEmulator, startChatEmulator } from '../support/chat-completions-emulator.ts';
import { isLong } from '../support/effort.ts';
import { type LocalServer, startLocalServer } from '../support/local-server.ts';
import { dial, type ServiceCall } from '../support/service-call.ts';
import { SERVICE_KEY, type ServiceProcess } from '../support/service-process.ts';
import { startTestService } from '../support/test-service.ts';

const SECRET = 'whsec_bm9ib2R5IG1heSBzZWUgdGhpcw==';
const HEADER = 'nobody-may-see-this-either';

let folder: string;
let service: ServiceProcess;
let model: ChatEmulator;
let tools: LocalServer;
let hits: IncomingMessage[];
/** Tools made so far, each under a name of its own. */
let made = 0;
let answer: (response: ServerResponse) => void;

const start = () =>
  startTestService(folder, {
    ALLOW_PRIVATE_TARGETS: 'true',
    LOG_LEVEL: 'trace',
    // The callers do not come back.
    RESUME_SECONDS: '0',
  });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-tools-'));
  service = await start();
});

afterAll(async () => {
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  model = await startChatEmulator();
  hits = [];
  tools = await startLocalServer((request, response) => {
    hits.push(request);
    request.resume().on('end', () => answer(response));
  });
});

afterEach(async () => {
  await model[Symbol.asyncDispose]();
  await tools[Symbol.asyncDispose]();
});

/** A call whose model calls the tool at once and then says that it is done. */
async function callWithTool(server: object = {}): Promise<ServiceCall> {
  const name = `book${++made}`;
  const { _id } = await service.json<{ _id: string }>('/assistants/v1/tools', {
    method: 'POST',
    body: {
      function: { name },
      server: {
        url: tools.url,
        secret: SECRET,
        headers: { authorization: `Bearer ${HEADER}` },
        ...server,
      },
    },
  });
  const toolCalls = [{ id: 'call_1', name, arguments: '{}' }];
  model.script({ toolCalls, times: 1 }, { deltas: ['That is done.'] });
  return dial(service, {
    assistant: {
      name: 'Booker',
      assistantSystemPrompt: 'You book tables.',
      assistantProvider: 'custom-llm',
      assistantLLMUrl: model.baseUrl,
      assistantToolIds: [_id],
    },
  });
}

const finished = (id: string) =>
  expect
    .poll(() => service.json<Call>(`/calls/v1/conversations/${id}`))
    .toMatchObject({ status: 'finished' });

async function everythingKept(id: string): Promise<string> {
  const read = (path: string) =>
    fetch(`${service.url}/calls/v1/conversations/${id}${path}`, {
      headers: { authorization: `Bearer ${SERVICE_KEY}` },
    }).then((response) => response.text());
  return `${await read('')}\n${await read('/events')}`;
}

test("a tool's secrets stand in no journal, no record and no log", async () => {
  answer = (response) => response.writeHead(500).end('broken');
  const call = await callWithTool();
  await expect.poll(() => call.said).toContain('assistant: That is done.');
  call.caller.hangup();
  await call.caller.ended;
  await finished(call.id);
  expect(hits.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${HEADER}`]);
  const kept = await everythingKept(call.id);
  expect(kept).toContain('status 500: broken');
  for (const text of [kept, service.output]) {
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain(HEADER);
  }
  expect(service.output).not.toBe('');
});

test.runIf(isLong)(
  'a tool server that hangs is left at its time, asked once, and the call goes on',
  async () => {
    answer = () => undefined;
    const call = await callWithTool({ timeoutSeconds: 1 });
    await expect.poll(() => call.said).toContain('assistant: That is done.');
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('did not answer in time');
    expect(hits).toHaveLength(1);
    call.caller.hangup();
    await call.caller.ended;
  },
);

test.skipIf(isLong)(
  'a service killed while a tool runs does not call it again after the restart',
  async () => {
    const arrived = new Promise<void>((resolve) => {
      answer = () => resolve();
    });
    const call = await callWithTool();
    await arrived;
    await service.kill();
    call.caller.close();
    service = await start();
    await finished(call.id);
    expect(hits.map(({ headers }) => headers['idempotency-key'])).toEqual([`${call.id}:call_1`]);
  },
);

test.skipIf(isLong)(
  'a tool that runs when the caller hangs up is heard to its end, once',
  async () => {
    let ended = false;
    const arrived = new Promise<ServerResponse>((resolve) => {
      answer = (response) => {
        response.on('close', () => {
          ended = response.writableFinished;
        });
        resolve(response);
      };
    });
    const call = await callWithTool();
    const response = await arrived;
    call.caller.hangup();
    await call.caller.ended;
    await finished(call.id);
    expect(response.destroyed).toBe(false);
    response.end('"booked"');
    await expect.poll(() => ended).toBe(true);
    expect(hits).toHaveLength(1);
  },
);
