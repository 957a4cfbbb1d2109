import {
  CALL_KEY,
  type CallSpan,
  type SpanAttributes,
  type SpanValue,
  spanIdOf,
  traceIdOf,
} from './call-span.ts';

interface SpanEvent {
  readonly name: string;
  readonly at: number;
  readonly attributes: SpanAttributes;
}

/** A span that lines of the journal still add to; times are ms since the call was created. */
export interface OpenSpan {
  readonly key: string;
  readonly name: string;
  readonly kind: CallSpan['kind'];
  parent: string;
  startAt: number;
  /** Absent while it goes on; what nothing ends ends with the call. */
  endAt?: number;
  errorType?: string;
  readonly attributes: Record<string, SpanValue>;
  readonly events: SpanEvent[];
}

interface NewSpan {
  readonly name: string;
  /** @defaultValue internal */
  readonly kind?: CallSpan['kind'];
  readonly at: number;
  readonly parent: string;
  readonly attributes?: SpanAttributes;
}

/** A call with more is traced up to here, and says how many are missing. */
const MAX_SPANS = 20_000;
const MAX_EVENTS = 500;

/** The spans of one call by their keys. */
export class SpanBook {
  readonly root: OpenSpan;
  readonly #callId: string;
  readonly #startedAtMs: number;
  readonly #spans = new Map<string, OpenSpan>();
  readonly #latest = new Map<string, OpenSpan>();
  #dropped = 0;
  #events = 0;

  constructor(
    callId: string,
    call: Pick<CallSpan, 'kind' | 'attributes'> & { readonly startedAtMs: number },
  ) {
    this.#callId = callId;
    this.#startedAtMs = call.startedAtMs;
    this.root = this.open(CALL_KEY, { ...call, name: 'call', at: 0, parent: '' });
  }

  get(key: string): OpenSpan | undefined {
    return this.#spans.get(key);
  }

  /** The latest span that was opened with this key. */
  latest(key: string): OpenSpan | undefined {
    return this.#latest.get(key);
  }

  /** Begins a span. A key that is taken, as where a vendor repeats an id, gets a number. */
  open(key: string, { name, kind = 'internal', at, parent, attributes }: NewSpan): OpenSpan {
    const own = this.#spans.has(key) ? `${key}#${this.#spans.size}` : key;
    const span = { name, kind, parent, startAt: at, attributes: { ...attributes }, events: [] };
    const opened: OpenSpan = { key: own, ...span };
    if (this.#spans.size < MAX_SPANS) this.#spans.set(own, opened);
    else this.#dropped++;
    this.#latest.set(key, opened);
    return opened;
  }

  /** Something of the call that took no time. */
  event(name: string, at: number, attributes: SpanAttributes = {}): void {
    this.mark(this.root, name, at, attributes);
  }

  mark(
    span: OpenSpan | undefined,
    name: string,
    at: number,
    attributes: SpanAttributes = {},
  ): void {
    if (span && this.#events++ < MAX_EVENTS) span.events.push({ name, at, attributes });
  }

  /** All spans of a call that was over at this time; none ends before its parts. */
  spans(overAt: number): readonly CallSpan[] {
    const all = [...this.#spans.values()];
    this.root.endAt ??= overAt;
    for (const span of all) span.endAt = Math.max(span.startAt, span.endAt ?? this.root.endAt);
    const ofTurns = all.filter(({ parent }) => parent !== CALL_KEY);
    for (const span of [...ofTurns, ...all]) this.#widen(this.#spans.get(span.parent), span);
    if (this.#dropped > 0) this.root.attributes['parley.dropped_spans'] = this.#dropped;
    if (this.#events > MAX_EVENTS)
      this.root.attributes['parley.dropped_events'] = this.#events - MAX_EVENTS;
    const traceId = traceIdOf(this.#callId);
    return all.map((span) => this.#close(span, traceId));
  }

  #widen(parent: OpenSpan | undefined, { startAt, endAt = startAt }: OpenSpan): void {
    if (!parent) return;
    parent.startAt = Math.min(parent.startAt, startAt);
    parent.endAt = Math.max(parent.endAt ?? endAt, endAt);
  }

  #close(span: OpenSpan, traceId: string): CallSpan {
    const { key, name, kind, startAt, endAt = startAt, errorType, attributes, events } = span;
    const parent = this.#spans.get(span.parent);
    const unixMs = (at: number) => this.#startedAtMs + at;
    return {
      traceId,
      spanId: spanIdOf(this.#callId, key),
      ...(parent ? { parentSpanId: spanIdOf(this.#callId, parent.key) } : {}),
      name,
      kind,
      startMs: unixMs(startAt),
      endMs: unixMs(endAt),
      attributes: errorType === undefined ? attributes : { ...attributes, 'error.type': errorType },
      events: events.map(({ at, ...event }) => ({ ...event, atMs: unixMs(at) })),
      ...(errorType === undefined ? {} : { errorType }),
    };
  }
}
