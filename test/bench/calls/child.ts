import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { once } from 'node:events';

type Api = { readonly [Name in string]: (options: never) => unknown };
type Answer = { readonly id: number; readonly value?: unknown; readonly error?: string };

const STOP_MS = 20_000;

/** A process of the bench's own that is asked things. */
export interface Asked<Served extends object> {
  readonly process: ChildProcess;
  ask<Name extends keyof Served & string>(
    name: Name,
    ...args: Served[Name] extends (...given: infer Given) => unknown ? Given : never
  ): Promise<Served[Name] extends (...given: never) => infer Value ? Awaited<Value> : never>;
  stop(): Promise<void>;
}

/** What was asked and is not answered yet. */
export class OpenQuestions {
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #next = 1;
  #over: Error | undefined;

  /** `send` gets the question's id; the answer bears it too. */
  ask(send: (id: number) => void): Promise<unknown> {
    if (this.#over) return Promise.reject(this.#over);
    const id = this.#next++;
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(id, waiting);
    send(id);
    return waiting.promise;
  }

  answer({ id, value, error }: Answer): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve(value);
    else waiting?.reject(new Error(error));
  }

  /** Nobody answers any more. */
  fail(why: string): void {
    this.#over = new Error(why);
    for (const { reject } of this.#waiting.values()) reject(this.#over);
    this.#waiting.clear();
  }
}

/** A module that runs in a process of its own and is asked by messages. */
export class Child<Served extends object> implements Asked<Served> {
  readonly process: ChildProcess;
  readonly #questions = new OpenQuestions();

  constructor(module: string, options: ForkOptions = {}) {
    this.process = fork(module, [], { ...options, serialization: 'advanced' });
    this.process.on('message', (answer: Answer) => this.#questions.answer(answer));
    this.process.on('exit', (code, signal) =>
      this.#questions.fail(`${module} ended with ${code ?? signal}`),
    );
  }

  ask: Asked<Served>['ask'] = (name, ...args) =>
    this.#questions.ask((id) => this.process.send({ id, name, args })) as never;

  stop(): Promise<void> {
    return stopProcess(this.process);
  }
}

/** Ends a process, by force if it does not end by itself. */
export async function stopProcess(process: ChildProcess): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return;
  const gone = once(process, 'exit');
  process.kill('SIGTERM');
  const timer = setTimeout(() => process.kill('SIGKILL'), STOP_MS);
  await gone;
  clearTimeout(timer);
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
