import { expect, test } from 'vitest';
import {
  createApiKey,
  findApiKey,
  listApiKeys,
  revokeApiKey,
  updateApiKey,
} from '../../src/store/api-keys.ts';
import { ensureFirstTeam } from '../../src/store/bootstrap.ts';
import { LastAdminError, NotFoundError } from '../../src/store/errors.ts';
import { apiKeys } from '../../src/store/schema/teams.ts';
import { listTeams } from '../../src/store/teams.ts';
import { testDatabase, withDatabases } from '../support/postgres.ts';

withDatabases('API keys', ({ engine, db, newTeam }) => {
  test('the key is told once and kept only as a hash', async () => {
    const teamId = await newTeam();
    const { apiKey, key } = await createApiKey(db(), { teamId, name: 'CI' });
    expect(key).toMatch(/^parley_[A-Za-z0-9_-]{43}$/);
    expect(key.startsWith(apiKey.prefix)).toBe(true);
    const [row] = (await db().select().from(apiKeys)).filter(({ id }) => id === apiKey.id);
    expect(JSON.stringify(row)).not.toContain(key);
    expect(JSON.stringify(await listApiKeys(db(), { teamId }))).not.toMatch(/hash/);
    expect(await findApiKey(db(), { key })).toMatchObject(apiKey);
  });

  test.each(['', 'parley_', 'x'.repeat(5_000), 'nul\0'])(
    'an unknown key finds nothing: %j',
    async (key) => {
      expect(await findApiKey(db(), { key })).toBeUndefined();
    },
  );

  test('a revoked key no longer opens, and keeps the instant it was revoked first', async () => {
    const teamId = await newTeam();
    const kept = await createApiKey(db(), { teamId, name: 'Kept' });
    const { apiKey, key } = await createApiKey(db(), { teamId, name: 'CI' });
    const revoked = await revokeApiKey(db(), { teamId, id: apiKey.id });
    expect(revoked.revokedAt).toBeInstanceOf(Date);
    expect(await findApiKey(db(), { key })).toBeUndefined();
    expect(await revokeApiKey(db(), { teamId, id: apiKey.id })).toEqual(revoked);
    expect(await listApiKeys(db(), { teamId })).toEqual([revoked, kept.apiKey]);
  });

  test('the last key that may administer the team and does not expire stays one', async () => {
    const teamId = await newTeam();
    const { apiKey } = await createApiKey(db(), { teamId, name: 'A' });
    await createApiKey(db(), { teamId, name: 'B', role: 'builder' });
    await createApiKey(db(), { teamId, name: 'C', expiresAt: new Date(Date.now() + 60_000) });
    const { apiKey: gone } = await createApiKey(db(), { teamId, name: 'D' });
    await revokeApiKey(db(), { teamId, id: gone.id });
    const one = { teamId, id: apiKey.id };
    const changes = [{ role: 'viewer' }, { expiresAt: new Date(Date.now() + 60_000) }] as const;
    for (const change of changes)
      await expect(updateApiKey(db(), { ...one, change })).rejects.toThrow(LastAdminError);
    await expect(revokeApiKey(db(), one)).rejects.toThrow(LastAdminError);
    const renamed = await updateApiKey(db(), { ...one, change: { name: 'Z' } });
    expect(renamed).toEqual({ ...apiKey, name: 'Z' });
    await expect(updateApiKey(db(), { teamId, id: gone.id, change: {} })).rejects.toThrow(
      NotFoundError,
    );
  });

  test('two admins who remove each other at once do not leave a team without one', async () => {
    const teamId = await newTeam();
    const made = await Promise.all(
      ['A', 'B', 'C'].map((name) => createApiKey(db(), { teamId, name })),
    );
    const results = await Promise.allSettled(
      made.map(({ apiKey }) => revokeApiKey(db(), { teamId, id: apiKey.id })),
    );
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  });

  test("a team can't see or revoke another's", async () => {
    const [teamId, other] = [await newTeam(), await newTeam()];
    const { apiKey, key } = await createApiKey(db(), { teamId, name: 'CI' });
    await expect(revokeApiKey(db(), { teamId: other, id: apiKey.id })).rejects.toThrow(
      NotFoundError,
    );
    expect(await listApiKeys(db(), { teamId: other })).toEqual([]);
    expect((await findApiKey(db(), { key }))?.teamId).toBe(teamId);
  });

  test('the first start makes one team and one key, however many nodes start at once', async () => {
    const fresh = await testDatabase(engine);
    try {
      const starts = await Promise.all(Array.from({ length: 5 }, () => ensureFirstTeam(fresh.db)));
      expect(await listTeams(fresh.db)).toHaveLength(1);
      const keys = starts.flatMap(({ newKey }) => newKey ?? []);
      expect(keys).toHaveLength(1);
      expect(await findApiKey(fresh.db, { key: keys[0] ?? '' })).toBeDefined();
      expect((await ensureFirstTeam(fresh.db)).newKey).toBeUndefined();
    } finally {
      await fresh.close();
    }
  });

  test('a configured key opens from the start it is first given, and no other is made', async () => {
    const fresh = await testDatabase(engine);
    try {
      const params = { configuredKey: 'chosen-by-the-operator' };
      const { team, newKey } = await ensureFirstTeam(fresh.db, params);
      await ensureFirstTeam(fresh.db, params);
      expect(newKey).toBeUndefined();
      expect(await listApiKeys(fresh.db, { teamId: team.id })).toHaveLength(1);
      expect((await findApiKey(fresh.db, { key: params.configuredKey }))?.teamId).toBe(team.id);
    } finally {
      await fresh.close();
    }
  });
});
