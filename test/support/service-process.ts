import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { COUNTED } from './bare-environment.ts';

const MAIN = resolve(import.meta.dirname, '../../src/start.mjs');
export const SERVICE_KEY = 'test-service-key-0123456789';

export const OPERATOR_KEY = 'test-operator-key-0123456789';

/** A running service, as a team with an API key has it. */
export class ServiceApi {
  readonly url: string;
  readonly key: string;

  constructor(url: string, key: string) {
    this.url = url;
    this.key = key;
  }

  async json<Body>(path: string, init: { method?: string; body?: unknown } = {}): Promise<Body> {
    const response = await fetch(this.url + path, {
      method: init.method ?? 'GET',
      headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' },
      ...(init.body === undefined ? {} : { body: JSON.stringify(init.body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Body;
  }
}

/** The service as its own process, as a user starts it. */
export class ServiceProcess extends ServiceApi {
  readonly dataDir: string;
  /** From the start of the process until it was ready. */
  readonly readyMs: number;
  readonly #child: ChildProcess;
  #output = '';

  private constructor(child: ChildProcess, url: string, dataDir: string, readyMs: number) {
    super(url, SERVICE_KEY);
    this.#child = child;
    this.dataDir = dataDir;
    this.readyMs = readyMs;
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#output += text;
    });
  }

  static async start(
    dataDir: string,
    env: Readonly<Record<string, string>> = {},
    /** Command and arguments that start it, such as those of another network. */
    startedBy: readonly string[] = [],
  ): Promise<ServiceProcess> {
    const startedAt = performance.now();
    const [command = process.execPath, ...args] = [...startedBy, process.execPath, MAIN];
    const child = spawn(command, args, {
      cwd: dataDir,
      env: {
        PATH: process.env.PATH ?? '',
        DATA_DIR: join(dataDir, 'data'),
        PORT: '0',
        API_KEY: SERVICE_KEY,
        LOG_LEVEL: 'silent',
        DRAIN_SECONDS: '1',
        // Other tests may keep the machine busy.
        MAX_LAG_MS: '10000',
        ...COUNTED,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    // Whoever wants the log reads it; else what is said there is news.
    if (env.LOG_LEVEL === undefined) child.stderr?.pipe(process.stderr);
    const url = await new Promise<string>((found, failed) => {
      let output = '';
      child.stdout?.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        const address = output.match(/(http:\/\/[^/\s]+)\/console\//)?.[1];
        if (address) found(address);
      });
      child.once('exit', (code) => failed(new Error(`the service ended with ${code}: ${output}`)));
    });
    return new ServiceProcess(child, url, dataDir, performance.now() - startedAt);
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  /** Its log since it was ready. */
  get output(): string {
    return this.#output;
  }

  /** Ends it as a power cut would. */
  async kill(): Promise<void> {
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await gone;
  }

  /** Stops it in its tracks, or lets it go on. */
  freeze(on: boolean): void {
    this.#child.kill(on ? 'SIGSTOP' : 'SIGCONT');
  }

  async stop(): Promise<number | null> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null)
      return this.#child.exitCode;
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    const late = delay(30_000, undefined, { ref: false }).then(() => this.#child.kill('SIGKILL'));
    await Promise.race([gone, late]);
    return this.#child.exitCode;
  }
}
