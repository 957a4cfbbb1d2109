import type { CallEvent } from '../engine/machine/events.ts';
import type { CallSettings } from '../engine/settings/settings.ts';
import { parseToolArguments } from '../engine/tools/tool-call.ts';
import type { Clock } from '../ports/clock.ts';
import type { LlmToolCall } from '../ports/llm.ts';
import type { ToolOutcome, ToolRunner } from '../ports/tool.ts';

interface Running {
  readonly name: string;
  readonly controller: AbortController;
}

interface Deps {
  readonly callId: string;
  readonly clock: Clock;
  readonly runner: ToolRunner;
  /** The tools of the assistant. */
  readonly tools: CallSettings['tools'];
  /** Stores what led to a tool's invocation; false if that is not possible now. */
  readonly durable: () => Promise<boolean>;
  readonly emit: (event: CallEvent) => void;
}

const NOT_STORED: ToolOutcome = {
  ok: false,
  error: 'the tool was not started, because the service cannot keep its records at the moment',
  code: 'not_recorded',
};

const DEFAULT_TIMEOUT_MS = 20_000;

/**
 * Runs a call's tools, each with its own deadline. A tool with an effect starts when the journal says so for good:
 * whoever takes the call over knows that it may have happened.
 */
export class ToolExecutor {
  readonly #deps: Deps;
  readonly #running = new Map<string, Running>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Why a tool can't be called with these arguments, in words for the model. Only the runner knows their schemas. */
  async check(call: LlmToolCall, signal: AbortSignal): Promise<string | undefined> {
    const parsed = parseToolArguments(call.arguments);
    return parsed ? this.#deps.runner.check?.(call.name, parsed, signal) : undefined;
  }

  invoke(toolCallId: string, name: string, args: Readonly<Record<string, unknown>>): void {
    const controller = new AbortController();
    this.#running.set(toolCallId, { name, controller });
    void this.#run(toolCallId, name, args, controller);
  }

  cancel(toolCallId: string): void {
    this.#running.get(toolCallId)?.controller.abort();
    this.#running.delete(toolCallId);
  }

  /** Aborts tools that only read. Those with an effect go on until their own deadline; their results are dropped. */
  close(): void {
    for (const { name, controller } of this.#running.values()) {
      if (this.#find(name)?.readOnly ?? true) controller.abort();
    }
    this.#running.clear();
  }

  #find(name: string): Deps['tools'][number] | undefined {
    return this.#deps.tools.find((tool) => tool.definition.name === name);
  }

  async #isRecorded(name: string): Promise<boolean> {
    return this.#find(name)?.readOnly || this.#deps.durable();
  }

  async #run(
    toolCallId: string,
    name: string,
    args: Readonly<Record<string, unknown>>,
    controller: AbortController,
  ): Promise<void> {
    const { callId, clock, runner, emit } = this.#deps;
    const { signal } = controller;
    const current = () => this.#running.get(toolCallId)?.controller === controller;
    const timedOut = Promise.withResolvers<ToolOutcome>();
    const timer = clock.setTimeout(() => {
      const error = 'the tool did not answer in time';
      timedOut.resolve({ ok: false, error, code: 'tool_timeout' });
      controller.abort();
    }, this.#find(name)?.timeoutMs ?? DEFAULT_TIMEOUT_MS);
    try {
      const outcome = await Promise.race([
        this.#isRecorded(name).then((isRecorded) =>
          isRecorded && !signal.aborted
            ? runner.invoke({ callId, toolCallId, name, arguments: args, signal })
            : NOT_STORED,
        ),
        timedOut.promise,
      ]);
      if (!current()) return;
      const message = outcome.message ? { message: outcome.message } : {};
      if (outcome.ok) emit({ type: 'tool.result', toolCallId, result: outcome.result, ...message });
      else {
        const code = outcome.code === undefined ? {} : { code: outcome.code };
        emit({ type: 'tool.error', toolCallId, error: outcome.error, ...message, ...code });
      }
    } catch {
      // A runner must not reject; if one does, the model still gets an answer.
      if (current()) {
        emit({ type: 'tool.error', toolCallId, error: 'the tool failed', code: 'internal' });
      }
    } finally {
      clock.clearTimeout(timer);
      if (current()) this.#running.delete(toolCallId);
    }
  }
}
