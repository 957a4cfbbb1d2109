import { type SpanContext, SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  type ReadableSpan,
  SamplingDecision,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
import type { TracingConfig } from '../../ports/tracing.ts';
import type { CallSpan } from './call-span.ts';

/** The release of OpenTelemetry's conventions that spans follow. */
export const CONVENTIONS = '1.41.0';

const SCOPE = { name: 'parley', schemaUrl: `https://opentelemetry.io/schemas/${CONVENTIONS}` };

const KINDS: Readonly<Record<CallSpan['kind'], SpanKind>> = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
};

/** Spans in one request: what a call has more goes in several. */
const SPANS_PER_REQUEST = 512;

export interface SpanSender {
  /** Resolves when the collector has taken the spans. Tries again, within the exporter's timeout, where that may help. */
  send(spans: readonly CallSpan[]): Promise<void>;
  close(): Promise<void>;
}

/** Sends spans in OpenTelemetry's protocol, by its own exporter. */
export async function createSpanSender(config: TracingConfig): Promise<SpanSender> {
  const { OTLPTraceExporter } =
    config.protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto');
  const exporter = new OTLPTraceExporter({ url: config.url, headers: { ...config.headers } });
  const resource = resourceFromAttributes(config.resource);
  const sendSome = (spans: ReadableSpan[]) =>
    new Promise<void>((resolve, reject) => {
      exporter.export(spans, ({ error, code }) =>
        code === 0 ? resolve() : reject(error ?? new Error('the collector has refused the spans')),
      );
    });
  return {
    async send(spans) {
      for (let i = 0; i < spans.length; i += SPANS_PER_REQUEST)
        await sendSome(
          spans.slice(i, i + SPANS_PER_REQUEST).map((span) => toReadable(span, resource)),
        );
    },
    close: () => exporter.shutdown(),
  };
}

/** Tells which traces are kept, as every other service with this share decides. */
export function samplerOf(share: number): (traceId: string) => boolean {
  const sampler = new TraceIdRatioBasedSampler(share);
  return (traceId) =>
    sampler.shouldSample({} as never, traceId).decision === SamplingDecision.RECORD_AND_SAMPLED;
}

/** The spans as OTLP/JSON, which collectors read from files. */
export function toOtlpJson(
  spans: readonly CallSpan[],
  resourceAttributes: TracingConfig['resource'],
): string {
  const resource = resourceFromAttributes(resourceAttributes);
  const bytes = JsonTraceSerializer.serializeRequest(
    spans.map((span) => toReadable(span, resource)),
  );
  return Buffer.from(bytes ?? []).toString('utf8');
}

function toReadable(span: CallSpan, resource: Resource): ReadableSpan {
  const { traceId, spanId, parentSpanId, name, kind, startMs, endMs, errorType } = span;
  const context = (id: string): SpanContext => ({
    traceId,
    spanId: id,
    traceFlags: TraceFlags.SAMPLED,
  });
  const own = context(spanId);
  return {
    name,
    kind: KINDS[kind],
    spanContext: () => own,
    ...(parentSpanId === undefined ? {} : { parentSpanContext: context(parentSpanId) }),
    startTime: timeOf(startMs),
    endTime: timeOf(endMs),
    duration: timeOf(endMs - startMs),
    status: { code: errorType === undefined ? SpanStatusCode.UNSET : SpanStatusCode.ERROR },
    attributes: span.attributes as ReadableSpan['attributes'],
    events: span.events.map(({ name: event, atMs, attributes }) => ({
      name: event,
      time: timeOf(atMs),
      attributes: attributes as ReadableSpan['attributes'],
    })),
    links: [],
    ended: true,
    resource,
    instrumentationScope: SCOPE,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

/** Seconds and nanoseconds. */
function timeOf(ms: number): [number, number] {
  const whole = Math.floor(ms / 1000);
  return [whole, Math.round((ms - whole * 1000) * 1e6)];
}
