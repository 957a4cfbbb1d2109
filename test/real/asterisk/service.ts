import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Call } from '../../../src/contract/call.ts';
import type { Lab } from './lab.ts';

const MAIN = resolve(import.meta.dirname, '../../../src/start.mjs');
const KEY = 'a-key-of-the-laboratory-0123456789';
const NUMBER = '+15005550199';
const READY_MS = 60_000;
const POLL_MS = 100;

interface Started {
  readonly assistantId: string;
  readonly numberId: string;
}

/** Parley as an operator runs it, beside the laboratory's exchange. */
export class Service implements AsyncDisposable {
  readonly #lab: Lab;
  readonly #dir: string;
  readonly #env: Readonly<Record<string, string>>;
  #child: ChildProcess | undefined;
  #ids: Started | undefined;

  private constructor(lab: Lab, dir: string, env: Readonly<Record<string, string>>) {
    this.#lab = lab;
    this.#dir = dir;
    this.#env = env;
  }

  /** Resolves when it takes calls for its number, by the sample assistant with `changes`. */
  static async start(
    lab: Lab,
    options: {
      readonly env?: Readonly<Record<string, string>>;
      readonly number?: object;
      readonly assistant?: object;
    } = {},
  ): Promise<Service> {
    const dir = await mkdtemp(join(tmpdir(), 'parley-real-'));
    const service = new Service(lab, dir, options.env ?? {});
    try {
      await service.run();
      await service.#prepare(options);
      return service;
    } catch (error) {
      await service[Symbol.asyncDispose]();
      throw error;
    }
  }

  get ids(): Started {
    if (!this.#ids) throw new Error('the service has no number yet');
    return this.#ids;
  }

  /** What it logged. */
  get log(): Promise<string> {
    return readFile(join(this.#dir, 'log'), 'utf8');
  }

  /** Starts the process; resolves when it says that it is ready. */
  async run(): Promise<void> {
    const { ports } = this.#lab;
    const child = spawn(process.execPath, [MAIN], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        HOME: this.#dir,
        HOST: '127.0.0.1',
        PORT: `${ports.parley}`,
        API_KEY: KEY,
        DATA_DIR: join(this.#dir, 'data'),
        DRAIN_SECONDS: '0',
        MAX_LAG_MS: '10000',
        ALLOW_PRIVATE_TARGETS: 'true',
        ...this.#env,
      },
    });
    this.#child = child;
    const log = createWriteStream(join(this.#dir, 'log'), { flags: 'a' });
    child.stdout.pipe(log);
    child.stderr.pipe(log);
    const deadline = Date.now() + READY_MS;
    while (!(await this.#isReady())) {
      if (child.exitCode !== null || Date.now() > deadline)
        throw new Error(`the service did not start: ${(await this.log).slice(-2000)}`);
      await delay(POLL_MS);
    }
  }

  async stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }

  /** Kills the first of several worker processes, which is the one that follows the exchange's events. */
  async killFollower(): Promise<void> {
    const [first] = await this.#workers();
    process.kill(first as number, 'SIGKILL');
  }

  /** Kills the worker that has the call: one after the other, until the call has gone on elsewhere. */
  async killOwner(id: string): Promise<void> {
    for (const pid of await this.#workers()) {
      process.kill(pid, 'SIGKILL');
      const resumed = this.event(id, 'call.resumed', 8000);
      if (await resumed.catch(() => undefined)) return;
    }
    throw new Error(`call ${id} did not go on in another process`);
  }

  async #workers(): Promise<readonly number[]> {
    const pid = this.#child?.pid;
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
    const workers: number[] = [];
    for (const child of children.trim().split(' ')) {
      const command = await readFile(`/proc/${child}/cmdline`, 'utf8');
      if (command.includes('start.mjs')) workers.push(Number(child));
    }
    if (workers.length === 0) throw new Error('the service has no workers');
    return workers;
  }

  async ask<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    const answer = await this.try(method, path, body);
    if (answer.status >= 300)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as Body;
  }

  async try(method: string, path: string, body?: unknown) {
    const send = () =>
      fetch(`http://127.0.0.1:${this.#lab.ports.parley}${path}`, {
        method,
        signal: AbortSignal.timeout(10_000),
        headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    // A connection may have been to a process that was killed.
    const answer = await send().catch(send);
    const text = await answer.text();
    return { status: answer.status, body: (text ? JSON.parse(text) : undefined) as unknown };
  }

  async change(assistantId: string, assistant: object): Promise<void> {
    await this.ask('PATCH', `/assistants/v1/assistants/${assistantId}`, assistant);
  }

  /** The assistant calls somebody; resolves with the call's id. */
  async dial(number: string): Promise<string> {
    const { id } = await this.ask<{ id: string }>('POST', '/calls/v1/conversations/connect', {
      direction: 'outbound',
      phoneNumberId: this.ids.numberId,
      customer: { number },
    });
    return id;
  }

  /** The calls, newest first. */
  async calls(): Promise<readonly Call[]> {
    const { conversations } = await this.ask<{ conversations: Call[] }>(
      'GET',
      '/calls/v1/conversations?size=1000',
    );
    return conversations;
  }

  read(id: string): Promise<Call> {
    return this.ask('GET', `/calls/v1/conversations/${id}`);
  }

  /** The newest call once there is one that was not there before. */
  async arrival(before: readonly Call[]): Promise<Call> {
    const known = new Set(before.map(({ id }) => id));
    return until(`a call arrives`, async () =>
      (await this.calls()).find(({ id }) => !known.has(id)),
    );
  }

  async ended(id: string, withinMs = 20_000): Promise<Call> {
    return until(
      `call ${id} is over`,
      async () => {
        const call = await this.read(id);
        return call.endAt ? call : undefined;
      },
      withinMs,
    );
  }

  control(id: string, body: object) {
    return this.ask('POST', `/calls/v1/conversations/${id}/control`, body);
  }

  async events(id: string): Promise<readonly LoggedEvent[]> {
    const answer = await fetch(
      `http://127.0.0.1:${this.#lab.ports.parley}/calls/v1/conversations/${id}/events`,
      { headers: { authorization: `Bearer ${KEY}` } },
    );
    const lines = (await answer.text()).trim().split('\n');
    return lines.filter(Boolean).map((line) => JSON.parse(line) as LoggedEvent);
  }

  async event(id: string, type: string, withinMs = 20_000): Promise<LoggedEvent> {
    return until(
      `${type} in ${id}`,
      async () => (await this.events(id)).find((event) => event.type === type),
      withinMs,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop('SIGTERM');
    if (process.env.KEEP_LOGS) return;
    await rm(this.#dir, { recursive: true, force: true, maxRetries: 3 });
  }

  /** Imports the number, and attaches the sample assistant with its changes. */
  async #prepare(options: { readonly number?: object; readonly assistant?: object }) {
    const lab = this.#lab;
    const ariUrl = `http://127.0.0.1:${lab.ports.ari}/ari`;
    const login = { ariUrl, user: 'parley', password: lab.ariPassword };
    const path = '/assistants/v1/numbers/asterisk';
    const { _id: numberId } = await this.ask<{ _id: string }>('POST', path, {
      number: NUMBER,
      credentials: { ...login, ...options.number },
    });
    const assistantId = await this.#sample();
    if (options.assistant) await this.change(assistantId, options.assistant);
    await this.ask('PUT', `/assistants/v1/numbers/${numberId}`, { assistantId });
    this.#ids = { assistantId, numberId };
  }

  /** The assistant that a first start makes. */
  async #sample(): Promise<string> {
    const path = '/assistants/v1/assistants';
    const answer = await this.ask<readonly { readonly _id: string }[]>('GET', path);
    const [sample] = answer;
    if (!sample) throw new Error('the first start made no assistant');
    return sample._id;
  }

  async #isReady(): Promise<boolean> {
    try {
      const url = `http://127.0.0.1:${this.#lab.ports.parley}/readyz`;
      return (await fetch(url, { signal: AbortSignal.timeout(2000) })).ok;
    } catch {
      return false;
    }
  }
}

export interface LoggedEvent {
  readonly at: number;
  readonly kind: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Asks until there is an answer. */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined | false>,
  withinMs = 20_000,
): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    // While a process that was killed is started anew, nobody may answer.
    const found = await ask().catch((error: unknown) => {
      if (error instanceof TypeError) return undefined;
      throw error;
    });
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`did not happen in ${withinMs} ms: ${what}`);
    await delay(POLL_MS);
  }
}
