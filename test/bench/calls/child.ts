import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { once } from 'node:events';

type Api = { readonly [Name in string]: (options: never) => unknown };
type Answer = { readonly id: number; readonly value?: unknown; readonly error?: string };

const STOP_MS = 20_000;

/** A process of the bench's own that is asked by messages. */
export class Child<Served extends object> {
  readonly process: ChildProcess;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #next = 1;

  constructor(module: string, options: ForkOptions = {}) {
    this.process = fork(module, [], { ...options, serialization: 'advanced' });
    this.process.on('message', (answer: Answer) => {
      const waiting = this.#waiting.get(answer.id);
      this.#waiting.delete(answer.id);
      if (answer.error === undefined) waiting?.resolve(answer.value);
      else waiting?.reject(new Error(answer.error));
    });
    this.process.on('exit', (code, signal) => {
      for (const { reject } of this.#waiting.values())
        reject(new Error(`${module} ended with ${code ?? signal}`));
      this.#waiting.clear();
    });
  }

  ask<Name extends keyof Served & string>(
    name: Name,
    ...args: Served[Name] extends (...given: infer Given) => unknown ? Given : never
  ): Promise<Served[Name] extends (...given: never) => infer Value ? Awaited<Value> : never> {
    const id = this.#next++;
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(id, waiting);
    this.process.send({ id, name, args });
    return waiting.promise as never;
  }

  async stop(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const gone = once(this.process, 'exit');
    this.process.kill('SIGTERM');
    const timer = setTimeout(() => this.process.kill('SIGKILL'), STOP_MS);
    await gone;
    clearTimeout(timer);
  }
}

/** Answers the messages of whoever started this process. Asking alone keeps no process alive. */
export function serve(api: Api, { unref = false } = {}): void {
  process.on('message', async ({ id, name, args }: { id: number; name: string; args: never[] }) => {
    try {
      process.send?.({ id, value: await api[name]?.(...(args as [never])) });
    } catch (error) {
      process.send?.({
        id,
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
    }
  });
  if (unref) process.channel?.unref();
  else process.on('disconnect', () => process.exit());
}
