import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './free-port.ts';

const READY_MS = 30_000;

/** The program of the Debian package, or wherever the machine has it; undefined when it has none. */
export function installedNats(): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/bin'];
  return folders.map((folder) => join(folder, 'nats-server')).find((path) => existsSync(path));
}

/** Why tests that need it are skipped; empty where they are not. */
export const natsMissing = installedNats() ? '' : ': nats-server is not installed';

/** A NATS server as its own process. */
export class NatsServer {
  readonly host: string;
  readonly port: number;
  readonly #folder: string;
  readonly #startedBy: readonly string[];
  #child: ChildProcess | undefined;

  private constructor(
    folder: string,
    address: { host: string; port: number },
    startedBy: readonly string[],
  ) {
    this.#folder = folder;
    this.host = address.host;
    this.port = address.port;
    this.#startedBy = startedBy;
  }

  /** `config`: what its file says besides the address; `files`: those that it names, beside it. */
  static async start({
    config = '',
    files = {},
    host = '127.0.0.1',
    startedBy = [],
  }: {
    readonly config?: string;
    readonly files?: Readonly<Record<string, string>>;
    readonly host?: string;
    /** Command and arguments that start it, such as those of another network. */
    readonly startedBy?: readonly string[];
  } = {}): Promise<NatsServer> {
    const folder = await mkdtemp(join(tmpdir(), 'parley-nats-'));
    const server = new NatsServer(folder, { host, port: await freePort() }, startedBy);
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    await writeFile(
      join(folder, 'nats.conf'),
      `host: ${host}\nport: ${server.port}\n${config.replaceAll('$FOLDER', folder)}\n`,
    );
    await server.comeBack();
    return server;
  }

  get url(): string {
    return `nats://${this.host}:${this.port}`;
  }

  /** Of its process; 0 while it is away. */
  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  get folder(): string {
    return this.#folder;
  }

  /** Ends it as a power cut would. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  /** Starts it again at the same address. */
  async comeBack(): Promise<void> {
    const program = installedNats();
    if (!program) throw new Error('nats-server is not installed');
    const [command, ...args] = [...this.#startedBy, program, '-c', join(this.#folder, 'nats.conf')];
    const child = spawn(command as string, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    this.#child = child;
    let output = '';
    const ready = new Promise<void>((resolve, reject) => {
      child.stderr?.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (output.includes('Server is ready')) resolve();
      });
      child.once('exit', (code) => reject(new Error(`nats-server ended with ${code}: ${output}`)));
      child.once('error', reject);
    });
    const late = delay(READY_MS, undefined, { ref: false }).then(() => {
      throw new Error(`nats-server was not ready: ${output}`);
    });
    await Promise.race([ready, late]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
