import { expect, test } from 'vitest';
import { createTokenOfFreeNumber, redeemHandsetToken } from '../../src/store/handset-tokens.ts';
import { createNumber } from '../../src/store/numbers.ts';
import { withDatabases } from '../support/postgres.ts';

const NOW = new Date('2026-03-01T10:00:00.000Z');
const later = (ms: number) => new Date(NOW.getTime() + ms);
const numbersFrom = (first: number) =>
  Array.from({ length: 20 }, (_, index) => `+${first + index}`);
const AMONG = numbersFrom(15_005_550_400);

withDatabases("telephones' numbers", ({ db, newTeam }) => {
  const ask = (teamId: string, { now = NOW, among = AMONG } = {}) =>
    createTokenOfFreeNumber(db(), { teamId, among, now, expiresAt: later(60_000) });

  test('are each given once, to many who ask at once, until none is free', async () => {
    const teamId = await newTeam();
    const asked = await Promise.all(AMONG.map(() => ask(teamId)));
    expect(asked.map((made) => made?.number).toSorted()).toEqual(AMONG);
    expect(await ask(teamId)).toBeUndefined();
    // Another team's telephones are its own.
    expect(AMONG).toContain((await ask(await newTeam()))?.number);
  });

  test('are given without waiting for one that is being given', async () => {
    const teamId = await newTeam();
    const given = await db().transaction(async (tx) => {
      const params = { teamId, among: AMONG, now: NOW, expiresAt: later(60_000) };
      const first = await createTokenOfFreeNumber(tx, params);
      return [first, ...(await Promise.all(AMONG.slice(1).map(() => ask(teamId))))];
    });
    expect(given.map((made) => made?.number).toSorted()).toEqual(AMONG);
  });

  test('are free again when the token is gone or has expired', async () => {
    const teamId = await newTeam();
    const [first] = await Promise.all(AMONG.map(() => ask(teamId)));
    await redeemHandsetToken(db(), { token: first?.token ?? '', now: NOW });
    expect(await ask(teamId)).toMatchObject({ number: first?.number });
    expect(await ask(teamId)).toBeUndefined();
    expect(AMONG).toContain((await ask(teamId, { now: later(60_000) }))?.number);
  });

  test('are none that an assistant of any team has', async () => {
    const among = numbersFrom(15_005_550_500);
    const [taken = '', ...free] = among;
    const line = { number: taken, provider: 'emulator', label: '' } as const;
    await createNumber(db(), { teamId: await newTeam(), ...line });
    const teamId = await newTeam();
    const asked = await Promise.all(among.map(() => ask(teamId, { among })));
    expect(asked.flatMap((made) => made?.number ?? []).toSorted()).toEqual(free);
  });
});
