import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { Authenticator } from '../../src/api/auth.ts';
import { createApiKey, revokeApiKey } from '../../src/store/api-keys.ts';
import type { Db } from '../../src/store/db.ts';
import { withDatabase } from '../support/postgres.ts';

withDatabase('authentication', ({ db, newTeam }) => {
  /** An authenticator whose queries are counted and can be delayed. */
  const start = (strangers = { perSecond: 1000, burst: 1000 }) => {
    const state = { lookups: 0, nowMs: 1_000_000, gate: Promise.resolve() };
    const counted = new Proxy(db(), {
      get(target, name) {
        if (name !== 'select') return Reflect.get(target, name) as unknown;
        state.lookups++;
        return (fields: never) => ({
          from: (table: never) => ({
            where: async (condition: never) => {
              const rows = await target.select(fields).from(table).where(condition);
              await state.gate;
              return rows;
            },
          }),
        });
      },
    });
    const authenticator = new Authenticator(counted as Db, () => state.nowMs, strangers);
    const enter = (key: string, ip = '192.0.2.1') =>
      authenticator
        .authenticate({ headers: { authorization: `Bearer ${key}` }, ip } as FastifyRequest)
        .then(
          ({ teamId }) => teamId,
          ({ kind }: { kind: string }) => kind,
        );
    return { state, authenticator, enter };
  };

  test('a key is looked up once in a while, however many come with it', async () => {
    const { state, enter } = start();
    const teamId = await newTeam();
    const { key } = await createApiKey(db(), { teamId, name: 'A' });
    const answers = await Promise.all(Array.from({ length: 50 }, () => enter(key)));
    expect(new Set(answers)).toEqual(new Set([teamId]));
    for (let i = 0; i < 50; i++) await enter(key);
    expect(state.lookups).toBe(1);
    state.nowMs += 5001;
    await enter(key);
    expect(state.lookups).toBe(2);
  });

  test('a key revoked elsewhere is refused within five seconds, one revoked here at once', async () => {
    const { state, authenticator, enter } = start();
    const teamId = await newTeam();
    const made = [
      await createApiKey(db(), { teamId, name: 'A' }),
      await createApiKey(db(), { teamId, name: 'B' }),
    ] as const;
    for (const { key } of made) expect(await enter(key)).toBe(teamId);
    for (const { apiKey } of made) await revokeApiKey(db(), { teamId, id: apiKey.id });
    authenticator.forget(made[0].apiKey.id);
    expect(await enter(made[0].key)).toBe('unauthorized');
    state.nowMs += 5001;
    expect(await enter(made[1].key)).toBe('unauthorized');
  });

  test('an answer that was under way when the key was revoked is not remembered', async () => {
    const { state, authenticator, enter } = start();
    const teamId = await newTeam();
    const { apiKey, key } = await createApiKey(db(), { teamId, name: 'A' });
    const { promise, resolve } = Promise.withResolvers<void>();
    state.gate = promise;
    const early = enter(key);
    await expect.poll(() => state.lookups).toBe(1);
    await revokeApiKey(db(), { teamId, id: apiKey.id });
    authenticator.forget(apiKey.id);
    resolve();
    await early;
    expect(await enter(key)).toBe('unauthorized');
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

  test('a flood of bad keys does not push good ones out of memory', async () => {
    const { state, enter } = start({ perSecond: 1e6, burst: 1e6 });
    const teamId = await newTeam();
    const { key } = await createApiKey(db(), { teamId, name: 'A' });
    expect(await enter(key)).toBe(teamId);
    for (let i = 0; i < 1200; i++) await enter(`guess-${i}`);
    const before = state.lookups;
    expect(await enter(key)).toBe(teamId);
    expect(state.lookups).toBe(before);
  });
});
