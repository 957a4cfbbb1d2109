import type { CallCommand } from '../../engine/machine/commands.ts';
import type { CallEvent } from '../../engine/machine/events.ts';
import { ProviderError } from '../../lib/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Failover } from '../../ports/failover.ts';
import type { Llm, LlmPart, LlmToolCall, LlmUsage } from '../../ports/llm.ts';
import { nextBulkTurn } from '../bulk-turns.ts';
import { Deadline } from '../deadline.ts';
import { failoverEvent, toFailure } from '../failure.ts';
import { untilAborted } from '../until-aborted.ts';

/** Cuts streamed text into speakable pieces. */
export interface ReplySplitter {
  push(text: string): readonly string[];
  flush(): readonly string[];
}

export type LlmStart = Extract<CallCommand, { type: 'llm.start' }>;

export interface ModelOptions {
  readonly temperature?: number;
  readonly maxTokens?: number;
  /** Groups the assistant's requests for the vendor's prompt cache. */
  readonly cacheKey?: string;
}

interface Deps {
  readonly clock: Clock;
  readonly llm: Llm;
  readonly options: ModelOptions;
  readonly createSplitter: () => ReplySplitter;
  /** Why a tool can't be called with these arguments. */
  readonly checkTool: (call: LlmToolCall, signal: AbortSignal) => Promise<string | undefined>;
  readonly emit: (event: CallEvent) => void;
  readonly onUsage: (genId: number, usage: LlmUsage) => void;
  /** A speculative generation was dropped; `usage` if the vendor had already reported it. */
  readonly onWaste: (genId: number, usage: LlmUsage | undefined) => void;
  readonly onUnexpected: (error: unknown) => void;
}

/** Longest pause between two chunks. For the first chunk the machine has its own, shorter deadline. */
const STALL_MS = 10_000;
/** Bounds of one generation, some twenty minutes of speech. The reply ends there as if the model had ended it. */
const MAX_REPLY_CHARS = 20_000;
const MAX_REPLY_PIECES = 500;
const MAX_TOOL_CALLS = 64;
/**
 * What a model may send at once, which is some seconds of speech. If it sends more, the rest comes in turns with the other
 * calls of the process, which would have to wait for all of it.
 */
const AT_ONCE = { ms: 100, chars: 500, pieces: 4 };

/** Runs the model for each generation the machine starts, and cuts its text into speakable pieces. */
export class Responder {
  readonly #deps: Deps;
  readonly #running = new Map<number, AbortController>();
  /** Usage of speculative generations not yet adopted; undefined until the vendor reports it. */
  readonly #drafts = new Map<number, LlmUsage | undefined>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(command: LlmStart): void {
    const controller = new AbortController();
    this.#running.set(command.genId, controller);
    if (command.speculative) this.#drafts.set(command.genId, undefined);
    void this.#generate(command, controller);
  }

  /** The draft becomes the reply: its usage counts as the call's. */
  adopt(genId: number): void {
    const usage = this.#drafts.get(genId);
    this.#drafts.delete(genId);
    if (usage) this.#deps.onUsage(genId, usage);
  }

  cancel(genId: number): void {
    this.#running.get(genId)?.abort();
    this.#running.delete(genId);
    if (!this.#drafts.has(genId)) return;
    this.#deps.onWaste(genId, this.#drafts.get(genId));
    this.#drafts.delete(genId);
  }

  close(): void {
    for (const genId of [...this.#running.keys(), ...this.#drafts.keys()]) this.cancel(genId);
  }

  async #generate(command: LlmStart, controller: AbortController): Promise<void> {
    const { clock, llm, options, emit } = this.#deps;
    const { genId, messages, tools, toolChoice } = command;
    const { signal } = controller;
    const deadline = new Deadline(clock, controller, llm.provider, 'the model stopped answering');
    const splitter = this.#deps.createSplitter();
    const room = { chars: MAX_REPLY_CHARS, pieces: MAX_REPLY_PIECES, toolCalls: MAX_TOOL_CALLS };
    let turn = { at: clock.now(), chars: 0, pieces: 0 };
    const ownTurn = async () => {
      const isOver = clock.now() - turn.at >= AT_ONCE.ms;
      if (!isOver && turn.chars < AT_ONCE.chars && turn.pieces < AT_ONCE.pieces) return;
      if (!isOver) await nextBulkTurn(clock);
      signal.throwIfAborted();
      turn = { at: clock.now(), chars: 0, pieces: 0 };
    };
    const say = async (pieces: readonly string[]) => {
      for (const text of pieces.slice(0, room.pieces)) {
        await ownTurn();
        turn.pieces++;
        turn.chars += text.length;
        room.pieces--;
        emit({ type: 'llm.text', genId, text });
      }
    };
    try {
      deadline.touch(STALL_MS);
      const request = {
        messages,
        ...(tools.length > 0 ? { tools, toolChoice } : {}),
        ...options,
        signal,
        onFailover: (failover: Failover) => emit(failoverEvent('llm', failover)),
      };
      let finish: Extract<LlmPart, { type: 'finish' }> | undefined;
      for await (const part of untilAborted(llm.stream(request), signal)) {
        deadline.touch(STALL_MS);
        if (part.type === 'text') {
          await say(splitter.push(part.text.slice(0, room.chars)));
          room.chars -= part.text.length;
        } else if (part.type === 'finish') finish = part;
        else if (room.toolCalls-- > 0) {
          // Text before a tool call is spoken while the tool runs.
          await say(splitter.flush());
          const { id, name, arguments: args } = part.call;
          const problem = await this.#deps.checkTool(part.call, signal);
          signal.throwIfAborted();
          emit({
            type: 'llm.toolCall',
            genId,
            toolCallId: id,
            name,
            arguments: args,
            ...(problem === undefined ? {} : { problem }),
          });
        }
        // Leaving the loop ends the model's stream.
        if (room.chars <= 0 || room.pieces <= 0 || room.toolCalls < 0) {
          finish ??= { type: 'finish', reason: 'length' };
          break;
        }
      }
      if (!finish) throw endedEarly(llm.provider);
      await say(splitter.flush());
      if (finish.usage) this.#count(genId, finish.usage);
      emit({ type: 'llm.done', genId, reason: finish.reason });
    } catch (error) {
      if (this.#running.get(genId) !== controller) return;
      this.#deps.onUnexpected(error);
      emit({ type: 'llm.error', genId, error: toFailure(error, llm.provider) });
    } finally {
      deadline.stop();
      if (this.#running.get(genId) === controller) this.#running.delete(genId);
    }
  }

  #count(genId: number, usage: LlmUsage): void {
    if (this.#drafts.has(genId)) this.#drafts.set(genId, usage);
    else this.#deps.onUsage(genId, usage);
  }
}

function endedEarly(provider: string): ProviderError {
  return new ProviderError({
    class: 'protocol',
    provider,
    code: 'ended_early',
    message: `${provider}: the model's answer broke off`,
  });
}
