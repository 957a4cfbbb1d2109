import type { Failover } from './failover.ts';

/** A tool call as the model asked for it; `arguments` is the raw JSON text. */
export interface LlmToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** One entry of the model's context. Every assistant tool call is answered by exactly one `tool` message. */
export type LlmMessage =
  | { readonly role: 'user'; readonly content: string }
  | {
      readonly role: 'system';
      readonly content: string;
      /** Said in the call by a person who had taken it over; everything else is its owner's and the engine's. */
      readonly isSpoken?: true;
    }
  | {
      readonly role: 'assistant';
      readonly content: string;
      readonly toolCalls?: readonly LlmToolCall[];
    }
  | { readonly role: 'tool'; readonly toolCallId: string; readonly content: string };

export interface LlmTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments, an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly strict?: boolean;
}

export interface LlmRequest {
  readonly messages: readonly LlmMessage[];
  readonly tools?: readonly LlmTool[];
  readonly toolChoice?: 'auto' | 'none' | 'required';
  readonly temperature?: number;
  readonly maxTokens?: number;
  /** A JSON Schema the answer must follow. */
  readonly responseSchema?: {
    readonly name: string;
    readonly schema: Readonly<Record<string, unknown>>;
  };
  /** Groups requests of one assistant for the vendor's prompt cache. */
  readonly cacheKey?: string;
  /** The requesting team: teams take turns at a vendor. */
  readonly team?: string;
  readonly signal: AbortSignal;
  /** Called when a failed model is asked again. */
  readonly onFailover?: (failover: Failover) => void;
}

export interface LlmUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens?: number;
}

export type LlmPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool-call'; readonly call: LlmToolCall }
  | {
      readonly type: 'finish';
      readonly reason: 'stop' | 'length' | 'tool-calls' | 'content-filter';
      readonly usage?: LlmUsage;
    };

/** A language model. The stream throws {@link ProviderError}; ending without `finish` is a protocol error. */
export interface Llm {
  readonly provider: string;
  stream(request: LlmRequest): AsyncIterable<LlmPart>;
}
