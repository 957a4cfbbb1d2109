import { rm } from 'node:fs/promises';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { EmbeddedServer } from '../../src/store/embedded/embedded-server.ts';
import { migrateDatabase } from '../../src/store/migrate.ts';
import { type Connection, connectionConfig } from '../../src/store/pool.ts';
import type { StartedEngine } from './database-copies.ts';
import { memoryFolder } from './memory-folder.ts';
import { serveOnDemand } from './on-demand.ts';
import { installedServer, startPostgresServer } from './postgres-server.ts';

export type Engine = 'embedded' | 'server';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Socket of the process that starts the test run's databases. */
    databases: string;
  }
}

interface Running {
  readonly connection: (database: string) => Connection;
  readonly stop: () => Promise<void>;
}

const TEMPLATE = 'parley_template';
const log = { debug() {}, info() {}, warn: console.warn, error: console.error };

async function startEmbedded(): Promise<Running> {
  const dataDir = await memoryFolder();
  const server = await EmbeddedServer.start(dataDir, log);
  return {
    connection: (database) => ({ ...server.connection, database }),
    stop: async () => {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function startServer(): Promise<Running> {
  const bin = installedServer();
  if (!bin) throw new Error('no Postgres server is installed on this machine');
  const server = await startPostgresServer(bin, { folder: await memoryFolder() });
  return {
    connection: (database) => ({ connectionString: server.url(database) }),
    stop: () => server.stop(),
  };
}

async function makeTemplate({ connection }: Running): Promise<void> {
  const client = new pg.Client(connectionConfig(connection('postgres')));
  await client.connect();
  await client.query(`create database ${TEMPLATE}`);
  await client.end();
  await migrateDatabase(connection(TEMPLATE));
}

/**
 * Starts each database engine when the first test asks for it, once per run, and ends them after the
 * last. Test workers ask by name over a socket.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const running: Running[] = [];
  const engines = await serveOnDemand(async (engine: Engine): Promise<StartedEngine> => {
    const started = await (engine === 'embedded' ? startEmbedded() : startServer());
    running.push(started);
    await makeTemplate(started);
    return { admin: started.connection('postgres'), template: TEMPLATE };
  });
  project.provide('databases', engines.path);
  return async () => {
    await engines.close();
    await Promise.all(running.map(({ stop }) => stop()));
  };
}
