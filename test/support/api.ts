import Fastify, { type FastifyInstance } from 'fastify';
import { expect } from 'vitest';
import type { ApiDeps } from '../../src/api/deps.ts';
import { sendFrameworkError } from '../../src/api/framework-errors.ts';
import { createApi } from '../../src/api/plugin.ts';
import { CallStarts } from '../../src/calls/call-starts.ts';
import { createContract, operationsOf } from '../../src/contract/contract.ts';
import type { ControlEvent } from '../../src/contract/control.ts';
import { problemKinds } from '../../src/contract/conventions.ts';
import { errorBodySchema } from '../../src/contract/error-bodies.ts';
import { areaOf, problemStatus } from '../../src/contract/errors.ts';
import type { Operation } from '../../src/contract/operation.ts';
import type { VendorCatalogue } from '../../src/contract/vendors.ts';
import { registerSocketServer } from '../../src/gateway/socket-server.ts';
import { createGuardedFetch } from '../../src/lib/guarded-fetch.ts';
import { SchemaChecker } from '../../src/lib/schema-checker.ts';
import { systemClock } from '../../src/lib/system-clock.ts';
import type { CallControl, ControlOutcome } from '../../src/ports/call-control.ts';
import { createApiKey } from '../../src/store/api-keys.ts';
import type { Db } from '../../src/store/db.ts';
import { callAsTest } from '../../src/testing/call-as-test.ts';
import { parseTests } from '../../src/testing/parse-tests.ts';
import { openTestFiles } from './files.ts';
import { ScriptedCarriers } from './scripted-carriers.ts';
import { searcherOnThisThread } from './searcher.ts';

/** A small catalogue: enough vendors to tell the default from the others. */
export const testVendors: VendorCatalogue = {
  llm: {
    names: ['openai', 'azure-openai', 'google', 'deepseek', 'anthropic', 'custom-llm', 'offline'],
    defaultName: 'offline',
  },
  stt: { names: ['offline', 'deepgram'], defaultName: 'offline' },
  tts: { names: ['offline', 'elevenlabs'], defaultName: 'offline' },
};

/** A control that keeps what it was asked, and answers as the test says. */
class ScriptedControl implements CallControl {
  readonly events: { callId: string; event: ControlEvent }[] = [];
  outcome: ControlOutcome = { outcome: 'accepted' };

  async command(callId: string, event: ControlEvent): Promise<ControlOutcome> {
    this.events.push({ callId, event });
    return this.outcome;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: what a test reads of an answer, it asserts on.
type Json = any;

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json;
  readonly text: string;
}

interface SendOptions {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One team's client. Every answer is checked against the contract's schema for its status. */
export interface TestClient {
  readonly key: string;
  readonly teamId: string;
  send(method: string, url: string, options?: SendOptions): Promise<Answer>;
  get(url: string, headers?: SendOptions['headers']): Promise<Answer>;
  post(url: string, body?: unknown, headers?: SendOptions['headers']): Promise<Answer>;
  put(url: string, body: unknown, headers?: SendOptions['headers']): Promise<Answer>;
  patch(url: string, body: unknown, headers?: SendOptions['headers']): Promise<Answer>;
  /** A body of bytes, whose type stands in the headers. */
  sendBytes(url: string, body: Buffer, headers: SendOptions['headers']): Promise<Answer>;
  delete(url: string, headers?: SendOptions['headers']): Promise<Answer>;
}

/** The API on a test database. */
export interface TestApi {
  readonly app: FastifyInstance;
  readonly control: ScriptedControl;
  readonly carriers: ScriptedCarriers;
  /** Lines of the log. */
  readonly log: readonly string[];
  client(teamId: string): Promise<TestClient>;
  close(): Promise<void>;
}

export async function startTestApi(
  db: Db,
  overrides: Partial<ApiDeps> = {},
  registerMore: (app: FastifyInstance) => Promise<void> = async () => {},
): Promise<TestApi> {
  const control = new ScriptedControl();
  const carriers = new ScriptedCarriers();
  const log: string[] = [];
  const files = await openTestFiles();
  // Its threads have a low priority, and wait long on a busy machine.
  const schemas = new SchemaChecker({ deadlineMs: 60_000 });
  const app = Fastify({
    logger: { level: 'warn', stream: { write: (line: string) => log.push(line) } },
    routerOptions: { maxParamLength: 1000 },
    frameworkErrors: sendFrameworkError,
  });
  await registerSocketServer(app, { maxFrameBytes: 65_536 });
  await app.register(
    createApi({
      db,
      control,
      monitor: { listen: () => 'not-live' },
      carriers,
      vendors: testVendors,
      vendorProblems: () => [],
      callStarts: new CallStarts(() => performance.now()),
      recordings: {
        size: async () => undefined,
        open: () => {
          throw new Error('no recordings in this test');
        },
        link: async () => undefined,
      },
      knowledge: searcherOnThisThread(db),
      testReader: {
        read: async (source) => parseTests(source),
        ofCall: async (call) => callAsTest(call),
      },
      ...files,
      publicUrl: () => 'http://parley.test',
      ready: () => true,
      hasRoom: () => true,
      toolServers: {
        clock: systemClock,
        fetch: createGuardedFetch({ allowPrivate: true, clock: systemClock }).fetch,
        maxResponseBytes: 65_536,
        schemas,
      },
      ...overrides,
    }),
  );
  await registerMore(app);
  await app.ready();
  return {
    app,
    control,
    carriers,
    log,
    client: async (teamId) => {
      const { key } = await createApiKey(db, { teamId, name: 'Test' });
      return createClient(app, { key, teamId });
    },
    close: async () => {
      await app.close();
      schemas.close();
      await files.close();
    },
  };
}

/** A client of one team; without a key it sends none. */
export function createClient(
  app: FastifyInstance,
  { key, teamId }: { readonly key: string; readonly teamId: string },
): TestClient {
  const send = async (method: string, url: string, options: SendOptions = {}): Promise<Answer> => {
    const { body, headers } = options;
    const response = await app.inject({
      method: method as 'GET',
      url,
      headers: {
        ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : {
            payload:
              typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
          }),
    });
    const type = String(response.headers['content-type'] ?? '');
    const answer = {
      status: response.statusCode,
      headers: response.headers as Record<string, string>,
      text: response.body,
      body: type.startsWith('application/json') ? JSON.parse(response.body) : undefined,
    };
    expectContract(method, url, answer);
    return answer;
  };
  return {
    key,
    teamId,
    send,
    get: (url, headers) => send('GET', url, { ...(headers ? { headers } : {}) }),
    post: (url, body, headers) => send('POST', url, { body, ...(headers ? { headers } : {}) }),
    put: (url, body, headers) => send('PUT', url, { body, ...(headers ? { headers } : {}) }),
    patch: (url, body, headers) => send('PATCH', url, { body, ...(headers ? { headers } : {}) }),
    sendBytes: (url, body, headers) => send('POST', url, { body, ...(headers ? { headers } : {}) }),
    delete: (url, headers) => send('DELETE', url, { ...(headers ? { headers } : {}) }),
  };
}

const operations = operationsOf(createContract(testVendors));
const patterns = operations.map((operation) => ({
  operation,
  pattern: new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));

/** The operation that serves a request; fixed paths come before parameters. */
function findOperation(method: string, url: string): Operation | undefined {
  const path = url.split('?')[0] as string;
  const fits = patterns.filter(
    ({ operation, pattern }) => operation.method === method && pattern.test(path),
  );
  return (fits.find(({ operation }) => operation.path === path) ?? fits[0])?.operation;
}

/** Fails unless the contract has this answer for the operation. */
function expectContract(method: string, url: string, answer: Answer): void {
  const operation = findOperation(method, url);
  if (!operation || answer.body === undefined) return;
  const at = `${method} ${url} ${answer.status} ${answer.text.slice(0, 500)}`;
  if (answer.status < 400) {
    expect(answer.status, at).toBe(operation.response.status);
    const result = operation.response.schema?.safeParse(answer.body);
    expect(result?.error?.issues ?? [], at).toEqual([]);
    return;
  }
  const area = areaOf(operation.path);
  const fitting = [...problemKinds(operation)].filter(
    (kind) => problemStatus(kind, area) === answer.status,
  );
  expect(fitting, `documented: ${at}`).not.toEqual([]);
  const fits = fitting.some((kind) => errorBodySchema(kind, area).safeParse(answer.body).success);
  expect(fits, `shape: ${at}`).toBe(true);
}
