import { abortError } from './abort.ts';

/** Passes parts from callbacks to one reader, in order. Pushing after the end or after a failure does nothing. */
export class PartQueue<Part> {
  readonly #parts: Part[] = [];
  #outcome: { readonly error?: Error } | undefined;
  #wake: (() => void) | undefined;

  get size(): number {
    return this.#parts.length;
  }

  push(part: Part): void {
    if (this.#outcome) return;
    this.#parts.push(part);
    this.#wake?.();
  }

  end(): void {
    this.#outcome ??= {};
    this.#wake?.();
  }

  /** The reader still gets the parts pushed before. */
  fail(error: Error): void {
    this.#outcome ??= { error };
    this.#wake?.();
  }

  /** For one reader. An abort ends it at once, even if parts are left. */
  async *read(signal: AbortSignal): AsyncGenerator<Part, void, undefined> {
    const onAbort = (): void => this.#wake?.();
    signal.addEventListener('abort', onAbort);
    try {
      for (;;) {
        if (signal.aborted) throw abortError(signal);
        const part = this.#parts.shift();
        if (part !== undefined) {
          yield part;
        } else if (this.#outcome) {
          if (this.#outcome.error) throw this.#outcome.error;
          return;
        } else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
          this.#wake = undefined;
        }
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }
}
