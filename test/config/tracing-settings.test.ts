import { expect, test } from 'vitest';
import { ConfigError, parseConfig } from '../../src/config/config.ts';

const tracing = (env: Readonly<Record<string, string>>) => parseConfig(env).tracing;

test('there are no traces unless somebody asks for them', () => {
  expect(tracing({})).toBeUndefined();
  expect(tracing({ OTEL_SERVICE_NAME: 'x', OTEL_TRACES_SAMPLER: 'always_on' })).toBeUndefined();
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
  expect(tracing(endpoint)).toBeDefined();
  expect(tracing({ ...endpoint, OTEL_SDK_DISABLED: 'TRUE' })).toBeUndefined();
  expect(tracing({ ...endpoint, OTEL_TRACES_EXPORTER: 'none' })).toBeUndefined();
});

test.each([
  [{ OTEL_TRACES_EXPORTER: 'otlp' }, 'http://localhost:4318/v1/traces'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://c/otlp/' }, 'https://c/otlp/v1/traces'],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://c/spans' }, 'https://c/spans'],
  [
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://c',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://d/spans',
    },
    'https://d/spans',
  ],
])('%j sends to %s', (env, url) => {
  expect(tracing(env)?.url).toBe(url);
});

test('the other variables are read as OpenTelemetry says', () => {
  expect(
    tracing({
      OTEL_TRACES_EXPORTER: 'otlp',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20abc%3D, x-a=1',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-a=2',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,deployment.environment.name=prod',
      OTEL_SERVICE_NAME: 'voice',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.1',
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'True',
    }),
  ).toEqual({
    url: 'http://localhost:4318/v1/traces',
    headers: { authorization: 'Basic abc=', 'x-a': '2' },
    protocol: 'http/json',
    share: 0.1,
    resource: { 'service.name': 'voice', 'deployment.environment.name': 'prod' },
    captureContent: true,
  });
  expect(tracing({ OTEL_TRACES_EXPORTER: 'otlp' })).toMatchObject({
    protocol: 'http/protobuf',
    share: 1,
    resource: { 'service.name': 'parley' },
    captureContent: false,
  });
  expect(tracing({ OTEL_TRACES_EXPORTER: 'otlp', OTEL_TRACES_SAMPLER: 'always_off' })?.share).toBe(
    0,
  );
});

test.each([
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', 'must be one of http/protobuf, http/json'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318', 'must be a URL'],
  ['OTEL_TRACES_SAMPLER', 'jaeger_remote', 'must be'],
  ['OTEL_TRACES_SAMPLER_ARG', '2', 'must be 0 to 1'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'a-secret-without-name', 'must be name=value'],
])('%s=%s is refused in a sentence', (name, value, reason) => {
  expect(() => parseConfig({ [name]: value })).toThrow(ConfigError);
  expect(() => parseConfig({ [name]: value })).toThrow(reason);
  if (name.endsWith('HEADERS')) expect(() => parseConfig({ [name]: value })).not.toThrow(value);
});
