/** What a request to a user's server belongs to: a tool of a call, or the call itself. */
export interface TracedRequest {
  readonly callId: string;
  readonly toolCallId?: string;
}

/**
 * The headers that tell a server which trace its work belongs to (W3C trace context). They follow from the ids alone, so
 * that a webhook which another process sends, or sends again, has the same.
 */
export type TraceHeaders = (request: TracedRequest) => Readonly<Record<string, string>>;

/** Sends the traces of ended calls. */
export interface CallTraces {
  readonly headers: TraceHeaders;
  /** Takes the call's trace on; returns at once. What is too much is dropped. */
  ended(callId: string): void;
}

/** Where traces go, and what they hold. */
export interface TracingConfig {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly protocol: 'http/protobuf' | 'http/json';
  /** The share of the calls that are traced, 0 to 1; the call's id decides. */
  readonly share: number;
  readonly resource: Readonly<Record<string, string>>;
  /** Traces hold what was said. */
  readonly captureContent: boolean;
}
