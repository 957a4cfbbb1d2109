import { ProviderError } from '../../lib/errors.ts';
import type { LlmPart, LlmToolCall, LlmUsage } from '../../ports/llm.ts';
import { streamError } from './error-protocol.ts';
import type { SseEvent } from './sse-protocol.ts';
import { ThoughtFilter } from './thought-protocol.ts';

type FinishReason = Extract<LlmPart, { type: 'finish' }>['reason'];
type JsonObject = Readonly<Record<string, unknown>>;

interface OpenCall {
  readonly index: number | undefined;
  /** The id sent by the vendor; empty until it arrives. */
  vendorId: string;
  name: string;
  arguments: string;
  extra: JsonObject | undefined;
}

export interface ChatStreamOptions {
  readonly provider: string;
  /** For tool calls that arrive without an id. */
  readonly createId: () => string;
  /** Reports fields that must be returned with the tool call in the history. */
  readonly onExtra: (toolCallId: string, extra: JsonObject) => void;
  readonly secrets: readonly string[];
}

/** Total over all tool calls of one answer. */
const MAX_ARGUMENTS_CHARS = 128 * 1024;
const MAX_CALLS = 64;

const FINISH_REASONS: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  content_filter: 'content-filter',
};

function object(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined;
}

function string(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The spoken text of a delta: a string, or an array of parts of which only the `text` ones are spoken. */
function contentText(content: unknown): string {
  if (!Array.isArray(content)) return string(content);
  return content
    .map((part) => (object(part)?.type === 'text' ? string(object(part)?.text) : ''))
    .join('');
}

function readUsage(value: unknown): LlmUsage | undefined {
  const usage = object(value);
  if (typeof usage?.prompt_tokens !== 'number') return undefined;
  const cached = object(usage.prompt_tokens_details)?.cached_tokens;
  return {
    inputTokens: usage.prompt_tokens,
    outputTokens: typeof usage.completion_tokens === 'number' ? usage.completion_tokens : 0,
    ...(typeof cached === 'number' ? { cachedTokens: cached } : {}),
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Assembles the chunks of one streamed completion into parts, for every server dialect. */
export class ChatStream {
  readonly #options: ChatStreamOptions;
  readonly #thoughts = new ThoughtFilter();
  readonly #calls: OpenCall[] = [];
  #argumentsChars = 0;
  #refused = false;
  #reason: string | undefined;
  #usage: LlmUsage | undefined;
  #finished = false;
  #progressed = false;

  constructor(options: ChatStreamOptions) {
    this.#options = options;
  }

  /** True once the model has begun to answer, even if only with hidden reasoning. */
  get progressed(): boolean {
    return this.#progressed;
  }

  /** True once the `finish` part has been emitted; later chunks are ignored. */
  get finished(): boolean {
    return this.#finished;
  }

  /** True once the model is done; only usage and the end marker may be missing. */
  get answered(): boolean {
    return this.#reason !== undefined;
  }

  accept(event: SseEvent): LlmPart[] {
    if (this.#finished) return [];
    if (event.data.trim() === '[DONE]') return this.end(true);
    const chunk = this.#parse(event.data);
    if (chunk.error !== undefined && chunk.error !== null)
      throw streamError(this.#options.provider, chunk, this.#options.secrets);
    if (event.event === 'error')
      throw streamError(this.#options.provider, { error: chunk }, this.#options.secrets);
    const parts: LlmPart[] = [];
    const choice = object(Array.isArray(chunk.choices) ? chunk.choices[0] : undefined);
    // After the finish reason only usage matters: asynchronous filters send late, empty chunks.
    if (choice && this.#reason === undefined) this.#acceptChoice(choice, parts);
    this.#usage = readUsage(chunk.usage) ?? this.#usage;
    if (this.#reason !== undefined && this.#usage) parts.push(...this.#finish());
    return parts;
  }

  *acceptAll(events: Iterable<SseEvent>): Generator<LlmPart, void, undefined> {
    for (const event of events) yield* this.accept(event);
  }

  /** Call it when the stream has ended, with or without its end marker. */
  end(marked: boolean): LlmPart[] {
    if (this.#finished) return [];
    const complete = this.#reason !== undefined || (marked && this.#progressed);
    if (!complete) {
      throw new ProviderError({
        class: 'protocol',
        provider: this.#options.provider,
        code: 'ended_early',
        message: `${this.#options.provider} ended its answer before it was complete`,
        retryable: true,
      });
    }
    const parts: LlmPart[] = [];
    if (this.#reason === undefined) this.#close('stop', parts);
    parts.push(...this.#finish());
    return parts;
  }

  #parse(data: string): JsonObject {
    try {
      const chunk = object(JSON.parse(data));
      if (chunk) return chunk;
    } catch {
      // Reported below, like JSON that is not an object.
    }
    throw new ProviderError({
      class: 'protocol',
      provider: this.#options.provider,
      code: 'bad_chunk',
      message: `${this.#options.provider} sent a stream event that is not a JSON object`,
    });
  }

  #acceptChoice(choice: JsonObject, parts: LlmPart[]): void {
    const delta = object(choice.delta);
    if (delta) this.#acceptDelta(delta, parts);
    const reason = string(choice.finish_reason);
    if (reason === 'error')
      throw streamError(this.#options.provider, choice, this.#options.secrets);
    if (reason) this.#close(reason, parts);
  }

  #acceptDelta(delta: JsonObject, parts: LlmPart[]): void {
    const refusal = string(delta.refusal);
    if (refusal) this.#refused = true;
    const content = contentText(delta.content);
    const text = this.#thoughts.push(content) + refusal;
    if (text) parts.push({ type: 'text', text });
    if (content || refusal || delta.reasoning_content || delta.reasoning) this.#progressed = true;
    if (Array.isArray(delta.tool_calls))
      for (const call of delta.tool_calls) this.#acceptCall(object(call) ?? {});
    const legacy = object(delta.function_call);
    if (legacy) this.#acceptCall({ index: 0, function: legacy });
  }

  #acceptCall(fragment: JsonObject): void {
    this.#progressed = true;
    const index = typeof fragment.index === 'number' ? fragment.index : undefined;
    const id = string(fragment.id);
    const named = object(fragment.function);
    const name = string(named?.name);
    let call = this.#find(index, id, name);
    if (!call) {
      call = { index, vendorId: id, name: '', arguments: '', extra: undefined };
      this.#calls.push(call);
    }
    call.vendorId ||= id;
    call.name ||= name;
    const args = named?.arguments;
    // Some servers send the arguments already parsed.
    const more = object(args) ? JSON.stringify(args) : string(args);
    this.#argumentsChars += more.length;
    if (this.#argumentsChars > MAX_ARGUMENTS_CHARS || this.#calls.length > MAX_CALLS)
      throw this.#tooLarge();
    call.arguments += more;
    const extra = object(fragment.extra_content);
    if (extra) call.extra = { extra_content: extra };
  }

  /** The tool call that a fragment continues; undefined when it begins a new one. */
  #find(index: number | undefined, id: string, name: string): OpenCall | undefined {
    const call =
      index === undefined
        ? this.#calls.at(-1)
        : this.#calls.findLast((open) => open.index === index || open.index === undefined);
    if (!call) return undefined;
    const anotherId = id !== '' && call.vendorId !== '' && id !== call.vendorId;
    // Some servers omit the index or number every call 0; for them, a complete call ends where the next begins. This
    // check comes last because it parses all arguments so far.
    const isWhole = () => call.name !== '' && isJson(call.arguments || '{}');
    const startsNew =
      index === undefined
        ? anotherId || (name !== '' && id === '' && call.arguments !== '' && isWhole())
        : anotherId && isWhole();
    return startsNew ? undefined : call;
  }

  #tooLarge(): ProviderError {
    const { provider } = this.#options;
    return new ProviderError({
      class: 'protocol',
      provider,
      code: 'tool_calls_too_large',
      message: `${provider} called more than ${MAX_CALLS} tools, or with more than ${MAX_ARGUMENTS_CHARS} characters of arguments`,
    });
  }

  /** Emits the tool calls at the end, because fragments of several calls may interleave. */
  #emitCalls(parts: LlmPart[], truncated: boolean): void {
    for (const open of this.#calls) {
      // A tool call cut off by the token limit must not run with incomplete arguments.
      if (open.name === '' || (truncated && !isJson(open.arguments))) continue;
      const call: LlmToolCall = {
        id: open.vendorId || this.#options.createId(),
        name: open.name,
        arguments: open.arguments || '{}',
      };
      // Stored before the part is emitted: the history may need it at once.
      if (open.extra) this.#options.onExtra(call.id, open.extra);
      parts.push({ type: 'tool-call', call });
    }
  }

  #close(reason: string, parts: LlmPart[]): void {
    this.#reason = reason;
    this.#progressed = true;
    const rest = this.#thoughts.end();
    if (rest) parts.push({ type: 'text', text: rest });
    this.#emitCalls(parts, reason === 'length');
  }

  #finish(): LlmPart[] {
    this.#finished = true;
    const usage = this.#usage ? { usage: this.#usage } : {};
    return [{ type: 'finish', reason: this.#finishReason(), ...usage }];
  }

  #finishReason(): FinishReason {
    if (this.#refused) return 'content-filter';
    const reason = FINISH_REASONS[this.#reason ?? 'stop'] ?? 'stop';
    return reason === 'stop' && this.#calls.length > 0 ? 'tool-calls' : reason;
  }
}
