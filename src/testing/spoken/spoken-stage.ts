import type { Worker } from 'node:worker_threads';
import type { TestResult } from '../../contract/assistant-test-result.ts';
import { startThread } from '../../lib/start-thread.ts';
import type { FromStage, Outside, SpokenTask, SttTraits, ToStage } from './stage-messages.ts';

/** How the service answers a spoken call; `at` is told the call's time before each question, epoch ms. */
export type Answers = Outside & { readonly at: (ms: number) => void };

interface Options {
  /** Module that calls `speakCalls` of stage-thread.ts. */
  readonly thread: URL;
  readonly seed: number;
  readonly signal: AbortSignal;
}

/** Sound is kept outside of this. */
const HEAP_MIB = 512;
const START_MS = 30_000;

/**
 * The thread on which the spoken tests of one run are computed, as fast as the machine allows: the one that carries the
 * sound of calls only answers its questions. Disposing of it ends it.
 */
export class SpokenStage implements AsyncDisposable {
  readonly #thread: Worker;
  readonly #ready = Promise.withResolvers<SttTraits>();
  readonly #calls = new Map<
    number,
    PromiseWithResolvers<TestResult> & { readonly outside: Answers }
  >();
  readonly #unfollow: () => void;
  #lastCall = 0;
  #ended: unknown;

  constructor({ thread, seed, signal }: Options) {
    this.#thread = startThread(thread, {
      workerData: seed,
      limits: { maxOldGenerationSizeMb: HEAP_MIB },
    });
    this.#ready.promise.catch(() => undefined);
    const startTimer = setTimeout(
      () => this.#fail(new Error('the thread of spoken tests does not start')),
      START_MS,
    );
    const started = () => clearTimeout(startTimer);
    this.#ready.promise.then(started, started);
    const abort = () => this.#fail(signal.reason);
    this.#thread.on('message', (message: FromStage) => this.#take(message));
    this.#thread.on('error', (error) => this.#fail(error));
    this.#thread.on('exit', () => this.#fail(new Error('the thread of spoken tests ended')));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    this.#unfollow = () => signal.removeEventListener('abort', abort);
  }

  /** Resolves when the thread has started. */
  get stt(): Promise<SttTraits> {
    return this.#ready.promise;
  }

  /** Speaks one call. Rejects if that cannot be done, or with the signal. */
  speak(task: SpokenTask, outside: Answers): Promise<TestResult> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    const call = ++this.#lastCall;
    const spoken = { ...Promise.withResolvers<TestResult>(), outside };
    this.#send({ kind: 'speak', call, task });
    this.#calls.set(call, spoken);
    return spoken.promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#unfollow();
    this.#fail(new Error('the run is over'));
    await this.#thread.terminate();
  }

  #send(message: ToStage): void {
    this.#thread.postMessage(message);
  }

  #take(message: FromStage): void {
    if (message.kind === 'ready') {
      this.#ready.resolve(message.stt);
      return;
    }
    const spoken = this.#calls.get(message.call);
    if (!spoken) return;
    if (message.kind === 'ask') {
      void this.#answer(spoken.outside, message);
      return;
    }
    this.#calls.delete(message.call);
    if (message.kind === 'spoken') spoken.resolve(message.result);
    else spoken.reject(new Error(message.reason));
  }

  async #answer(
    outside: Answers,
    { question, atMs, what, given }: Extract<FromStage, { readonly kind: 'ask' }>,
  ): Promise<void> {
    try {
      outside.at(atMs);
      const ask = outside[what] as (...args: readonly unknown[]) => Promise<unknown>;
      this.#send({ kind: 'answer', question, value: await ask(...given) });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#send({ kind: 'no-answer', question, reason });
    }
  }

  #fail(reason: unknown): void {
    this.#ended ??= reason;
    this.#ready.reject(reason);
    for (const { reject } of this.#calls.values()) reject(reason);
    this.#calls.clear();
  }
}
