import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Log } from '../../ports/log.ts';
import { StoreUnavailableError } from '../errors.ts';
import { claimOrphan, claimServer, embeddedConnection } from './claim.ts';
import type { ClusterContext } from './cluster.ts';
import { readyCluster } from './cluster-start.ts';
import { findRunningServer, isServedBy, removeStaleSocketLock } from './pid-file.ts';
import { endServer, ServerProcess } from './server-process.ts';
import { makeSocketDirectory } from './socket-directory.ts';
import { UnusableDataError } from './unusable-data-error.ts';

class ServerExitedError extends UnusableDataError {
  override readonly name = 'ServerExitedError';

  constructor(clusterDir: string, lastWords: string) {
    super(
      `the embedded database in ${clusterDir} did not start: ${lastWords}. If it is damaged, restore a backup or set another DATA_DIR`,
    );
  }
}

const READY_MS = 120_000;
const STARTER_MS = 3_000;
const LAUNCH_PATIENCE_MS = 10_000;
const LAUNCH_PAUSE_MS = 50;
const POLL_MS = 25;
const RESTART_PAUSES_MS = [0, 200, 1_000, 5_000];

/**
 * A private Postgres server in the data folder: created on the first start, restarted if it dies, stopped with this
 * process.
 */
export class EmbeddedServer {
  readonly #context: ClusterContext;
  readonly #socketDir: string;
  readonly #logger: Log;
  #process: ServerProcess | undefined;
  #owner: pg.Client | undefined;
  #stopping: Promise<void> | undefined;
  #restarting: Promise<void> | undefined;

  private constructor(context: ClusterContext, socketDir: string, logger: Log) {
    this.#context = context;
    this.#socketDir = socketDir;
    this.#logger = logger;
  }

  /** Rejects with UnusableDataError, whose message says what to do, if the folder cannot be used or is in use. */
  static async start(dataDirectory: string, logger: Log, processes = 1): Promise<EmbeddedServer> {
    const context = await readyCluster(dataDirectory, processes);
    const { dataDir, account, reachable } = context;
    const socketDir = await makeSocketDirectory(dataDir, { account, reachable });
    const server = new EmbeddedServer(context, socketDir, logger);
    await server.#launchPatiently();
    return server;
  }

  get connection() {
    return embeddedConnection(this.#socketDir);
  }

  /** Idempotent; resolves when the server has exited. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    await this.#restarting;
    await this.#owner?.end().catch(() => undefined);
    await this.#process?.stop();
    await rm(this.#socketDir, { recursive: true, force: true });
  }

  /** Stops the server of a dead service; throws if that service is alive after all. */
  async #endOrphan(): Promise<void> {
    const startedAt = performance.now();
    while (performance.now() < startedAt + READY_MS) {
      const { clusterDir } = this.#context;
      const running = await findRunningServer(clusterDir);
      if (!running) return removeStaleSocketLock(this.#socketDir, clusterDir);
      const starterMayTake = performance.now() < startedAt + STARTER_MS;
      const claim = await claimOrphan(running.socketDir, { starterMayTake });
      if (claim === 'taken') throw this.#inUse();
      // The server is being started by another service or, more likely, is stopping.
      if (claim === 'not-ready') await delay(POLL_MS);
      else {
        await claim.owner.end();
        this.#logger.info(
          { pid: running.pid },
          'stopping a database server that a killed service has left',
        );
        await endServer(running.pid);
      }
    }
    throw new UnusableDataError(
      `the database in ${this.#context.clusterDir} neither starts nor ends`,
    );
  }

  /** Retries, since the last processes of a killed server hold resources for a moment. */
  async #launchPatiently(): Promise<void> {
    const giveUpAt = performance.now() + LAUNCH_PATIENCE_MS;
    for (;;) {
      await this.#endOrphan();
      try {
        return await this.#launch();
      } catch (error) {
        if (!(error instanceof ServerExitedError) || performance.now() > giveUpAt) throw error;
        await delay(LAUNCH_PAUSE_MS);
      }
    }
  }

  async #launch(): Promise<void> {
    const server = new ServerProcess(this.#context, this.#socketDir, this.#logger);
    try {
      this.#own(server, await this.#claimWhenReady(server));
    } catch (error) {
      await server.stop();
      throw error;
    }
    this.#process = server;
    void server.exited.then((lastWords) => this.#onExit(lastWords));
  }

  /** A server that restarts its processes after a crash drops the claim and has to be claimed again. */
  #own(server: ServerProcess, owner: pg.Client): void {
    this.#owner = owner;
    owner.once('end', () => {
      if (this.#stopping || !server.running) return;
      this.#claimWhenReady(server).then(
        (again) => this.#own(server, again),
        // The server has died, which the exit of its process reports.
        (error) => this.#logger.warn({ err: error }, 'the claim on the embedded database was lost'),
      );
    });
  }

  async #claimWhenReady(server: ServerProcess): Promise<pg.Client> {
    const giveUpAt = performance.now() + READY_MS;
    while (server.running && performance.now() < giveUpAt) {
      // The socket may belong to another server.
      const claim = (await isServedBy(this.#context.clusterDir, server.pid))
        ? await claimServer(this.#socketDir)
        : 'not-ready';
      if (claim === 'taken') throw this.#inUse();
      if (claim !== 'not-ready') return claim.owner;
      await delay(POLL_MS);
    }
    if (server.running)
      throw new UnusableDataError('the embedded database started, but does not answer');
    throw new ServerExitedError(this.#context.clusterDir, await server.exited);
  }

  #onExit(lastWords: string): void {
    if (this.#stopping) return;
    this.#logger.error({ lastWords }, 'the embedded database died: restarting it');
    this.#restarting = this.#restart().finally(() => {
      this.#restarting = undefined;
    });
  }

  async #restart(): Promise<void> {
    await this.#owner?.end().catch(() => undefined);
    for (let attempt = 0; !this.#stopping; attempt++) {
      await delay(RESTART_PAUSES_MS[Math.min(attempt, RESTART_PAUSES_MS.length - 1)]);
      try {
        await this.#launchPatiently();
        this.#logger.info({ attempt }, 'the embedded database is back');
        return;
      } catch (error) {
        this.#logger.error({ err: error, attempt }, 'the embedded database could not be restarted');
      }
    }
  }

  #inUse(): Error {
    return new StoreUnavailableError(
      `another service is using ${this.#context.dataDir}: stop it, or set another DATA_DIR`,
    );
  }
}
