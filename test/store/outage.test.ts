import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { connectDatabase, type Database, openDatabase } from '../../src/store/database.ts';
import {
  NotFoundError,
  QueryFailedError,
  StoreUnavailableError,
  toStoreError,
} from '../../src/store/errors.ts';
import { createTeam, findTeam, listTeams } from '../../src/store/teams.ts';
import { testDatabase, withDatabases } from '../support/postgres.ts';
import { installedServer } from '../support/postgres-server.ts';

withDatabases('a lost connection', ({ db, database }) => {
  const kill = (pid: number) => db().execute(sql`select pg_terminate_backend(${pid}, 5000)`);
  const pidOf = async (on: Pick<Database['db'], 'execute'>) => {
    const { rows } = await on.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    return rows[0]?.pid ?? 0;
  };

  test('in the midst of a transaction fails it as a whole, and nothing else', async () => {
    const lost = db().transaction(async (tx) => {
      const { id } = await createTeam(tx, { name: 'Lost' });
      await kill(await pidOf(tx));
      return createTeam(tx, { name: `After ${id}` });
    });
    await expect(lost).rejects.toThrow(StoreUnavailableError);
    await expect(lost).rejects.toMatchObject({ retryable: true });
    expect((await listTeams(db())).filter(({ name }) => /Lost|After/.test(name))).toEqual([]);
    await database().ping();
  });

  test('is noticed by the server, too, where they are connected over a network', async () => {
    const { rows } = await db().execute(sql`select current_setting('tcp_keepalives_idle') as idle`);
    expect(rows).toEqual([{ idle: 'host' in database().connection ? '0' : '10' }]);
  });

  test('is what becomes of a process that stood still within a transaction: it may try again', () => {
    for (const code of ['25P03', '25P04']) {
      const ended = Object.assign(new pg.DatabaseError('ended', 5, 'error'), { code });
      expect(toStoreError(ended)).toMatchObject({ code: 'unavailable', retryable: true });
    }
  });

  test('during a statement fails it', async () => {
    const other = connectDatabase(database().connection, { size: 1 });
    try {
      const pid = await pidOf(other.db);
      const sleeping = other.db.execute(sql`select pg_sleep(20)`);
      const failure = expect(sleeping).rejects.toThrow(StoreUnavailableError);
      await kill(pid);
      await failure;
      // The pool opens a new connection by itself.
      await other.ping();
    } finally {
      await other.close();
    }
  });

  test('while idle is replaced without anybody noticing', async () => {
    const lost: Error[] = [];
    const other = connectDatabase(database().connection, {
      size: 1,
      logger: { debug() {}, info() {}, error() {}, warn: ({ err }) => lost.push(err as Error) },
    });
    try {
      await kill(await pidOf(other.db));
      await expect.poll(() => lost.length).toBe(1);
      await other.ping();
    } finally {
      await other.close();
    }
  });

  test('what a transaction throws of its own comes out as it is, and the connection is fit for the next', async () => {
    const other = connectDatabase(database().connection, { size: 1 });
    try {
      const thrown = new NotFoundError('team', 'x');
      await expect(
        other.db.transaction(async (tx) => {
          await createTeam(tx, { name: 'Undone' });
          throw thrown;
        }),
      ).rejects.toBe(thrown);
      expect((await listTeams(other.db)).map(({ name }) => name)).not.toContain('Undone');
    } finally {
      await other.close();
    }
  });

  test('a statement that the database refuses is a fault of ours, and quotes no values', async () => {
    const { id } = await createTeam(db(), { name: 'Once' });
    const failure = await db()
      .execute(sql`insert into teams (id, name, created_at) values (${id}, ${'secret'}, now())`)
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(QueryFailedError);
    expect(failure).toMatchObject({ sqlState: '23505', retryable: false });
    expect((failure as Error).message).not.toMatch(/secret|params/);
  });

  test('a rolled back part of a transaction leaves the rest', async () => {
    const kept = await db().transaction(async (tx) => {
      const team = await createTeam(tx, { name: 'Kept' });
      await tx
        .transaction(async (inner) => {
          await createTeam(inner, { name: 'Dropped' });
          throw new Error('back');
        })
        .catch(() => undefined);
      return team;
    });
    expect(await findTeam(db(), { teamId: kept.id })).toEqual(kept);
    expect((await listTeams(db())).map(({ name }) => name)).not.toContain('Dropped');
  });
});

/** Limits that a busy machine keeps. */
const PATIENT = { connectMs: 20_000, statementMs: 20_000, silenceMs: 20_000, reconnectMs: 0 };

/** A proxy between a client and its server; once `silent`, it accepts everything and forwards nothing. */
class SilentProxy {
  silent = false;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor(port: number) {
    this.#server = createServer((client) => {
      const upstream = connect(port, '127.0.0.1');
      for (const [from, to] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        this.#sockets.add(from);
        from.on('data', (chunk) => this.silent || to.write(chunk));
        from.on('close', () => to.destroy());
        from.on('error', () => undefined);
      }
    });
  }

  async listen(): Promise<number> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await once(this.#server, 'close');
  }
}

describe('a server that is away', () => {
  const owned: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const each of owned.splice(0).reverse()) await each.close();
  });
  const own = <T extends { close(): Promise<void> }>(value: T): T => {
    owned.push(value);
    return value;
  };
  const deadPort = async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    return port;
  };

  test('is waited for a little, then told of, and never with its password', async () => {
    const port = await deadPort();
    const { db, ping } = own(
      connectDatabase(
        { connectionString: `postgres://u:hush@127.0.0.1:${port}/x` },
        { size: 2, limits: { ...PATIENT, reconnectMs: 300 } },
      ),
    );
    const failure = await listTeams(db).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StoreUnavailableError);
    expect(String(failure)).toContain('ECONNREFUSED');
    expect(String(failure)).not.toContain('hush');
    await expect(ping()).rejects.toThrow(StoreUnavailableError);
  });

  test.skipIf(!installedServer())(
    'or falls silent, is given up after the time limit, and found again when it speaks',
    async () => {
      const behind = own(await testDatabase('server'));
      if (!('connectionString' in behind.connection)) throw new Error('not by TCP');
      const url = new URL(behind.connection.connectionString);
      const proxy = own(new SilentProxy(Number(url.port)));
      url.port = `${await proxy.listen()}`;
      const { db, ping } = own(
        connectDatabase(
          { connectionString: url.href },
          {
            size: 2,
            limits: { connectMs: 300, statementMs: 300, silenceMs: 400, reconnectMs: 300 },
          },
        ),
      );
      // On a busy machine one that speaks may be as late.
      await expect.poll(() => listTeams(db)).toBeInstanceOf(Array);
      proxy.silent = true;
      await Promise.all([
        expect(listTeams(db)).rejects.toThrow(StoreUnavailableError),
        expect(db.transaction((tx) => listTeams(tx))).rejects.toThrow(StoreUnavailableError),
      ]);
      await expect(ping()).rejects.toThrow(StoreUnavailableError);
      proxy.silent = false;
      await expect.poll(() => listTeams(db)).toBeInstanceOf(Array);
    },
  );

  test.skipIf(!installedServer())(
    'or refuses the password: opening fails at once and says so',
    async () => {
      const behind = own(await testDatabase('server'));
      if (!('connectionString' in behind.connection)) throw new Error('not by TCP');
      const url = new URL(behind.connection.connectionString);
      url.password = 'wrong';
      await expect(openDatabase({ databaseUrl: url.href })).rejects.toThrow(
        /password authentication failed/,
      );
    },
  );

  test.skipIf(!installedServer())(
    'a statement that takes too long is ended by the server',
    async () => {
      const behind = own(await testDatabase('server'));
      const { db } = own(
        connectDatabase(behind.connection, {
          size: 1,
          limits: { ...PATIENT, statementMs: 50 },
        }),
      );
      const slow = db.execute(sql`select pg_sleep(20)`);
      await expect(slow).rejects.toThrow(/statement timeout/);
      await expect(slow).rejects.toThrow(StoreUnavailableError);
    },
  );
});
