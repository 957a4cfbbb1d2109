import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { environmentWith } from '../config/config.ts';
import { CliError } from './cli-error.ts';

const MAIN = join(import.meta.dirname, '../start.mjs');
const READY_MS = 60_000;
const STOP_MS = 15_000;
const KEPT_LINES = 8;

/** A service that runs only for this command, on a free port and with its own data. */
export class ServiceProcess implements AsyncDisposable {
  readonly url: string;
  readonly key: string;
  readonly #child: ChildProcess;
  readonly #temporaryDir: string | undefined;
  #lastLines: string[] = [];

  private constructor(child: ChildProcess, port: number, key: string, temporaryDir?: string) {
    this.#child = child;
    this.#temporaryDir = temporaryDir;
    this.url = `http://127.0.0.1:${port}`;
    this.key = key;
    for (const output of [child.stdout, child.stderr]) {
      output?.on('data', (text: Buffer) => {
        const lines = text.toString().trim().split('\n');
        this.#lastLines = [...this.#lastLines, ...lines].slice(-KEPT_LINES);
      });
    }
  }

  /** Resolves when the service accepts calls; rejects with {@link CliError} if it does not start. */
  static async start(options: {
    /** @defaultValue a temporary folder, removed when the service is disposed of */
    readonly dataDir?: string;
    readonly env?: Readonly<Record<string, string>>;
    readonly signal: AbortSignal;
  }): Promise<ServiceProcess> {
    const port = await freePort();
    const key = randomBytes(24).toString('base64url');
    const temporaryDir = options.dataDir
      ? undefined
      : await mkdtemp(join(tmpdir(), 'parley-call-'));
    const child = spawn(process.execPath, [MAIN], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: environmentWith({
        HOST: '127.0.0.1',
        PORT: String(port),
        API_KEY: key,
        DATA_DIR: options.dataDir ?? (temporaryDir as string),
        LOG_LEVEL: 'warn',
        DRAIN_SECONDS: '0',
        // Do not share the database or storage of a running service.
        DATABASE_URL: '',
        STORAGE_URL: '',
        PUBLIC_URL: '',
        ...options.env,
      }),
    });
    const service = new ServiceProcess(child, port, key, temporaryDir);
    try {
      await service.#untilReady(options.signal);
      return service;
    } catch (error) {
      await service[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** The last message that the service logged. */
  get lastWarning(): string | undefined {
    const line = this.#lastLines.findLast((text) => text.startsWith('{'));
    if (line === undefined) return undefined;
    try {
      const { msg, err } = JSON.parse(line) as { msg?: string; err?: { message?: string } };
      return [msg, err?.message].filter(Boolean).join(': ');
    } catch {
      return line;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const exited = once(this.#child, 'exit');
      this.#child.kill('SIGTERM');
      const timer = setTimeout(() => this.#child.kill('SIGKILL'), STOP_MS);
      await exited;
      clearTimeout(timer);
    }
    if (this.#temporaryDir) {
      await rm(this.#temporaryDir, { recursive: true, force: true, maxRetries: 3 });
    }
  }

  async #untilReady(signal: AbortSignal): Promise<void> {
    const deadline = AbortSignal.timeout(READY_MS);
    while (!(await isReady(this.url))) {
      signal.throwIfAborted();
      if (this.#child.exitCode !== null || deadline.aborted) {
        const why = this.#lastLines.join('\n  ');
        throw new CliError(`the service did not start${why ? `:\n  ${why}` : ' in time'}`);
      }
      await delay(100, undefined, { signal });
    }
  }
}

/** True if a service accepts calls at this address. */
export async function isReady(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2000) });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
