import { expect, test } from 'vitest';
import type { AssistantConfig } from '../../src/contract/assistant.ts';
import {
  createAssistant,
  deleteAssistant,
  findAssistant,
  getAssistant,
  listAssistantVersions,
  updateAssistant,
} from '../../src/store/assistants.ts';
import { NotFoundError, VersionConflictError } from '../../src/store/errors.ts';
import { withDatabases } from '../support/postgres.ts';

// The store does not validate documents; the contract does.
const config = (name: string) => ({ name }) as AssistantConfig;

withDatabases('assistants', ({ db, newTeam }) => {
  test('what was created is found, with the instant and version the store gave it', async () => {
    const teamId = await newTeam();
    const before = Date.now();
    const created = await createAssistant(db(), { teamId, config: config('Ada') });
    expect(created).toMatchObject({ teamId, config: { name: 'Ada' }, version: 1 });
    expect(created.createdAt.getTime()).toBeGreaterThanOrEqual(before);
    expect(created.updatedAt).toEqual(created.createdAt);
    expect(await findAssistant(db(), { teamId, id: created.id })).toEqual(created);
  });

  test('another team finds, changes and deletes nothing', async () => {
    const [teamId, other] = [await newTeam(), await newTeam()];
    const { id } = await createAssistant(db(), { teamId, config: config('Ada') });
    expect(await findAssistant(db(), { teamId: other, id })).toBeUndefined();
    await expect(
      updateAssistant(db(), { teamId: other, id, config: config('Eve') }),
    ).rejects.toThrow(NotFoundError);
    await expect(deleteAssistant(db(), { teamId: other, id })).rejects.toThrow(NotFoundError);
    expect((await listAssistantVersions(db(), { teamId: other })).items).toEqual([]);
    expect((await getAssistant(db(), { teamId, id })).config.name).toBe('Ada');
  });

  test.each(['', 'nothing', '../etc', 'nul\0byte', '\ud800', 'x'.repeat(10_000)])(
    'an odd id finds nothing: %j',
    async (id) => {
      const teamId = await newTeam();
      expect(await findAssistant(db(), { teamId, id })).toBeUndefined();
      await expect(getAssistant(db(), { teamId, id })).rejects.toThrow(NotFoundError);
    },
  );

  test('text that Postgres refuses is kept with a replacement character', async () => {
    const teamId = await newTeam();
    const odd = { name: 'nul\0 half\ud83d', list: [{ 'k\0': 'v\\u0000' }] };
    const { id } = await createAssistant(db(), { teamId, config: odd as never });
    expect((await getAssistant(db(), { teamId, id })).config).toEqual({
      name: 'nul\uFFFD half\uFFFD',
      list: [{ 'k\uFFFD': 'v\\u0000' }],
    });
  });

  test('of two updates of one version, one succeeds and the other learns the new version', async () => {
    const teamId = await newTeam();
    const { id } = await createAssistant(db(), { teamId, config: config('Ada') });
    const results = await Promise.allSettled(
      ['Bea', 'Cid'].map((name) =>
        updateAssistant(db(), { teamId, id, config: config(name), expectedVersion: 1 }),
      ),
    );
    const [won] = results.filter((result) => result.status === 'fulfilled');
    const [lost] = results.filter((result) => result.status === 'rejected');
    expect(won?.value.version).toBe(2);
    expect(lost?.reason).toBeInstanceOf(VersionConflictError);
    expect(lost?.reason.currentVersion).toBe(2);
    expect(await getAssistant(db(), { teamId, id })).toEqual(won?.value);
  });

  test('without an expected version every update succeeds', async () => {
    const teamId = await newTeam();
    const { id } = await createAssistant(db(), { teamId, config: config('Ada') });
    await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        updateAssistant(db(), { teamId, id, config: config(`${i}`) }),
      ),
    );
    expect((await getAssistant(db(), { teamId, id })).version).toBe(11);
  });

  test('deletes only the version that was read', async () => {
    const teamId = await newTeam();
    const { id } = await createAssistant(db(), { teamId, config: config('Ada') });
    await expect(deleteAssistant(db(), { teamId, id, expectedVersion: 7 })).rejects.toThrow(
      VersionConflictError,
    );
    await deleteAssistant(db(), { teamId, id, expectedVersion: 1 });
    expect(await findAssistant(db(), { teamId, id })).toBeUndefined();
  });

  test('lists newest first, everything or in pages that miss nothing', async () => {
    const teamId = await newTeam();
    const made: string[] = [];
    for (let i = 0; i < 7; i++) {
      made.unshift((await createAssistant(db(), { teamId, config: config(`${i}`) })).id);
    }
    const all = await listAssistantVersions(db(), { teamId });
    expect(all.items.map(({ id }) => id)).toEqual(made);
    expect(all.nextCursor).toBeUndefined();
    const paged: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listAssistantVersions(db(), {
        teamId,
        limit: 3,
        ...(cursor === undefined ? {} : { cursor }),
      });
      paged.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(paged).toEqual(made);
  });
});
