import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import generated from 'otlp-decoder/build/src/generated/root.js';
import { startLocalServer } from './local-server.ts';

export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the root. */
  readonly parentSpanId: string;
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly string[];
  readonly status: number;
}

export interface OtlpRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly resource: Readonly<Record<string, unknown>>;
  readonly scope: { readonly name: string; readonly schemaUrl: string };
  readonly spans: readonly CollectedSpan[];
}

export interface OtlpCollector extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly OtlpRequest[];
  readonly spans: () => readonly CollectedSpan[];
  answer: (response: ServerResponse) => void;
}

/** OpenTelemetry's own code for its messages, generated from their definition. */
interface Decoder {
  decode(bytes: Uint8Array): unknown;
  toObject(message: unknown, options: object): unknown;
}

const { ExportTraceServiceRequest } = (
  generated as unknown as {
    opentelemetry: {
      proto: { collector: { trace: { v1: { ExportTraceServiceRequest: Decoder } } } };
    };
  }
).opentelemetry.proto.collector.trace.v1;

/** A collector for OTLP over HTTP, which answers as it is told. */
export async function startOtlpCollector(): Promise<OtlpCollector> {
  const requests: OtlpRequest[] = [];
  const collector = { answer: (response: ServerResponse) => void response.end() };
  const server = await startLocalServer((request, response) => {
    buffer(request).then(
      (body) => {
        const bytes = request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
        const isJson = request.headers['content-type'] === 'application/json';
        const message = isJson ? JSON.parse(bytes.toString('utf8')) : decoded(bytes);
        requests.push({ path: `${request.url}`, headers: request.headers, ...readTraces(message) });
        collector.answer(response);
      },
      () => response.destroy(),
    );
  });
  return Object.assign(collector, {
    url: server.url,
    requests,
    spans: () => requests.flatMap(({ spans }) => spans),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  });
}

interface AnyValue {
  readonly arrayValue?: { readonly values: readonly AnyValue[] };
  readonly [kind: string]: unknown;
}

type KeyValues = readonly { readonly key: string; readonly value: AnyValue }[];

interface Message {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: KeyValues };
    readonly scopeSpans: readonly {
      readonly scope: { readonly name: string };
      readonly schemaUrl?: string;
      readonly spans: readonly Record<string, never>[];
    }[];
  }[];
}

const decoded = (bytes: Uint8Array) =>
  ExportTraceServiceRequest.toObject(ExportTraceServiceRequest.decode(bytes), { longs: String });

/** The traces of a message, as the decoder gives it, or of OTLP/JSON. */
export function readTraces(message: unknown): Pick<OtlpRequest, 'resource' | 'scope' | 'spans'> {
  const { resourceSpans } = message as Message;
  const [own] = resourceSpans;
  const [scoped] = own?.scopeSpans ?? [];
  return {
    resource: valuesOf(own?.resource.attributes),
    scope: { name: scoped?.scope.name ?? '', schemaUrl: scoped?.schemaUrl ?? '' },
    spans: (scoped?.spans ?? []).map((span) => readSpan(span)),
  };
}

function readSpan(span: Readonly<Record<string, unknown>>): CollectedSpan {
  const { traceId, spanId, parentSpanId, name, attributes, events, status } = span;
  const ms = (nanoseconds: unknown) => Number(BigInt(nanoseconds as string) / 1_000_000n);
  return {
    traceId: hex(traceId),
    spanId: hex(spanId),
    parentSpanId: hex(parentSpanId),
    name: name as string,
    startMs: ms(span.startTimeUnixNano),
    endMs: ms(span.endTimeUnixNano),
    attributes: valuesOf(attributes as KeyValues),
    events: ((events ?? []) as { name: string }[]).map((event) => event.name),
    status: (status as { code?: number } | undefined)?.code ?? 0,
  };
}

const hex = (id: unknown): string =>
  typeof id === 'string' ? id : Buffer.from((id ?? []) as Uint8Array).toString('hex');

const valuesOf = (attributes: KeyValues = []) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, anyValue(value)]));

function anyValue(value: AnyValue): unknown {
  if (value.arrayValue) return value.arrayValue.values.map(anyValue);
  if (value.intValue !== undefined) return Number(value.intValue);
  return Object.values(value)[0];
}
