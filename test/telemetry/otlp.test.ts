import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { TracingConfig } from '../../src/ports/tracing.ts';
import type { CallSpan } from '../../src/telemetry/trace/call-span.ts';
import {
  CONVENTIONS,
  createSpanSender,
  type SpanSender,
  samplerOf,
  toOtlpJson,
} from '../../src/telemetry/trace/otlp.ts';
import { type OtlpCollector, readTraces, startOtlpCollector } from '../support/otlp-collector.ts';

const RESOURCE = { 'service.name': 'parley', 'deployment.environment.name': 'test' };
const SPAN: CallSpan = {
  traceId: '0123456789abcdef0123456789abcdef',
  spanId: '0123456789abcdef',
  parentSpanId: 'fedcba9876543210',
  name: 'chat gpt-5',
  kind: 'client',
  startMs: 1_700_000_000_123,
  endMs: 1_700_000_001_456,
  attributes: { text: 'ü', count: 7, share: 0.25, on: true, list: ['a', 'b'] },
  events: [{ name: 'answered', atMs: 1_700_000_000_200, attributes: {} }],
  errorType: 'timeout',
};
const SEEN = {
  traceId: SPAN.traceId,
  spanId: SPAN.spanId,
  parentSpanId: SPAN.parentSpanId,
  name: SPAN.name,
  startMs: SPAN.startMs,
  endMs: SPAN.endMs,
  attributes: SPAN.attributes,
  events: ['answered'],
  status: 2,
};

let collector: OtlpCollector;
let sender: SpanSender | undefined;

beforeEach(async () => {
  collector = await startOtlpCollector();
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await collector[Symbol.asyncDispose]();
  await sender?.close();
});

const configOf = (part: Partial<TracingConfig> = {}): TracingConfig => ({
  url: `${collector.url}/v1/traces`,
  headers: { 'x-tenant': 'shop' },
  protocol: 'http/protobuf',
  share: 1,
  resource: RESOURCE,
  captureContent: false,
  ...part,
});

test.each([
  ['http/protobuf', 'application/x-protobuf'],
  ['http/json', 'application/json'],
] as const)('%s is what OpenTelemetry’s own decoder reads', async (protocol, contentType) => {
  sender = await createSpanSender(configOf({ protocol }));
  await sender.send([SPAN]);
  expect(collector.requests).toMatchObject([
    {
      path: '/v1/traces',
      headers: { 'x-tenant': 'shop', 'content-type': contentType },
      resource: RESOURCE,
      scope: { name: 'parley', schemaUrl: `https://opentelemetry.io/schemas/${CONVENTIONS}` },
      spans: [SEEN],
    },
  ]);
});

test('a long call goes in several requests', async () => {
  sender = await createSpanSender(configOf());
  const ids = Array.from({ length: 1100 }, (_, i) => i.toString(16).padStart(16, '0'));
  await sender.send(ids.map((spanId) => ({ ...SPAN, spanId })));
  expect(collector.requests.map(({ spans }) => spans.length)).toEqual([512, 512, 76]);
  expect(collector.spans().map(({ spanId }) => spanId)).toEqual(ids);
});

test('what the collector refuses for good is asked once', async () => {
  collector.answer = (response) => void response.writeHead(400).end();
  sender = await createSpanSender(configOf());
  await expect(sender.send([SPAN])).rejects.toThrow();
  expect(collector.requests).toHaveLength(1);
});

test('a collector that is busy for a moment is asked again', async () => {
  collector.answer = (response) => {
    const isFirst = collector.requests.length === 1;
    response.writeHead(isFirst ? 503 : 200, isFirst ? { 'retry-after': '0' } : {}).end();
  };
  sender = await createSpanSender(configOf());
  await sender.send([SPAN]);
  expect(collector.requests).toHaveLength(2);
});

test('a collector that does not answer is left at the exporter’s timeout', async () => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_TRACES_TIMEOUT', '50');
  collector.answer = () => undefined;
  sender = await createSpanSender(configOf());
  await expect(sender.send([SPAN])).rejects.toThrow();
});

test('OTLP/JSON of a file holds the same', () => {
  expect(readTraces(JSON.parse(toOtlpJson([SPAN], RESOURCE)))).toMatchObject({
    resource: RESOURCE,
    spans: [SEEN],
  });
});

test('the conventions are those against which the names are checked', () => {
  const path = createRequire(import.meta.url).resolve('@opentelemetry/semantic-conventions');
  const folder = path.slice(0, path.lastIndexOf('/build/'));
  const { version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as {
    version: string;
  };
  expect(version.split('.').slice(0, 2)).toEqual(CONVENTIONS.split('.').slice(0, 2));
});

test('a share of the calls is the same one every time', () => {
  const ids = Array.from({ length: 2000 }, (_, i) =>
    (i * 2_654_435_761).toString(16).padStart(32, '1'),
  );
  expect(ids.filter(samplerOf(1))).toEqual(ids);
  expect(ids.filter(samplerOf(0))).toEqual([]);
  const half = ids.filter(samplerOf(0.5));
  expect(half.length).toBeGreaterThan(0);
  expect(half.length).toBeLessThan(ids.length);
  expect(ids.filter(samplerOf(0.5))).toEqual(half);
});
