import { abortError, EXPECTED_ABORT, throwIfAborted } from '../../lib/abort.ts';
import { ProviderError } from '../../lib/errors.ts';
import type { Clock, Timer } from '../../ports/clock.ts';
import type { Llm, LlmPart, LlmRequest } from '../../ports/llm.ts';
import { LatencyWindow } from './latency-window.ts';

export interface HedgedLlmOptions {
  readonly clock: Clock;
  /** Answers to measure before the p95 is used. @defaultValue 20 */
  readonly minSamples?: number;
  /** Minimum delay before a hedge. @defaultValue 300 */
  readonly minDelayMs?: number;
}

/**
 * Asks the model a second time when its first token takes longer than the 95th percentile, or when it fails before
 * it. The attempt that begins first is used; the other is aborted.
 */
export function createHedgedLlm(llm: Llm, options: HedgedLlmOptions): Llm {
  const latencies = new LatencyWindow(options.minSamples ?? 20);
  return {
    provider: llm.provider,
    stream: (request) => race(llm, options, latencies, request),
  };
}

type First =
  | { readonly attempt: Attempt; readonly result: IteratorResult<LlmPart> }
  | { readonly attempt: Attempt; readonly error: unknown };

class Attempt {
  readonly controller = new AbortController();
  readonly iterator: AsyncIterator<LlmPart>;
  readonly first: Promise<First>;

  constructor(llm: Llm, request: LlmRequest) {
    const { signal } = this.controller;
    this.iterator = llm.stream({ ...request, signal })[Symbol.asyncIterator]();
    this.first = this.iterator.next().then(
      (result) => ({ attempt: this, result }),
      (error: unknown) => ({ attempt: this, error }),
    );
  }

  end(): void {
    this.controller.abort(EXPECTED_ABORT);
    // Nobody awaits its last error.
    void Promise.resolve(this.iterator.return?.()).catch(() => undefined);
  }
}

async function* race(
  llm: Llm,
  { clock, minDelayMs = 300 }: HedgedLlmOptions,
  latencies: LatencyWindow,
  request: LlmRequest,
): AsyncGenerator<LlmPart, void, undefined> {
  const { signal } = request;
  throwIfAborted(signal);
  const startedAt = clock.now();
  const attempts = [new Attempt(llm, request)];
  const onAbort = (): void => {
    for (const attempt of attempts) attempt.controller.abort(signal.reason);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  const p95 = latencies.p95();
  const patience = p95 === undefined ? undefined : Math.max(minDelayMs, p95);
  try {
    const { attempt, result } = await firstToBegin(attempts, patience, clock, (error) => {
      attempts.push(new Attempt(llm, request));
      if (error === undefined) return;
      const delayMs = Math.round(clock.now() - startedAt);
      request.onFailover?.({ vendor: llm.provider, successor: llm.provider, error, delayMs });
    });
    if (signal.aborted) throw abortError(signal);
    latencies.add(clock.now() - startedAt);
    for (const other of attempts) if (other !== attempt) other.end();
    for (let next = result; !next.done; next = await attempt.iterator.next()) yield next.value;
  } catch (error) {
    if (signal.aborted) throw abortError(signal);
    throw error;
  } finally {
    signal.removeEventListener('abort', onAbort);
    for (const attempt of attempts) attempt.end();
  }
}

/** Starts at most one second attempt: after the delay, or when the first has failed in a transient way. */
async function firstToBegin(
  attempts: Attempt[],
  patienceMs: number | undefined,
  clock: Clock,
  /** `error`: the failure of the first attempt; absent when it was only late. */
  again: (error?: unknown) => void,
): Promise<Extract<First, { result: unknown }>> {
  let timer: Timer;
  const impatience =
    patienceMs === undefined
      ? new Promise<never>(() => undefined)
      : new Promise<'late'>((resolve) => {
          timer = clock.setTimeout(() => resolve('late'), patienceMs);
        });
  const failed = new Set<Attempt>();
  let firstError: unknown;
  try {
    for (;;) {
      const pending = attempts.filter((attempt) => !failed.has(attempt)).map(({ first }) => first);
      const mayHedge = attempts.length === 1;
      const outcome = await Promise.race(mayHedge ? [...pending, impatience] : pending);
      if (outcome === 'late') {
        again();
      } else if ('result' in outcome) {
        return outcome;
      } else {
        failed.add(outcome.attempt);
        firstError ??= outcome.error;
        if (mayHedge && mayPass(outcome.error)) again(outcome.error);
        else if (failed.size === attempts.length) throw firstError;
      }
    }
  } finally {
    clock.clearTimeout(timer);
  }
}

/** A throttling vendor must not be asked again at once. */
function mayPass(error: unknown): boolean {
  return error instanceof ProviderError && error.retryable && error.class !== 'rate';
}
