import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { Authenticator } from '../../src/api/auth.ts';
import { createApiKey, listApiKeys, revokeApiKey } from '../../src/store/api-keys.ts';
import type { Db } from '../../src/store/db.ts';
import { withDatabase } from '../support/postgres.ts';

/** A query whose rows come once the gate is open. */
function gated<Query extends object>(query: Query, gate: () => Promise<void>): Query {
  return new Proxy(query, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      if (name !== 'then')
        return (...args: unknown[]) => gated(value.apply(target, args) as object, gate);
      return (done: (rows: unknown) => unknown, failed: (error: unknown) => unknown) =>
        (target as unknown as Promise<unknown>)
          .then(async (rows) => {
            await gate();
            return rows;
          })
          .then(done, failed);
    },
  });
}

withDatabase('authentication', ({ db, newTeam }) => {
  /** An authenticator whose queries are counted and can be delayed. */
  const start = (strangers = { perSecond: 1000, burst: 1000 }) => {
    const state = { lookups: 0, nowMs: 1_000_000, gate: Promise.resolve() };
    const counted = new Proxy(db(), {
      get(target, name) {
        if (name !== 'select') return Reflect.get(target, name) as unknown;
        state.lookups++;
        return (fields: never) => gated(target.select(fields), () => state.gate);
      },
    });
    const authenticator = new Authenticator(
      counted as Db,
      { steady: () => state.nowMs, now: () => state.nowMs },
      strangers,
    );
    const enter = (key: string, ip = '192.0.2.1') =>
      authenticator
        .authenticate({ headers: { authorization: `Bearer ${key}` }, ip } as FastifyRequest)
        .then(
          ({ teamId }) => teamId,
          ({ kind }: { kind: string }) => kind,
        );
    return { state, authenticator, enter };
  };

  test('requests that come with a key at the same time share a look-up', async () => {
    const { state, enter } = start();
    const teamId = await newTeam();
    const { key } = await createApiKey(db(), { teamId, name: 'A' });
    const answers = await Promise.all(Array.from({ length: 50 }, () => enter(key)));
    expect(new Set(answers)).toEqual(new Set([teamId]));
    expect(state.lookups).toBe(1);
  });

  test('a key revoked on any node is refused at once', async () => {
    const { enter } = start();
    const teamId = await newTeam();
    const { apiKey, key } = await createApiKey(db(), { teamId, name: 'A' });
    await createApiKey(db(), { teamId, name: 'B' });
    expect(await enter(key)).toBe(teamId);
    await revokeApiKey(db(), { teamId, id: apiKey.id });
    expect(await enter(key)).toBe('unauthorized');
  });

  test('a look-up that was under way when the key was revoked here serves no later request', async () => {
    const { state, authenticator, enter } = start();
    const teamId = await newTeam();
    const { apiKey, key } = await createApiKey(db(), { teamId, name: 'A' });
    await createApiKey(db(), { teamId, name: 'B' });
    const { promise, resolve } = Promise.withResolvers<void>();
    state.gate = promise;
    const early = enter(key);
    await expect.poll(() => state.lookups).toBe(1);
    await revokeApiKey(db(), { teamId, id: apiKey.id });
    authenticator.changed();
    const late = enter(key);
    resolve();
    await early;
    expect(await late).toBe('unauthorized');
  });

  test('a key is good until it expires', async () => {
    const { state, enter } = start();
    const teamId = await newTeam();
    const expiresAt = new Date(state.nowMs + 1000);
    const { key } = await createApiKey(db(), { teamId, name: 'A', expiresAt });
    expect(await enter(key)).toBe(teamId);
    state.nowMs += 1000;
    expect(await enter(key)).toBe('unauthorized');
  });

  test('the last use is noted once a minute, with its address', async () => {
    const { state, enter } = start();
    const teamId = await newTeam();
    const { key } = await createApiKey(db(), { teamId, name: 'A' });
    const lastUse = async () => {
      const [apiKey] = await listApiKeys(db(), { teamId });
      return [apiKey?.lastUsedAt?.getTime(), apiKey?.lastUsedFrom];
    };
    const first = state.nowMs;
    await enter(key, '192.0.2.7');
    state.nowMs += 59_000;
    await enter(key, '192.0.2.8');
    expect(await lastUse()).toEqual([first, '192.0.2.7']);
    state.nowMs += 1001;
    await enter(key, '192.0.2.9');
    expect(await lastUse()).toEqual([state.nowMs, '192.0.2.9']);
  });

  test('a bad key that comes again costs no question', async () => {
    const { state, enter } = start();
    for (let i = 0; i < 20; i++) expect(await enter('no-such-key')).toBe('unauthorized');
    expect(state.lookups).toBe(1);
  });

  test('ever new bad keys from one address are slowed down; others, and known keys, are not', async () => {
    const { state, enter } = start({ perSecond: 1, burst: 10 });
    const teamId = await newTeam();
    const { key } = await createApiKey(db(), { teamId, name: 'A' });
    expect(await enter(key)).toBe(teamId);
    const answers = [];
    for (let i = 0; i < 100; i++) answers.push(await enter(`guess-${i}`));
    expect(state.lookups).toBe(10);
    expect(answers.filter((kind) => kind === 'too-many')).toHaveLength(91);
    expect(await enter(key)).toBe(teamId);
    expect(await enter('guess', '192.0.2.2')).toBe('unauthorized');
  });

  test('a flood of bad keys does not make a good one a stranger', async () => {
    const { enter } = start({ perSecond: 1e-6, burst: 1201 });
    const teamId = await newTeam();
    const { key } = await createApiKey(db(), { teamId, name: 'A' });
    expect(await enter(key)).toBe(teamId);
    for (let i = 0; i < 1201; i++) await enter(`guess-${i}`);
    expect(await enter(key)).toBe(teamId);
  });
});
