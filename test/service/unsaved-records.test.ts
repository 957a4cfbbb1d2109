import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { UnsavedRecords } from '../../src/service/unsaved-records.ts';
import { CallTakenError, NotFoundError, StoreUnavailableError } from '../../src/store/errors.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };

let dataDir: string;
let folder: string;
let records: UnsavedRecords;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-unsaved-'));
  folder = join(dataDir, 'unsaved-records');
  records = new UnsavedRecords(dataDir, log);
});
afterEach(() => rm(dataDir, { recursive: true }));

const keep = (callId: string, teamId: string) =>
  // In another order than the file has them.
  records.keep({ batch: { callId, lines: [], messages: [], patch: {} }, epoch: 1, teamId });

test('the records of a team go, half-written ones too, and damaged ones of others hinder nothing', async () => {
  await keep('WC-1', 'gone');
  await keep('WC-2', 'kept');
  await writeFile(join(folder, 'WC-3.000.json.part'), '{"teamId":"gone","epoch":1,"bat');
  await writeFile(join(folder, 'WC-4.000.json.part'), '{"teamId":"gone-too","ep');
  await writeFile(join(folder, 'WC-5.000.json'), '');
  await records.removeOfTeam('gone');
  expect(await readdir(folder)).toEqual(['WC-2.000.json', 'WC-4.000.json.part', 'WC-5.000.json']);
});

test.each([
  ['was deleted', new NotFoundError('call', 'WC-1'), []],
  ['another process has', new CallTakenError('WC-1'), []],
  ['cannot be written now', new StoreUnavailableError('away'), ['WC-1.000.json']],
])('a record of a call that %s is kept only if it is still wanted', async (_, error, left) => {
  await keep('WC-1', 'team');
  const store = { transaction: () => Promise.reject(error) };
  await records.restore(store as never);
  expect(await readdir(folder)).toEqual(left);
});
