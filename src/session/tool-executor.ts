import type { CallEvent } from '../engine/machine/events.ts';
import type { Clock } from '../ports/clock.ts';
import type { ToolOutcome, ToolRunner } from '../ports/tool.ts';

interface Running {
  readonly name: string;
  readonly controller: AbortController;
}

interface Deps {
  readonly callId: string;
  readonly clock: Clock;
  readonly tools: ToolRunner;
  readonly timeoutMs: (name: string) => number;
  /** Nobody is the poorer when it is broken off. */
  readonly readOnly: (name: string) => boolean;
  readonly emit: (event: CallEvent) => void;
}

/** Runs a call's tools, each with its own deadline, and brings every one of them to an end. */
export class ToolExecutor {
  readonly #deps: Deps;
  readonly #running = new Map<string, Running>();

  constructor(deps: Deps) {
    this.#deps = deps;
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

  /** What only reads is broken off; what has an effect goes on to its own deadline, and nobody hears of it. */
  close(): void {
    for (const { name, controller } of this.#running.values()) {
      if (this.#deps.readOnly(name)) controller.abort();
    }
    this.#running.clear();
  }

  async #run(
    toolCallId: string,
    name: string,
    args: Readonly<Record<string, unknown>>,
    controller: AbortController,
  ): Promise<void> {
    const { callId, clock, tools, emit } = this.#deps;
    const { signal } = controller;
    const current = () => this.#running.get(toolCallId)?.controller === controller;
    const timedOut = Promise.withResolvers<ToolOutcome>();
    const timer = clock.setTimeout(() => {
      const error = 'the tool did not answer in time';
      timedOut.resolve({ ok: false, error, code: 'tool_timeout' });
      controller.abort();
    }, this.#deps.timeoutMs(name));
    try {
      const outcome = await Promise.race([
        tools.invoke({ callId, toolCallId, name, arguments: args, signal }),
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
      // A runner must not reject; if one does, the caller still gets an answer.
      if (current()) {
        emit({ type: 'tool.error', toolCallId, error: 'the tool failed', code: 'internal' });
      }
    } finally {
      clock.clearTimeout(timer);
      if (current()) this.#running.delete(toolCallId);
    }
  }
}
