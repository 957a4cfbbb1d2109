import type { Worker } from 'node:worker_threads';
import { LOG_MEL } from '../../audio/log-mel.ts';
import { RepeatedLog } from '../../lib/repeated-log.ts';
import { startThread } from '../../lib/start-thread.ts';
import type { Clock, Timer } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { PredictRequest, TurnPredictor } from '../../ports/predictor.ts';
import type { JudgeRequest, TurnModelData, TurnModelReply } from './messages.ts';

/** How a judgement ended. `late`: the time of the request was over. `busy`: too many were waiting. */
export type TurnOutcome = 'in-time' | 'late' | 'busy' | 'withdrawn' | 'failed';

export interface TurnModelOptions extends TurnModelData {
  readonly clock: Clock;
  readonly log: Log;
  readonly onOutcome?: (outcome: TurnOutcome) => void;
  /** URL of the thread's code; tests replace it. */
  readonly threadUrl?: URL;
}

/** A predictor on this machine, shared by all calls. */
export interface TurnModel extends TurnPredictor {
  /** False until the model is loaded, and while it cannot be used. */
  readonly isReady: boolean;
  /** Loads the model; resolves when it is ready, or has failed, which is logged. */
  start(): Promise<void>;
  close(): Promise<void>;
}

interface Waiting {
  readonly pcm: Int16Array;
  readonly settle: (outcome: TurnOutcome, over?: number) => void;
}

/** More than can be judged within the time of a request. */
const MAX_WAITING = 16;
const LOAD_MS = 60_000;
/** A judgement takes a tenth of a second. */
const STUCK_MS = 10_000;
const RESTART_MS = 5000;
const MAX_FAILURES = 5;
const WORDS_DECIDE = 'and words alone judge pauses meanwhile';

const isLate = ({ reason }: AbortSignal): boolean =>
  reason instanceof DOMException && reason.name === 'TimeoutError';

export const createTurnModel = (options: TurnModelOptions): TurnModel => new Judge(options);

/**
 * The thread of a turn model and the requests of all calls to it. They run one by one, since a batch of them costs as
 * much as they do one after the other, and the first of it would be late. A request that was withdrawn or is late is
 * not begun.
 */
class Judge implements TurnModel {
  readonly provider = 'turn-model';
  readonly sampleRateHz = LOG_MEL.sampleRateHz;
  readonly audioMs = LOG_MEL.audioMs;
  readonly #options: TurnModelOptions;
  readonly #warnings: RepeatedLog;
  /** By id, in the order of asking. */
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #starting: PromiseWithResolvers<void> | undefined;
  #isReady = false;
  /** The request that the thread works on; it may have been settled as late. */
  #inFlight: number | undefined;
  #watch: Timer;
  #nextId = 1;
  #failures = 0;
  #closed = false;

  constructor(options: TurnModelOptions) {
    this.#options = options;
    this.#warnings = new RepeatedLog(options.log, options.clock);
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  start(): Promise<void> {
    return (this.#starting ?? this.#spawn()).promise;
  }

  predict({ pcm, signal }: PredictRequest): Promise<number | undefined> {
    const { onOutcome } = this.#options;
    if (!this.#isReady || signal.aborted) return Promise.resolve(undefined);
    if (this.#waiting.size >= MAX_WAITING) {
      onOutcome?.('busy');
      this.#warnings.warn('slow', {}, `the turn model has too many to judge, ${WORDS_DECIDE}`);
      return Promise.resolve(undefined);
    }
    const id = this.#nextId++;
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    const giveUp = (): void => settle(isLate(signal) ? 'late' : 'withdrawn');
    const settle = (outcome: TurnOutcome, over?: number): void => {
      if (!this.#waiting.delete(id)) return;
      signal.removeEventListener('abort', giveUp);
      onOutcome?.(outcome);
      if (outcome === 'late')
        this.#warnings.warn('slow', {}, `the turn model answers late, ${WORDS_DECIDE}`);
      resolve(over === undefined ? undefined : 1 - over);
    };
    signal.addEventListener('abort', giveUp, { once: true });
    this.#waiting.set(id, { pcm, settle });
    this.#next();
    return promise;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#starting ??= Promise.withResolvers();
    const worker = this.#worker;
    this.#stop();
    this.#warnings.close();
    await worker?.terminate();
  }

  #spawn(): PromiseWithResolvers<void> {
    const starting = Promise.withResolvers<void>();
    this.#starting = starting;
    const { dir, threads, threadUrl = new URL('./thread.ts', import.meta.url) } = this.#options;
    const worker = startThread(threadUrl, { workerData: { dir, threads } satisfies TurnModelData });
    this.#worker = worker;
    // The thread alone must not keep the process alive.
    worker.unref();
    const ifCurrent = (act: () => void): void => {
      if (this.#worker === worker) act();
    };
    worker.on('message', (reply: TurnModelReply) => ifCurrent(() => this.#take(reply)));
    worker.on('error', ({ message }: Error) => ifCurrent(() => this.#fail(message)));
    worker.on('exit', (code) => ifCurrent(() => this.#fail(`its thread ended with ${code}`)));
    this.#watchFor(LOAD_MS);
    return starting;
  }

  #take(reply: TurnModelReply): void {
    if (reply.type === 'failed' && reply.id === undefined) {
      this.#fail(reply.message);
      return;
    }
    this.#options.clock.clearTimeout(this.#watch);
    if (reply.type === 'ready') {
      this.#isReady = true;
      this.#options.log.info({ runtime: reply.runtime }, 'the turn model judges pauses');
      this.#starting?.resolve();
      return;
    }
    const asked = this.#inFlight === undefined ? undefined : this.#waiting.get(this.#inFlight);
    this.#inFlight = undefined;
    if (reply.type === 'judged') {
      this.#failures = 0;
      asked?.settle('in-time', reply.over);
    } else {
      this.#warnings.warn('failed', { reason: reply.message }, 'the turn model failed on a pause');
      asked?.settle('failed');
    }
    this.#next();
  }

  #next(): void {
    if (this.#inFlight !== undefined) return;
    const [next] = this.#waiting;
    if (!next) return;
    const [id, { pcm }] = next;
    this.#inFlight = id;
    this.#worker?.postMessage({ id, pcm } satisfies JudgeRequest, [pcm.buffer as ArrayBuffer]);
    this.#watchFor(STUCK_MS);
  }

  #watchFor(ms: number): void {
    const { clock } = this.#options;
    clock.clearTimeout(this.#watch);
    this.#watch = clock.setTimeout(() => this.#fail(`no answer within ${ms} ms`), ms);
  }

  #fail(reason: string): void {
    const { clock, log, dir } = this.#options;
    const worker = this.#worker;
    this.#failures++;
    this.#stop();
    void worker?.terminate();
    if (this.#closed) return;
    const last = this.#failures >= MAX_FAILURES;
    log.error({ dir, reason, last }, `the turn model cannot be used, ${WORDS_DECIDE}`);
    if (last) return;
    this.#watch = clock.setTimeout(() => {
      this.#watch = undefined;
      this.#spawn();
    }, RESTART_MS);
  }

  /** Settles all that is waiting. */
  #stop(): void {
    this.#options.clock.clearTimeout(this.#watch);
    this.#watch = undefined;
    this.#worker = undefined;
    this.#isReady = false;
    this.#inFlight = undefined;
    for (const { settle } of [...this.#waiting.values()]) settle('failed');
    this.#starting?.resolve();
  }
}
