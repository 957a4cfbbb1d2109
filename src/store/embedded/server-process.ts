import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../ports/log.ts';
import { type ClusterContext, dataArgument } from './cluster.ts';
import { serverSettings } from './settings.ts';

/**
 * Becomes the server, after leaving behind a watcher that ends it when our end of its standard input
 * closes: a service that is killed takes its database with it. The double fork keeps the watcher out
 * of the server's own children.
 */
export const LAUNCHER = `exec 3<&0
( { while read -r _ <&3; do :; done; kill -INT $$ 2>&-; } </dev/null >/dev/null 2>&1 & )
exec "$@" </dev/null 3<&-`;

const FAST_MS = 8_000;
const IMMEDIATE_MS = 4_000;
const POLL_MS = 20;
const KEPT_LINES = 10;

/** One run of the server. */
export class ServerProcess {
  readonly #child: ChildProcess;
  readonly #lines: string[] = [];
  /** Resolves with what the server last said, when it is gone. */
  readonly exited: Promise<string>;
  #gone = false;

  constructor(context: ClusterContext, socketDir: string, logger: Log) {
    const settings = Object.entries(serverSettings(socketDir, context.processes));
    const server = [
      context.binaries.postgres,
      ...['-D', dataArgument(context, context.clusterDir)],
      ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ];
    const { account } = context;
    this.#child = spawn('/bin/sh', ['-c', LAUNCHER, 'sh', ...server], {
      cwd: context.clusterDir,
      env: { LC_ALL: 'C' },
      stdio: ['pipe', 'ignore', 'pipe'],
      // Its own session: a Ctrl-C in the terminal is for us, who still need it while we drain.
      detached: true,
      ...(account ? { uid: account.uid, gid: account.gid } : {}),
    });
    // Closed by the other side when the server dies.
    this.#child.stdin?.on('error', () => undefined);
    this.exited = new Promise((resolve) => {
      const settle = (why: string) => {
        this.#gone = true;
        this.#child.stdin?.destroy();
        resolve(
          this.#lines.findLast((line) => /^(FATAL|PANIC)/.test(line)) ?? this.#lines.at(-1) ?? why,
        );
      };
      this.#child.once('error', (error) => settle(error.message));
      this.#child.once('close', (code, signal) => settle(`exit ${signal ?? code}`));
    });
    if (this.#child.stderr) {
      createInterface({ input: this.#child.stderr }).on('line', (line) => this.#log(line, logger));
    }
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get running(): boolean {
    return !this.#gone;
  }

  /** Ends the server in order; one that does not go is made to. */
  async stop(): Promise<void> {
    const { pid } = this.#child;
    this.#child.stdin?.end();
    if (pid !== undefined && !this.#gone) await endServer(pid);
    await this.exited;
  }

  #log(line: string, logger: Log): void {
    this.#lines.push(line);
    if (this.#lines.length > KEPT_LINES) this.#lines.shift();
    if (line.startsWith('PANIC')) logger.error({ line }, 'embedded database panicked');
    else if (line.startsWith('WARNING')) logger.warn({ line }, 'embedded database warned');
    else logger.debug({ line }, 'embedded database');
  }
}

/** Ends a server by its process id, each time less politely; returns when it is gone. */
export async function endServer(pid: number): Promise<void> {
  for (const [signal, patienceMs] of [
    ['SIGINT', FAST_MS],
    ['SIGQUIT', IMMEDIATE_MS],
    ['SIGKILL', IMMEDIATE_MS],
  ] as const) {
    if (!send(pid, signal)) return;
    const giveUpAt = performance.now() + patienceMs;
    while (performance.now() < giveUpAt) {
      if (!send(pid, 0)) return;
      await delay(POLL_MS);
    }
  }
}

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
