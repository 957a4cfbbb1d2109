import type { BusHandler } from '../ports/bus.ts';
import type { Log } from '../ports/log.ts';
import type { Reply } from './transport.ts';

const MAX_WAIT_MS = 60_000;
const MAX_ANSWERING = 1_024;

/** Answers the questions of other nodes, whatever they came over. */
export class Answers {
  readonly #log: Log;
  readonly #handlers = new Map<string, BusHandler>();
  readonly #closed = new AbortController();
  #answering = 0;

  constructor({ log }: { readonly log: Log }) {
    this.#log = log;
  }

  set(subject: string, handler: BusHandler): void {
    this.#handlers.set(subject, handler);
  }

  /** Returns a Reply as JSON; never rejects. `gone` aborts when the asking node does not wait any more. */
  async reply(
    subject: string,
    readQuestion: () => Promise<string> | string,
    { timeoutMs, gone }: { readonly timeoutMs: number; readonly gone: AbortSignal },
  ): Promise<{ readonly isError: boolean; readonly json: string }> {
    const handler = this.#handlers.get(subject);
    if (!handler) return refusal(`${subject} is not known here`);
    if (this.#answering >= MAX_ANSWERING) return refusal('too much is asked of this node');
    this.#answering++;
    const deadline = AbortSignal.timeout(Math.min(timeoutMs || MAX_WAIT_MS, MAX_WAIT_MS));
    const signal = AbortSignal.any([gone, this.#closed.signal, deadline]);
    try {
      const body = JSON.parse(await readQuestion()) as unknown;
      const reply: Reply = { answer: await handler(body, signal) };
      return { isError: false, json: JSON.stringify(reply) };
    } catch (error) {
      this.#log.warn({ err: error, subject }, "another node's question failed");
      return refusal(error instanceof Error ? error.message : 'failed');
    } finally {
      this.#answering--;
    }
  }

  /** Aborts what is being answered. */
  close(): void {
    this.#closed.abort();
  }
}

export function refusal(error: string): { readonly isError: true; readonly json: string } {
  const reply: Reply = { error };
  return { isError: true, json: JSON.stringify(reply) };
}
