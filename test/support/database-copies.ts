import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { type Connection, connectionConfig } from '../../src/store/pool.ts';

/** A started engine with a migrated template. */
export interface StartedEngine {
  readonly admin: Connection;
  readonly template: string;
}

/** A migrated database of its own: some tens of milliseconds. */
export async function copyTemplate({ admin, template }: StartedEngine): Promise<Connection> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await execute(admin, `create database ${name} template ${template}`);
  if ('host' in admin) return { ...admin, database: name };
  const url = new URL(admin.connectionString);
  url.pathname = `/${name}`;
  return { connectionString: url.href };
}

export async function dropDatabase(
  { admin }: StartedEngine,
  connection: Connection,
): Promise<void> {
  const name =
    'host' in connection
      ? connection.database
      : new URL(connection.connectionString).pathname.slice(1);
  await execute(admin, `drop database if exists ${name} with (force)`);
}

async function execute(connection: Connection, statement: string): Promise<void> {
  const client = new pg.Client(connectionConfig(connection));
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
