import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ChatEmulator, startChatEmulator } from '../support/chat-completions-emulator.ts';
import { isLong } from '../support/effort.ts';
import { type LocalServer, startLocalServer } from '../support/local-server.ts';
import {
  type CollectedSpan,
  type OtlpCollector,
  readTraces,
  startOtlpCollector,
} from '../support/otlp-collector.ts';
import { dial, type ServiceCall } from '../support/service-call.ts';
import { SERVICE_KEY, type ServiceProcess } from '../support/service-process.ts';
import { startTestService } from '../support/test-service.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

/** Writes down each module of OpenTelemetry that the process loads, but for the API, which the metrics bring along. */
const WATCH = `
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
registerHooks({
  load(url, context, next) {
    if (/@opentelemetry\\/(?!api\\/)/.test(url)) appendFileSync(process.env.LOADED_FILE, url + '\\n');
    return next(url, context);
  },
});
`;

let folder: string;
let service: ServiceProcess | undefined;
let collector: OtlpCollector;
let model: ChatEmulator;
let tools: LocalServer;
let webhooks: WebhookReceiver;
/** The header of each request to the tool. */
let parents: (string | string[] | undefined)[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-traces-'));
  await writeFile(join(folder, 'watch.mjs'), WATCH);
  await writeFile(join(folder, 'loaded'), '');
  [collector, model, webhooks] = await Promise.all([
    startOtlpCollector(),
    startChatEmulator(),
    startWebhookReceiver(),
  ]);
  parents = [];
  tools = await startLocalServer((request, response) => {
    parents.push(request.headers.traceparent);
    request.resume().on('end', () => response.end('"table 4"'));
  });
});

afterEach(async () => {
  await service?.stop();
  await Promise.all([collector, model, webhooks, tools].map((one) => one[Symbol.asyncDispose]()));
  await rm(folder, { recursive: true, force: true });
});

async function start(env: Readonly<Record<string, string>>): Promise<ServiceProcess> {
  service = await startTestService(folder, {
    ALLOW_PRIVATE_TARGETS: 'true',
    NODE_OPTIONS: `--import ${join(folder, 'watch.mjs')}`,
    LOADED_FILE: join(folder, 'loaded'),
    ...env,
  });
  return service;
}

/** A whole call whose model calls a tool; resolves once its report has come. */
async function talk(on: ServiceProcess): Promise<ServiceCall> {
  const { _id } = await on.json<{ _id: string }>('/assistants/v1/tools', {
    method: 'POST',
    body: {
      function: {
        name: 'book',
        parameters: { type: 'object', properties: { table: { type: 'string' } } },
      },
      server: { url: tools.url },
    },
  });
  const toolCalls = [{ id: 'call_1', name: 'book', arguments: '{"table":"by the window"}' }];
  model.script({ toolCalls, times: 1 }, { deltas: ['That is done.'] });
  const call = await dial(on, {
    assistant: {
      name: 'Booker',
      assistantSystemPrompt: 'You book tables.',
      assistantProvider: 'custom-llm',
      assistantLLMUrl: model.baseUrl,
      assistantToolIds: [_id],
      assistantServer: { enabled: true, url: webhooks.url, messages: ['end-of-call-report'] },
    },
  });
  await expect.poll(() => call.said).toContain('assistant: That is done.');
  call.caller.hangup();
  await call.caller.ended;
  await webhooks.until((all) => all.some(({ callId }) => callId === call.id));
  return call;
}

const loaded = () => readFile(join(folder, 'loaded'), 'utf8');

async function traceByCommand(on: ServiceProcess, id: string): Promise<readonly CollectedSpan[]> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [resolve('src/cli/trace.ts'), id, '--url', on.url, '--key', SERVICE_KEY],
    { maxBuffer: 10_000_000, cwd: folder },
  );
  return readTraces(JSON.parse(stdout)).spans;
}

test.skipIf(isLong)(
  'a call gives one trace, to which its tool and its webhook belong, and which its journal gives again',
  async () => {
    const on = await start({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_SERVICE_NAME: 'reception',
    });
    const call = await talk(on);
    await expect.poll(() => collector.requests.length).toBe(1);
    const [request] = collector.requests;
    expect(request).toMatchObject({
      path: '/v1/traces',
      resource: { 'service.name': 'reception' },
    });
    const spans = collector.spans();
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    const named = (name: string) => spans.filter((span) => span.name === name);
    const [root] = named('call');
    const [tool] = named('execute_tool book');
    expect(root?.attributes).toMatchObject({
      'gen_ai.conversation.id': call.id,
      'parley.call.type': 'web',
      'parley.call.end_reason': 'user-hung-up',
    });
    expect(named('turn')).not.toEqual([]);
    expect(named('text_to_speech')).not.toEqual([]);
    const chats = spans.filter(({ attributes }) => attributes['gen_ai.operation.name'] === 'chat');
    expect(chats[0]?.attributes).toMatchObject({ 'gen_ai.provider.name': 'custom-llm' });
    expect(chats.some(({ attributes }) => 'gen_ai.usage.output_tokens' in attributes)).toBe(true);
    expect(parents).toEqual([`00-${root?.traceId}-${tool?.spanId}-01`]);
    expect(webhooks.of(call.id)[0]?.headers.traceparent).toBe(
      `00-${root?.traceId}-${root?.spanId}-01`,
    );
    const text = JSON.stringify(spans);
    for (const words of ['That is done', 'by the window', 'You book tables', 'table 4'])
      expect(text).not.toContain(words);
    expect(await traceByCommand(on, call.id)).toEqual(spans);
    const metrics = await fetch(`${on.url}/metrics`).then((response) => response.text());
    expect(metrics).toContain('parley_traces_total{outcome="sent"} 1');
    expect(await loaded()).not.toBe('');
  },
);

test.runIf(isLong)(
  'without a collector nothing of it is loaded, and no request names a trace',
  async () => {
    const on = await start({});
    const call = await talk(on);
    expect(parents).toEqual([undefined]);
    expect(webhooks.of(call.id)[0]?.headers).not.toHaveProperty('traceparent');
    expect(await loaded()).toBe('');
  },
);

test.runIf(isLong)(
  'a call ends as ever while the collector fails, and the log and the figures say so',
  async () => {
    collector.answer = (response) => void response.writeHead(500).end();
    const on = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, LOG_LEVEL: 'warn' });
    await talk(on);
    await expect.poll(() => on.output).toContain('the trace of a call could not be sent');
    const metrics = await fetch(`${on.url}/metrics`).then((response) => response.text());
    expect(metrics).toContain('parley_traces_total{outcome="failed"} 1');
  },
);
