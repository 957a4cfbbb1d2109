import { ProviderError } from '../lib/errors.ts';
import type { Clock, Timer } from '../ports/clock.ts';

/**
 * A watchdog for a stream that must keep moving: `touch()` arms it again; when it runs out, it aborts the controller
 * with a `ProviderError` of class `timeout`.
 */
export class Deadline {
  readonly #clock: Clock;
  readonly #controller: AbortController;
  readonly #error: () => ProviderError;
  #timer: Timer | undefined;
  #dueAt = 0;

  constructor(clock: Clock, controller: AbortController, provider: string, what: string) {
    this.#clock = clock;
    this.#controller = controller;
    this.#error = () =>
      new ProviderError({
        class: 'timeout',
        provider,
        code: 'timeout',
        message: `${provider}: ${what}`,
      });
  }

  /** Runs out `afterMs` from now. Cheap to call often: a timer is set again only when it fires too early. */
  touch(afterMs: number): void {
    this.#dueAt = this.#clock.now() + afterMs;
    if (this.#timer === undefined) this.#arm(afterMs);
  }

  stop(): void {
    if (this.#timer !== undefined) this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #arm(afterMs: number): void {
    this.#timer = this.#clock.setTimeout(() => {
      this.#timer = undefined;
      const left = this.#dueAt - this.#clock.now();
      if (left > 0) this.#arm(left);
      else this.#controller.abort(this.#error());
    }, afterMs);
  }
}
