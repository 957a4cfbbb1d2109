import type { CallEvent } from '../call/events.ts';
import type { Clock } from '../ports/clock.ts';
import type { ToolRunner } from '../ports/tool.ts';

interface Deps {
  readonly callId: string;
  readonly clock: Clock;
  readonly tools: ToolRunner;
  readonly timeoutMs: (name: string) => number;
  readonly emit: (event: CallEvent) => void;
}

/** Runs a call's tools, each with its own deadline, and brings every one of them to an end. */
export class ToolDesk {
  readonly #deps: Deps;
  readonly #running = new Map<string, AbortController>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  invoke(toolCallId: string, name: string, args: Readonly<Record<string, unknown>>): void {
    const controller = new AbortController();
    this.#running.set(toolCallId, controller);
    void this.#run(toolCallId, name, args, controller);
  }

  cancel(toolCallId: string): void {
    this.#running.get(toolCallId)?.abort();
    this.#running.delete(toolCallId);
  }

  close(): void {
    for (const toolCallId of [...this.#running.keys()]) this.cancel(toolCallId);
  }

  async #run(
    toolCallId: string,
    name: string,
    args: Readonly<Record<string, unknown>>,
    controller: AbortController,
  ): Promise<void> {
    const { callId, clock, tools, emit } = this.#deps;
    const { signal } = controller;
    const timedOut = Promise.withResolvers<{ ok: false; error: string }>();
    const timer = clock.setTimeout(() => {
      timedOut.resolve({ ok: false, error: 'the tool did not answer in time' });
      controller.abort();
    }, this.#deps.timeoutMs(name));
    try {
      const outcome = await Promise.race([
        tools.invoke({ callId, toolCallId, name, arguments: args, signal }),
        timedOut.promise,
      ]);
      if (this.#running.get(toolCallId) !== controller) return;
      const message = 'message' in outcome && outcome.message ? { message: outcome.message } : {};
      if (outcome.ok) emit({ type: 'tool.result', toolCallId, result: outcome.result, ...message });
      else emit({ type: 'tool.error', toolCallId, error: outcome.error, ...message });
    } catch {
      // A runner must not reject; if one does, the caller still gets an answer.
      if (this.#running.get(toolCallId) === controller) {
        emit({ type: 'tool.error', toolCallId, error: 'the tool failed' });
      }
    } finally {
      clock.clearTimeout(timer);
      if (this.#running.get(toolCallId) === controller) this.#running.delete(toolCallId);
    }
  }
}
