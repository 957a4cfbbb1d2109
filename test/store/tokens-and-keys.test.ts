import { expect, test } from 'vitest';
import { newCallId } from '../../src/lib/ids.ts';
import { createCall } from '../../src/store/calls.ts';
import {
  claimIdempotencyKey,
  completeIdempotencyKey,
  deleteExpiredIdempotencyKeys,
  releaseIdempotencyKey,
} from '../../src/store/idempotency-keys.ts';
import {
  createMediaToken,
  deleteExpiredMediaTokens,
  redeemMediaToken,
} from '../../src/store/media-tokens.ts';
import { mediaTokens } from '../../src/store/schema/calls.ts';
import { callSnapshot } from '../support/call-snapshot.ts';
import { withDatabases } from '../support/postgres.ts';

const NOW = new Date('2026-03-01T10:00:00.000Z');
const later = (ms: number) => new Date(NOW.getTime() + ms);
const HOUR_MS = 3_600_000;

withDatabases('media tokens', ({ db, newTeam }) => {
  const newToken = async (expiresAt = later(60_000)) => {
    const teamId = await newTeam();
    const call = await createCall(db(), {
      id: newCallId('web'),
      teamId,
      callType: 'web',
      direction: 'inbound',
      snapshot: callSnapshot,
    });
    const { token } = await createMediaToken(db(), { callId: call.id, expiresAt });
    return { token, callId: call.id, teamId };
  };

  test('admits to its call, once', async () => {
    const { token, callId, teamId } = await newToken();
    expect(await redeemMediaToken(db(), { token, now: NOW })).toEqual({
      ...{ callId, teamId, holder: null },
    });
    expect(await redeemMediaToken(db(), { token, now: NOW })).toBeUndefined();
  });

  test('presented many times at once it admits one', async () => {
    for (let round = 0; round < 5; round++) {
      const { token, callId } = await newToken();
      const results = await Promise.all(
        Array.from({ length: 10 }, () => redeemMediaToken(db(), { token, now: NOW })),
      );
      expect(results.flatMap((result) => result?.callId ?? [])).toEqual([callId]);
    }
  });

  test.each(['', 'unknown', 'nul\0', 'x'.repeat(5_000)])(
    'unknown ones admit nobody: %j',
    async (token) => {
      expect(await redeemMediaToken(db(), { token })).toBeUndefined();
    },
  );

  test('expires, and is swept when it has', async () => {
    const { token } = await newToken(later(1_000));
    const { token: valid, callId } = await newToken(later(2_000));
    expect(await redeemMediaToken(db(), { token, now: later(1_000) })).toBeUndefined();
    await deleteExpiredMediaTokens(db(), { now: later(1_500) });
    expect((await redeemMediaToken(db(), { token: valid, now: later(1_500) }))?.callId).toBe(
      callId,
    );
    expect(await redeemMediaToken(db(), { token, now: NOW })).toBeUndefined();
  });

  test('is not kept itself', async () => {
    const { token } = await newToken();
    expect(JSON.stringify(await db().select().from(mediaTokens))).not.toContain(token);
  });
});

withDatabases('idempotency keys', ({ db, newTeam }) => {
  const claim = (teamId: string, requestHash = 'hash', now = NOW) =>
    claimIdempotencyKey(db(), { teamId, key: 'order-7', requestHash, now });

  test('the first request works, its repetition gets its answer, another request is a mismatch', async () => {
    const teamId = await newTeam();
    expect(await claim(teamId)).toEqual({ outcome: 'claimed' });
    expect(await claim(teamId)).toEqual({ outcome: 'in-progress' });
    expect(await claim(teamId, 'other')).toEqual({ outcome: 'mismatch' });
    await completeIdempotencyKey(db(), { teamId, key: 'order-7', status: 201, body: '{"a":1}' });
    expect(await claim(teamId)).toEqual({ outcome: 'replay', status: 201, body: '{"a":1}' });
    expect(await claim(teamId, 'other')).toEqual({ outcome: 'mismatch' });
    expect(await claim(await newTeam())).toEqual({ outcome: 'claimed' });
  });

  test('claimed many times at once it is claimed once', async () => {
    const teamId = await newTeam();
    const claims = await Promise.all(Array.from({ length: 10 }, () => claim(teamId)));
    expect(claims.filter(({ outcome }) => outcome === 'claimed')).toHaveLength(1);
    expect(claims.filter(({ outcome }) => outcome === 'in-progress')).toHaveLength(9);
  });

  test('a request that failed gives the key back; one that was answered keeps it', async () => {
    const teamId = await newTeam();
    await claim(teamId);
    await releaseIdempotencyKey(db(), { teamId, key: 'order-7' });
    expect(await claim(teamId, 'other')).toEqual({ outcome: 'claimed' });
    await completeIdempotencyKey(db(), { teamId, key: 'order-7', status: 200, body: '' });
    await releaseIdempotencyKey(db(), { teamId, key: 'order-7' });
    expect(await claim(teamId, 'other')).toMatchObject({ outcome: 'replay' });
  });

  test('the key of a request whose service died is free after two minutes, an answer after a day', async () => {
    const teamId = await newTeam();
    await claim(teamId);
    expect(await claim(teamId, 'hash', later(119_000))).toEqual({ outcome: 'in-progress' });
    expect(await claim(teamId, 'hash', later(121_000))).toEqual({ outcome: 'claimed' });
    await completeIdempotencyKey(db(), { teamId, key: 'order-7', status: 200, body: 'x' });
    expect(await claim(teamId, 'hash', later(23 * HOUR_MS))).toMatchObject({ outcome: 'replay' });
    expect(await claim(teamId, 'other', later(25 * HOUR_MS))).toEqual({ outcome: 'claimed' });
  });

  test('old ones are swept', async () => {
    const teamId = await newTeam();
    await claim(teamId);
    await completeIdempotencyKey(db(), { teamId, key: 'order-7', status: 200, body: 'x' });
    await deleteExpiredIdempotencyKeys(db(), { now: later(23 * HOUR_MS) });
    expect(await claim(teamId)).toMatchObject({ outcome: 'replay' });
    await deleteExpiredIdempotencyKeys(db(), { now: later(25 * HOUR_MS) });
    expect(await claim(teamId)).toEqual({ outcome: 'claimed' });
  });
});
