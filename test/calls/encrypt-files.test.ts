import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseWav } from '../../src/audio/parse-wav.ts';
import { wavHeader } from '../../src/audio/wav-header.ts';
import { TeamFiles } from '../../src/calls/call-files.ts';
import { createEncryptFiles } from '../../src/calls/encrypt-files.ts';
import { joinRecordings, partPath } from '../../src/calls/recording-parts.ts';
import {
  createRecordingReader,
  repairRecordings,
  writeCallFile,
} from '../../src/calls/recordings.ts';
import { sealingKeyOf } from '../../src/lib/sealed-file.ts';
import { Recorder } from '../../src/session/record/recorder.ts';
import { appendCallEvents, readCallEvents } from '../../src/store/call-events.ts';
import { currentTeamKey } from '../../src/store/current-team-key.ts';
import {
  addTeamKey,
  findTeamKey,
  listTeamsToEncrypt,
  reopenTeamKeys,
} from '../../src/store/team-keys.ts';
import { deleteTeam, markTeamDeleted } from '../../src/store/teams.ts';
import { createText } from '../../src/store/texts.ts';
import { allRows } from '../support/all-rows.ts';
import { createCallWithServer } from '../support/call-with-server.ts';
import { collect } from '../support/collect.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { withDatabase } from '../support/postgres.ts';

const RATE_HZ = 16_000;
const MINUTE_MS = 60_000;
const attempt = { signal: new AbortController().signal, number: 1, last: false };

withDatabase('encrypted files of calls', ({ db, newTeam }) => {
  let folder: string;
  let teamId: string;
  let files: TeamFiles;
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;
  const warnings: object[] = [];
  const log = {
    debug() {},
    info() {},
    error() {},
    warn: (fields: object) => void warnings.push(fields),
  };
  const queued: object[] = [];
  const jobs = {
    send: async (_db: unknown, _kind: unknown, data: object, options?: object) => {
      queued.push({ ...data, ...options });
      return true;
    },
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-encrypt-'));
    teamId = await newTeam();
    files = new TeamFiles({ db: db(), now, encrypts: true });
    aheadMs = 0;
    queued.length = 0;
    warnings.length = 0;
  });
  afterEach(() => rm(folder, { recursive: true }));

  const pathOf = (id: string) => join(folder, `${id}.wav`);
  /** Records a tone for some seconds, and leaves the file as the end or a kill of the process does. */
  const record = async (path: string, seconds: number, isKilled = false, untilMs?: number) => {
    const clock = new ManualClock(0);
    const recorder = new Recorder({
      ...{ clock, path, legRateHz: RATE_HZ, onError: (error) => expect.unreachable(String(error)) },
      openFile: (name) => files.create(name, teamId),
    });
    for (let frame = 0; frame < seconds * 50; frame++) {
      await clock.advance(20);
      recorder.writeCaller(new Int16Array(320).fill(1000), clock.now());
    }
    const info = await recorder.close(untilMs === undefined ? {} : { untilMs });
    if (isKilled) {
      // The header of a file that nobody has closed.
      const file = await files.open(path, 'r+');
      await file.write(wavHeader({ sampleRateHz: RATE_HZ, channels: 2 }), 0, 44, 0);
      await file.close();
    }
    return info;
  };
  const readAll = async (path: string, range?: { first: number; last: number }) => {
    const reader = createRecordingReader(files, '');
    const last = ((await reader.size(path)) ?? 0) - 1;
    return Buffer.concat(await reader.open(path, range ?? { first: 0, last }).toArray());
  };
  const ended = async (startAt = new Date()) => {
    const call = await createCallWithServer(db(), {
      ...{ teamId, url: 'https://shop.example', call: { startAt } },
    });
    await call.write([], { status: 'finished', endAt: startAt.getTime() + 1000, settled: true });
    return call.id;
  };
  const encrypt = () =>
    createEncryptFiles({ db: db(), now, jobs, files, recordingsDir: folder, log })(
      { teamId },
      attempt,
    );

  test('a recording plays and seeks as one in the clear, and its file holds none of it', async () => {
    const path = pathOf('WC-1');
    const info = await record(path, 3);
    expect(info).toMatchObject({ durationMs: 3000, bytes: 44 + 3 * 64_000 });
    const wav = await readAll(path);
    expect(wav.length).toBe(info?.bytes);
    const [caller] = parseWav(wav).channels as [Int16Array];
    expect(caller[RATE_HZ]).toBe(1000);
    const part = await readAll(path, { first: 100_000, last: 100_999 });
    expect(part.equals(wav.subarray(100_000, 101_000))).toBe(true);
    const raw = await readFile(path);
    expect(raw.includes(wav.subarray(50_000, 50_032))).toBe(false);
    expect(raw.includes('RIFF')).toBe(false);
    const { id } = await currentTeamKey(db(), { teamId });
    expect(await sealingKeyOf(path)).toBe(id);
  });

  test('a recording that is cut where its caller refused it holds nothing after that', async () => {
    const path = pathOf('WC-1');
    expect(await record(path, 3, false, 1500)).toMatchObject({ durationMs: 1500 });
    const wav = await readAll(path);
    expect(wav.length).toBe(44 + 1.5 * 64_000);
    expect(parseWav(wav).channels[0]).toHaveLength(1.5 * RATE_HZ);
  });

  test('what a killed process has left is repaired, and joined with what followed', async () => {
    const path = pathOf('WC-1');
    await record(path, 2, true);
    const [repaired] = await repairRecordings(files, folder, async () => true);
    expect(repaired).toMatchObject({ callId: 'WC-1', durationMs: 2000 });
    expect(parseWav(await readAll(path)).channels[0]).toHaveLength(2 * RATE_HZ);
    await record(partPath(path, 3000), 1, true);
    expect(await joinRecordings(files, path, { teamId })).toMatchObject({ durationMs: 4000 });
    const [caller] = parseWav(await readAll(path)).channels as [Int16Array];
    expect([RATE_HZ, 2.5 * RATE_HZ, 3.5 * RATE_HZ].map((at) => caller[at])).toEqual([
      1000, 0, 1000,
    ]);
    expect((await readFile(path)).includes('RIFF')).toBe(false);
  });

  test('a recording of which the end was cut off is refused; one whose process was killed as it closed it is mended', async () => {
    const path = pathOf('WC-1');
    await record(path, 3);
    const raw = await readFile(path);
    await writeFile(path, raw.subarray(0, 128 + 5 * (16_384 + 28)));
    await expect(readAll(path)).rejects.toThrow('cut short');
    const unclosed = Buffer.from(raw);
    unclosed.fill(0, 104, 128);
    await writeFile(path, unclosed);
    await expect(readAll(path)).rejects.toThrow('its process was killed');
    expect(await repairRecordings(files, folder, async () => true)).toMatchObject([
      { durationMs: 3000 },
    ]);
    expect(parseWav(await readAll(path)).channels[0]).toHaveLength(3 * RATE_HZ);
    // Nobody mends what was cut, since the sound says how long it is.
    await writeFile(path, unclosed.subarray(0, 128 + 5 * (16_384 + 28)));
    expect(await repairRecordings(files, folder, async () => true)).toEqual([]);
    await expect(readAll(path)).rejects.toThrow('its process was killed');
  });

  test('files in the clear are read on, and encrypted by the job; a transcript too', async () => {
    const id = await ended();
    const clear = new TeamFiles({ db: db(), now, encrypts: false });
    await writeFile(pathOf(id), 'RIFF in the clear');
    const path = join(folder, `${id}.txt`);
    await writeCallFile(clear, { path, teamId, text: 'Caller: marzipan' });
    expect(await readFile(path, 'utf8')).toBe('Caller: marzipan');
    expect((await readAll(pathOf(id))).toString()).toBe('RIFF in the clear');
    aheadMs = 5 * MINUTE_MS;
    await encrypt();
    expect(await readFile(path, 'latin1')).not.toContain('marzipan');
    expect((await readAll(path)).toString()).toBe('Caller: marzipan');
    expect((await readAll(pathOf(id))).toString()).toBe('RIFF in the clear');
  });

  test('another key: everything is encrypted anew, then the former key goes, not before live calls have ended', async () => {
    const id = await ended();
    await record(pathOf(id), 1);
    const content = await readAll(pathOf(id));
    const former = await currentTeamKey(db(), { teamId });
    const live = await createCallWithServer(db(), { teamId, url: 'https://shop.example' });
    const next = await addTeamKey(db(), { teamId });
    aheadMs = 5 * MINUTE_MS;
    await encrypt();
    expect(await sealingKeyOf(pathOf(id))).toBe(next.id);
    expect((await readAll(pathOf(id))).equals(content)).toBe(true);
    const keys = async () => {
      const { rows } = await db().execute<{ id: string }>(
        sql`select id from team_keys where team_id = ${teamId} order by id`,
      );
      return rows.map((row) => row.id);
    };
    expect(await keys()).toEqual([former.id, next.id]);
    expect(queued).toMatchObject([{ teamId, startAfter: expect.any(Date) }]);
    await live.write([], { status: 'finished', endAt: now(), settled: true });
    await writeFile(pathOf(live.id), 'RIFF');
    await encrypt();
    // Its process may still write to it.
    expect(await readFile(pathOf(live.id), 'latin1')).toBe('RIFF');
    expect(await keys()).toEqual([former.id, next.id]);
    aheadMs += 5 * MINUTE_MS;
    await encrypt();
    expect(await keys()).toEqual([next.id]);
    expect(await sealingKeyOf(pathOf(live.id))).toBe(next.id);
    expect((await readAll(pathOf(id))).equals(content)).toBe(true);
  });

  test('rows of the database are encrypted with the files, and the next start has nothing to do', async () => {
    const id = await ended();
    const lines = [
      { seq: 1, at: 0, kind: 'note', type: 'seen', data: { text: 'marzipan' } },
    ] as const;
    await appendCallEvents(db(), { teamId, callId: id, lines });
    const who = { teamId, numberId: 'n', userNumber: '+4930123456' };
    await createText(db(), { ...who, role: 'user', text: 'cardamom', status: 'received' });
    const isFound = async (word: string) => (await allRows(db())).includes(word);
    expect(await isFound('marzipan')).toBe(true);
    await currentTeamKey(db(), { teamId });
    expect(await listTeamsToEncrypt(db())).toContain(teamId);
    aheadMs = 5 * MINUTE_MS;
    await encrypt();
    expect(await isFound('marzipan')).toBe(false);
    expect(await isFound('cardamom')).toBe(false);
    expect(await collect(readCallEvents(db(), { callId: id }))).toEqual(lines);
    expect(await listTeamsToEncrypt(db())).not.toContain(teamId);
    // Where nothing is encrypted for a while, there is something to do after it.
    await reopenTeamKeys(db());
    expect(await listTeamsToEncrypt(db())).toContain(teamId);
  });

  test('a row that cannot be read is named, and its key is kept', async () => {
    const [damaged, whole] = [await ended(), await ended()];
    const seen = (text: string) =>
      [{ seq: 1, at: 0, kind: 'note', type: 'x', data: { text } }] as const;
    for (const callId of [damaged, whole])
      await appendCallEvents(db(), { teamId, callId, lines: seen('marzipan') });
    const former = await currentTeamKey(db(), { teamId });
    aheadMs = 5 * MINUTE_MS;
    await encrypt();
    await db().execute(sql`update call_events set data = to_json(left(data #>> '{}', -4))
      where call_id = ${damaged}`);
    await addTeamKey(db(), { teamId });
    aheadMs += 5 * MINUTE_MS;
    await encrypt();
    expect(warnings).toMatchObject([{ callId: damaged }]);
    expect(await findTeamKey(db(), former)).toEqual(former);
    expect(await collect(readCallEvents(db(), { callId: whole }))).toEqual(seen('marzipan'));
  });

  test('with the key of a team its files are gone for good, wherever copies are', async () => {
    const id = await ended();
    await record(pathOf(id), 1);
    const { bytes } = await currentTeamKey(db(), { teamId });
    const { rows } = await db().execute(sql`select key from team_keys where team_id = ${teamId}`);
    expect(JSON.stringify(rows)).toContain('sealed:1:');
    expect(JSON.stringify(rows)).not.toContain(bytes.toString('base64'));
    await db().transaction((tx) => markTeamDeleted(tx, { teamId, now: new Date() }));
    await deleteTeam(db(), { teamId });
    // Another process, which does not have the key in its memory.
    files = new TeamFiles({ db: db(), now, encrypts: true });
    await expect(readAll(pathOf(id))).rejects.toThrow('thrown away');
    expect(await repairRecordings(files, folder, async () => true)).toEqual([]);
  });

  test('a damaged file is named, and keeps none of the others from being encrypted', async () => {
    const [damaged, whole] = [await ended(), await ended()];
    await record(pathOf(damaged), 1);
    const raw = await readFile(pathOf(damaged));
    await writeFile(pathOf(damaged), raw.fill(0, 1000, 1100));
    await writeFile(pathOf(whole), 'RIFF');
    const former = await currentTeamKey(db(), { teamId });
    await addTeamKey(db(), { teamId });
    aheadMs = 5 * MINUTE_MS;
    await encrypt();
    expect(await sealingKeyOf(pathOf(whole))).toBeDefined();
    expect(warnings).toMatchObject([{ callId: damaged }]);
    expect(await findTeamKey(db(), former)).toEqual(former);
  });
});
