import { type ChildProcess, fork } from 'node:child_process';
import { orAborted, throwIfAborted } from '../../lib/abort.ts';
import { ProviderError } from '../../lib/errors.ts';
import type { Clock, Timer } from '../../ports/clock.ts';
import type { FailureClass } from '../../ports/provider-failure.ts';
import type { ModelReply, ModelRequest } from './messages.ts';

export interface ModelHostOptions {
  readonly clock: Clock;
  readonly load: Extract<ModelRequest, { type: 'load-recogniser' | 'load-voice' }>;
}

/** Receives a model's replies to one of its users; an error is always the last. */
export type ModelSink = (
  reply: Exclude<ModelReply, { type: 'ready' | 'failed' }> | ProviderError,
) => void;

type Ready = Extract<ModelReply, { type: 'ready' }>;

export const PROVIDER = 'sherpa-onnx';
/** Long enough to read gigabytes from a slow disk. */
const LOAD_TIMEOUT_MS = 120_000;
/** After a failed load, the folder is not tried again for this long. */
const RETRY_AFTER_MS = 30_000;
const MAX_STDERR_CHARS = 2000;

export function modelFailure(
  failureClass: FailureClass,
  code: string,
  what: string,
): ProviderError {
  const message = `${PROVIDER} ${what}`;
  return new ProviderError({ class: failureClass, provider: PROVIDER, code, message });
}

/** The process that holds one model, and its pending users. Started on demand, and restarted when lost. */
export class ModelHost {
  readonly #options: ModelHostOptions;
  readonly #sinks = new Map<number, ModelSink>();
  #child: ChildProcess | undefined;
  #ready: Promise<Ready> | undefined;
  #failedUntil = Number.NEGATIVE_INFINITY;
  #lastFailure: ProviderError | undefined;
  #nextId = 1;
  #closed = false;

  constructor(options: ModelHostOptions) {
    this.#options = options;
  }

  /** Resolves once the model is loaded; rejects with ProviderError, or with the signal's abort. */
  start(signal: AbortSignal): Promise<Ready> {
    throwIfAborted(signal);
    if (this.#closed) return Promise.reject(modelFailure('internal', 'closed', 'is closed'));
    if (this.#lastFailure && this.#options.clock.now() < this.#failedUntil)
      return Promise.reject(this.#lastFailure);
    this.#ready ??= this.#load();
    return orAborted(this.#ready, signal);
  }

  /** Registers a sink and returns its id. */
  join(sink: ModelSink): number {
    const id = this.#nextId++;
    this.#sinks.set(id, sink);
    return id;
  }

  leave(id: number): void {
    if (this.#sinks.delete(id)) this.send({ type: 'forget', id });
  }

  send(request: ModelRequest): void {
    if (this.#child?.connected) this.#child.send(request);
  }

  async close(): Promise<void> {
    this.#closed = true;
    const child = this.#child;
    if (!child) return;
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.kill('SIGKILL');
    await gone;
  }

  #load(): Promise<Ready> {
    const { clock, load } = this.#options;
    return new Promise((resolve, reject) => {
      const child = fork(new URL('./model-process.ts', import.meta.url), {
        serialization: 'advanced',
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
        execArgv: [],
      });
      this.#child = child;
      let said = '';
      child.stderr?.on('data', (text: Buffer) => {
        said = (said + text.toString()).slice(-MAX_STDERR_CHARS);
      });
      const timer: Timer = clock.setTimeout(() => child.kill('SIGKILL'), LOAD_TIMEOUT_MS);
      const lost = (what: string): void => {
        clock.clearTimeout(timer);
        const failure = modelFailure('internal', 'model_lost', what);
        this.#lost(child, failure);
        reject(failure);
      };
      child.on('message', (reply: ModelReply) => {
        if (reply.type === 'ready') {
          clock.clearTimeout(timer);
          resolve(reply);
        } else if (reply.type === 'failed' && reply.id === undefined) {
          lost(`can't use ${load.dir}: ${reply.message}`);
          child.kill();
        } else {
          this.#route(reply);
        }
      });
      child.on('error', (error) => lost(`could not be started: ${error.message}`));
      child.on('exit', (code, signal) => {
        const last = said.trim().split('\n').at(-1) ?? '';
        lost(`ended (${signal ?? code})${last ? `: ${last}` : ''}`);
      });
      child.send(load);
    });
  }

  #route(reply: Exclude<ModelReply, { type: 'ready' }>): void {
    const sink = reply.id === undefined ? undefined : this.#sinks.get(reply.id);
    if (!sink) return;
    if (reply.type === 'failed') sink(modelFailure('internal', 'model_failed', reply.message));
    else sink(reply);
  }

  #lost(child: ChildProcess, failure: ProviderError): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    this.#ready = undefined;
    this.#lastFailure = failure;
    this.#failedUntil = this.#options.clock.now() + RETRY_AFTER_MS;
    const sinks = [...this.#sinks.values()];
    this.#sinks.clear();
    for (const sink of sinks) sink(failure);
  }
}
