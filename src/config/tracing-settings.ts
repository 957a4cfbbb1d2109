import { z } from 'zod';
import type { TracingConfig } from '../ports/tracing.ts';
import type { Setting } from './environment.ts';

/** As OpenTelemetry has it: every other text means false. */
const otelFlag = z.string().transform((value) => value.trim().toLowerCase() === 'true');
const protocol = z.enum(['http/protobuf', 'http/json']);
const endpoint = z
  .string()
  .refine(
    (value) => ['http:', 'https:'].includes(URL.parse(value)?.protocol ?? ''),
    'must be a URL beginning with http:// or https://',
  );
const SAMPLERS = ['always_on', 'always_off', 'traceidratio'].flatMap((sampler) => [
  sampler,
  `parentbased_${sampler}`,
]);
const pairs = z.string().transform((value, context) => {
  try {
    return pairsOf(value);
  } catch {
    context.addIssue('must be name=value, with commas between them and % before what is encoded');
    return z.NEVER;
  }
});

/** OpenTelemetry's own variables, as far as the service reads them; its exporter reads those of TLS, time and compression. */
export const TRACING_SETTINGS: Readonly<Record<string, Setting>> = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    schema: endpoint,
    help: 'collector that gets a trace of each call, such as http://localhost:4318 (docs/observe.md; default: no traces)',
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
    schema: endpoint,
    help: 'the same with its full path, for traces alone',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    schema: pairs,
    help: 'headers of the requests to it: name=value,name=value',
    secret: true,
  },
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: {
    schema: pairs,
    help: 'further ones, for traces alone',
    secret: true,
  },
  OTEL_EXPORTER_OTLP_PROTOCOL: {
    schema: protocol,
    fallback: 'http/protobuf',
    help: 'http/protobuf or http/json',
  },
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: { schema: protocol, help: 'the same, for traces alone' },
  OTEL_TRACES_EXPORTER: {
    schema: z.enum(['otlp', 'none']),
    help: 'otlp sends traces to http://localhost:4318 where no collector is named, none sends none',
  },
  OTEL_TRACES_SAMPLER: {
    schema: z.enum(SAMPLERS),
    fallback: 'parentbased_always_on',
    help: 'which calls are traced: always_on, always_off or traceidratio, also with parentbased_ before it',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    schema: z
      .string()
      .refine((value) => Number(value) >= 0 && Number(value) <= 1, 'must be 0 to 1')
      .transform(Number),
    help: 'the share of them for traceidratio, 0 to 1 (default: 1)',
  },
  OTEL_SERVICE_NAME: {
    schema: z.string().min(1),
    help: 'what the service is called in traces (default: parley)',
  },
  OTEL_RESOURCE_ATTRIBUTES: {
    schema: pairs,
    help: 'what else they say of it: name=value,name=value',
  },
  OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: {
    schema: otelFlag,
    fallback: 'false',
    help: 'true puts what was said into traces, as the journal has it',
  },
  OTEL_SDK_DISABLED: {
    schema: otelFlag,
    fallback: 'false',
    help: 'true sends no traces, whatever else is set',
  },
};

/** Absent unless traces are wanted. */
export function tracingOf(values: Readonly<Record<string, unknown>>): TracingConfig | undefined {
  const base = values.OTEL_EXPORTER_OTLP_ENDPOINT as string | undefined;
  const own = values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT as string | undefined;
  const exporter = values.OTEL_TRACES_EXPORTER;
  const isNamed = exporter === 'otlp' || base !== undefined || own !== undefined;
  if (values.OTEL_SDK_DISABLED || exporter === 'none' || !isNamed) return undefined;
  const attributes = (values.OTEL_RESOURCE_ATTRIBUTES ?? {}) as Readonly<Record<string, string>>;
  const serviceName = values.OTEL_SERVICE_NAME as string | undefined;
  return Object.freeze({
    url: own ?? `${(base ?? 'http://localhost:4318').replace(/\/$/, '')}/v1/traces`,
    headers: {
      ...(values.OTEL_EXPORTER_OTLP_HEADERS as object | undefined),
      ...(values.OTEL_EXPORTER_OTLP_TRACES_HEADERS as object | undefined),
    },
    protocol: (values.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ??
      values.OTEL_EXPORTER_OTLP_PROTOCOL) as TracingConfig['protocol'],
    share: shareOf(values),
    resource: {
      'service.name': 'parley',
      ...attributes,
      ...(serviceName === undefined ? {} : { 'service.name': serviceName }),
    },
    captureContent: values.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT as boolean,
  });
}

/** A call has no parent, so that a sampler that asks for it decides as the one behind it. */
function shareOf(values: Readonly<Record<string, unknown>>): number {
  const sampler = values.OTEL_TRACES_SAMPLER as string;
  if (sampler.endsWith('always_on')) return 1;
  if (sampler.endsWith('always_off')) return 0;
  return (values.OTEL_TRACES_SAMPLER_ARG as number | undefined) ?? 1;
}

/** Throws if a part is not a pair. */
function pairsOf(text: string): Readonly<Record<string, string>> {
  const parts = text.split(',').filter((part) => part.trim() !== '');
  return Object.fromEntries(
    parts.map((part) => {
      const at = part.indexOf('=');
      const [name, value] = [part.slice(0, at).trim(), part.slice(at + 1).trim()];
      if (at < 1 || name === '') throw new Error('no pair');
      return [decodeURIComponent(name), decodeURIComponent(value)];
    }),
  );
}
