import { afterAll, beforeAll, describe, inject } from 'vitest';
import { Sealer } from '../../src/lib/seal.ts';
import { connectDatabase, type Database } from '../../src/store/database.ts';
import type { Db } from '../../src/store/db.ts';
import type { Connection } from '../../src/store/pool.ts';
import { createTeam } from '../../src/store/teams.ts';
import { copyTemplate, dropDatabase, type StartedEngine } from './database-copies.ts';
import type { Engine } from './database-engines.ts';
import { isLong } from './effort.ts';
import { askOnDemand } from './on-demand.ts';
import { installedServer } from './postgres-server.ts';

/** Seals the secrets of every test database. */
export const testSealer = new Sealer(['a key of the tests']);

/** A fresh database of its own with today's schema; closing drops it. */
export interface TestDatabase extends Database {
  readonly connection: Connection;
}

/** Makes one on an engine that the whole test run shares: some tens of milliseconds. */
export async function testDatabase(engine: Engine): Promise<TestDatabase> {
  const started = await startedEngine(engine);
  const connection = await copyTemplate(started);
  const database = connectDatabase(connection, { size: 5, sealer: testSealer });
  return {
    ...database,
    connection,
    close: async () => {
      await database.close();
      await dropDatabase(started, connection);
    },
  };
}

/**
 * A migrated database for a service of its own process, as a `DATABASE_URL`; it lasts as long as the run.
 * Undefined where no Postgres server is installed: the service then starts its embedded one.
 */
export async function serviceDatabaseUrl(): Promise<string | undefined> {
  if (!installedServer()) return undefined;
  const connection = await copyTemplate(await startedEngine('server'));
  return 'connectionString' in connection ? connection.connectionString : undefined;
}

/** What a suite on one engine works with. */
export interface Suite {
  readonly engine: Engine;
  readonly database: () => TestDatabase;
  readonly db: () => Db;
  /** The id of a new team: tests that share the database don't see each other's. */
  newTeam(): Promise<string>;
}

/** Runs a suite on one engine: a Postgres server where the machine has one, else the embedded one. */
export function withDatabase(name: string, define: (suite: Suite) => void): void {
  describe(name, () => defineSuite(installedServer() ? 'server' : 'embedded', define));
}

/**
 * Runs a suite of the store on both engines: on a Postgres server in `npm test`, on the embedded one in the long run. A
 * machine without a server has the embedded one in both, and says so.
 */
export function withDatabases(name: string, define: (suite: Suite) => void): void {
  const reason = installedServer() ? '' : ': no server is installed in /usr/lib/postgresql';
  const engine: Engine = isLong || reason ? 'embedded' : 'server';
  describe(`${name} (${engine}${reason})`, () => defineSuite(engine, define));
}

function defineSuite(engine: Engine, define: (suite: Suite) => void): void {
  let opened: TestDatabase | undefined;
  const database = () => {
    if (!opened) throw new Error('the database is open only while tests run');
    return opened;
  };
  beforeAll(async () => {
    opened = await testDatabase(engine);
  });
  afterAll(() => opened?.close());
  const db = () => database().db;
  const newTeam = async () => (await createTeam(db(), { name: 'Test' })).id;
  define({ engine, database, db, newTeam });
}

function startedEngine(engine: Engine): Promise<StartedEngine> {
  return askOnDemand<StartedEngine>(inject('databases'), engine);
}
