import type { IncomingMessage, ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createGuardedFetch } from '../../src/lib/guarded-fetch.ts';
import { SchemaChecker } from '../../src/lib/schema-checker.ts';
import type { ToolOutcome } from '../../src/ports/tool.ts';
import { createFunctionTool } from '../../src/tools/function-tool/function-tool.ts';
import { type LocalServer, startLocalServer } from '../support/local-server.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { toolConfig } from '../support/tool-config.ts';

interface Hit {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

const clock = new ManualClock(1_800_000_000_000);
const schemas = new SchemaChecker();
afterAll(() => schemas.close());
let server: LocalServer;
let hits: Hit[];
let answer: (response: ServerResponse) => void;

beforeEach(async () => {
  hits = [];
  answer = (response) => response.end('"done"');
  server = await startLocalServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    hits.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
    answer(response);
  });
});
afterEach(() => server[Symbol.asyncDispose]());

interface Run {
  readonly changes?: Parameters<typeof toolConfig>[1];
  readonly url?: string;
  readonly allowPrivate?: boolean;
  /** What every name resolves to. */
  readonly address?: string;
  readonly signal?: AbortSignal;
}

async function run(options: Run = {}): Promise<ToolOutcome> {
  const { changes, url = server.url, allowPrivate = true, address, signal } = options;
  const resolve = async () => [{ address: address as string, family: 4 }];
  const guarded = createGuardedFetch({ allowPrivate, clock, ...(address ? { resolve } : {}) });
  const hosted = createFunctionTool(
    { id: 'tool-1', config: toolConfig(url, changes) },
    {
      clock,
      fetch: guarded.fetch,
      maxResponseBytes: 1024,
      schemas,
      team: 'team-1',
      call: { id: 'WC-1', userNumber: '+14155550123' },
      assistant: { name: 'Front desk' },
    },
  );
  try {
    return await hosted.run({
      callId: 'WC-1',
      toolCallId: 'call_7',
      name: 'book',
      arguments: { day: '2027-03-01' },
      signal: signal ?? new AbortController().signal,
    });
  } finally {
    await guarded.close();
  }
}

describe("a request to a tool's server", () => {
  test('carries the call, the assistant and the tool call', async () => {
    expect(await run()).toEqual({ ok: true, result: 'done' });
    expect(JSON.parse(hits[0]?.body ?? '')).toEqual({
      message: {
        type: 'tool-calls',
        timestamp: 1_800_000_000_000,
        call: { id: 'WC-1', userNumber: '+14155550123' },
        assistant: { name: 'Front desk' },
        toolCallList: [{ id: 'call_7', name: 'book', parameters: { day: '2027-03-01' } }],
      },
    });
    expect(hits[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      'idempotency-key': 'WC-1:call_7',
    });
  });

  test('may be repeated if its server knows a repetition by the key', () => {
    const isRepeatable = (of: object) => {
      const config = toolConfig(server.url, { server: of });
      return createFunctionTool({ id: 'tool-1', config }, { schemas } as never).tool.repeatable;
    };
    expect([isRepeatable({ idempotent: true }), isRepeatable({})]).toEqual([true, undefined]);
  });

  test('is signed, and carries the plain secret', async () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    await run({ changes: { server: { secret } } });
    const { headers, body } = hits[0] as Hit;
    const signature = new Webhook(secret).sign('WC-1:call_7', new Date(clock.now()), body);
    expect(headers['webhook-signature']).toBe(signature);
    expect(headers['x-webhook-secret']).toBe(secret);
  });

  test('without a secret it is not signed', async () => {
    await run();
    expect(hits[0]?.headers).not.toHaveProperty('webhook-signature');
    expect(hits[0]?.headers).not.toHaveProperty('x-webhook-secret');
  });

  test("carries the user's headers, none of which replaces ours or breaks the connection", async () => {
    const headers = {
      Authorization: 'Bearer k',
      'User-Agent': 'Mine',
      'Idempotency-Key': 'mine',
      'Webhook-Id': 'mine',
      'Transfer-Encoding': 'chunked',
      Host: 'elsewhere.example',
      'Content-Length': '3',
    };
    expect(await run({ changes: { server: { headers } } })).toMatchObject({ ok: true });
    expect(hits[0]?.headers).toMatchObject({
      authorization: 'Bearer k',
      'user-agent': 'Mine',
      'idempotency-key': 'WC-1:call_7',
      'webhook-id': 'WC-1:call_7',
      host: new URL(server.url).host,
    });
  });
});

describe("a tool's server that misbehaves", () => {
  test('that hangs is left at the deadline, and not asked again', async () => {
    const controller = new AbortController();
    const arrived = new Promise<void>((resolve) => {
      answer = (response) => {
        response.write('{"results":');
        resolve();
      };
    });
    const outcome = run({ signal: controller.signal });
    await arrived;
    controller.abort();
    expect(await outcome).toMatchObject({ ok: false });
    expect(hits).toHaveLength(1);
  });

  test('that sends 100 MB is cut off at the limit', async () => {
    let sent = 0;
    const gone = new Promise<void>((resolve) => {
      answer = (response) => {
        response.on('close', resolve);
        const block = Buffer.alloc(64 * 1024, 'a');
        const more = () => {
          while (sent < 100 * 1024 * 1024 && !response.destroyed) {
            sent += block.length;
            if (!response.write(block)) return void response.once('drain', more);
          }
        };
        more();
      };
    });
    const outcome = await run();
    await gone;
    expect(outcome).toEqual({
      ok: false,
      code: 'response_too_large',
      error: expect.stringContaining('1024 bytes allowed'),
    });
    expect(sent).toBeLessThan(8 * 1024 * 1024);
  });

  test.each([
    ['a redirect to a private address', 307, 'http://169.254.169.254/latest/meta-data'],
    ['a redirect to anywhere else', 302, 'https://example.com/'],
  ])('%s is not followed', async (_what, status, location) => {
    answer = (response) => response.writeHead(status, { location }).end();
    const outcome = await run();
    expect(outcome).toEqual({
      ok: false,
      code: 'redirect_refused',
      error: expect.stringContaining('redirect'),
    });
    expect(hits).toHaveLength(1);
  });

  test.each([500, 503, 429])('that answers %i is asked once', async (status) => {
    answer = (response) => response.writeHead(status).end('try later');
    expect(await run()).toEqual({
      ok: false,
      error: `the tool's server answered with status ${status}: try later`,
      code: `http_${status}`,
    });
    expect(hits).toHaveLength(1);
  });

  test('that closes the connection is not asked again', async () => {
    answer = (response) => response.destroy();
    expect(await run()).toMatchObject({ ok: false, error: expect.stringContaining('connection') });
    expect(hits).toHaveLength(1);
  });
});

describe('a private target', () => {
  test('is not reached', async () => {
    expect(await run({ allowPrivate: false })).toEqual({
      ok: false,
      code: 'private_target',
      error: expect.stringContaining('private or reserved'),
    });
    expect(server.connections()).toBe(0);
  });

  test('is not reached by a name that resolves to it', async () => {
    const url = `http://tools.example:${server.port}/`;
    const outcome = await run({ url, allowPrivate: false, address: '127.0.0.1' });
    expect(outcome).toEqual({
      ok: false,
      code: 'private_target',
      error: expect.stringContaining('private or reserved'),
    });
    expect(server.connections()).toBe(0);
  });
});

test('no secret stands in an outcome', async () => {
  const secrets = { secret: 'nobody-may-see', headers: { authorization: 'Bearer nobody-may-see' } };
  for (const url of ['http://127.0.0.1:1/', 'http://nowhere.invalid/']) {
    const outcome = await run({ url, changes: { server: secrets } });
    expect(outcome.ok).toBe(false);
    expect(JSON.stringify(outcome)).not.toContain('nobody-may-see');
  }
});
