import type { Clock } from '../../src/ports/clock.ts';
import type { Llm, LlmPart, LlmRequest, LlmToolCall, LlmUsage } from '../../src/ports/llm.ts';

/** One answer of the scripted model. */
export interface ScriptedReply {
  /** Pieces, as tokens would come. */
  readonly text?: readonly string[];
  readonly toolCalls?: readonly LlmToolCall[];
  readonly firstMs?: number;
  readonly betweenMs?: number;
  /** Thrown after the text. */
  readonly error?: Error;
  /** Never ends after the text. */
  readonly hangs?: boolean;
  /** Ends without a finish part. */
  readonly breaksOff?: boolean;
  readonly usage?: LlmUsage;
}

type Script = (request: LlmRequest, index: number) => ScriptedReply;

/** A model that says what it is told, when it is told; remembers every request and every abort. */
export class ScriptedLlm implements Llm {
  readonly provider = 'scripted';
  readonly requests: LlmRequest[] = [];
  aborted = 0;
  readonly #clock: Clock;
  readonly #script: Script;

  constructor(clock: Clock, script: Script | readonly ScriptedReply[]) {
    this.#clock = clock;
    this.#script =
      typeof script === 'function'
        ? script
        : (_request, index) => script[index] ?? { text: ['Yes.'] };
  }

  async *stream(request: LlmRequest): AsyncIterable<LlmPart> {
    const reply = this.#script(request, this.requests.length);
    this.requests.push(request);
    request.signal.addEventListener('abort', () => this.aborted++, { once: true });
    await this.#pause(reply.firstMs ?? 0);
    for (const text of reply.text ?? []) {
      yield { type: 'text', text };
      await this.#pause(reply.betweenMs ?? 0);
    }
    if (reply.error) throw reply.error;
    if (reply.hangs) await new Promise(() => undefined);
    for (const call of reply.toolCalls ?? []) yield { type: 'tool-call', call };
    if (reply.breaksOff) return;
    const reason = reply.toolCalls ? 'tool-calls' : 'stop';
    yield { type: 'finish', reason, ...(reply.usage ? { usage: reply.usage } : {}) };
  }

  #pause(ms: number): Promise<void> | undefined {
    if (ms === 0) return undefined;
    return new Promise((resolve) => {
      this.#clock.setTimeout(resolve, ms);
    });
  }
}
