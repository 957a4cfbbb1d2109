import { hash } from 'node:crypto';

export type SpanValue = string | number | boolean | readonly string[];
export type SpanAttributes = Readonly<Record<string, SpanValue>>;

/** A part of a call that took time; times are Unix ms. */
export interface CallSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: 'internal' | 'server' | 'client';
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: SpanAttributes;
  readonly events: readonly {
    readonly name: string;
    readonly atMs: number;
    readonly attributes: SpanAttributes;
  }[];
  /** A code; absent if nothing failed. */
  readonly errorType?: string;
}

/** The keys under which a call's parts have their ids. */
export const CALL_KEY = 'call';
export const toolKey = (toolCallId: string): string => `tool:${toolCallId}`;

/** Ids follow from the call's, so that whoever knows it can name its trace: a live call, a webhook, an old journal. */
export const traceIdOf = (callId: string): string => hash('sha256', callId).slice(0, 32);

export const spanIdOf = (callId: string, key: string): string =>
  hash('sha256', `${callId}\n${key}`).slice(0, 16);
