import { mkdir, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseWav } from '../../src/audio/parse-wav.ts';
import { wavHeader, wavLengthPatches } from '../../src/audio/wav-header.ts';
import { joinRecordings, partPath, removeParts } from '../../src/calls/recording-parts.ts';
import { clearFiles } from '../support/clear-files.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-parts-'));
});
afterEach(() => rm(folder, { recursive: true }));

const RATE_HZ = 8000;
/** A recording of both sides at one level, as a killed process leaves it: of unknown length. */
const record = (path: string, ms: number, level: number, torn = 0) =>
  writeFile(
    path,
    Buffer.concat([
      wavHeader({ sampleRateHz: RATE_HZ, channels: 2 }),
      Buffer.from(new Int16Array((2 * ms * RATE_HZ) / 1000).fill(level).buffer),
      Buffer.alloc(torn),
    ]),
  );

test('the parts of a recording follow each other, each at its time, with silence between and no overlap', async () => {
  const path = join(folder, 'WC-1.wav');
  await record(path, 1000, 11, 3);
  await record(partPath(path, 1500), 1000, 22, 1);
  // The process before was taken for dead and went on for a while.
  await record(partPath(path, 2000.4), 300, 33);
  await record(join(folder, 'WC-2.500.part.wav'), 100, 99);
  expect(await joinRecordings(clearFiles, path, { teamId: 'team' })).toEqual({
    path,
    sampleRateHz: RATE_HZ,
    durationMs: 2300,
    bytes: 44 + 2300 * 32,
  });
  const { channels } = parseWav(new Uint8Array(await readFile(path)));
  const levels = (channel: Int16Array | Float32Array) =>
    [500, 1250, 1750, 2150].map((ms) => channel[(ms * RATE_HZ) / 1000]);
  for (const channel of channels) {
    expect(channel).toHaveLength((2300 * RATE_HZ) / 1000);
    expect(levels(channel)).toEqual([11, 0, 22, 33]);
  }
  expect(await readdir(folder)).toEqual(['WC-1.wav', 'WC-2.500.part.wav']);
});

test('what the caller’s side played after its process had left is heard with what the next process wrote', async () => {
  const path = join(folder, 'WC-1.wav');
  await record(path, 1000, 11);
  await using left = await open(path, 'r+');
  const dataBytes = 1000 * 32;
  for (const { offset, bytes } of wavLengthPatches(dataBytes))
    await left.write(bytes, 0, 4, offset);
  await record(partPath(path, 600), 200, 22);
  expect(await joinRecordings(clearFiles, path, { teamId: 'team' })).toMatchObject({
    durationMs: 1000,
    bytes: 44 + dataBytes,
  });
  const { channels } = parseWav(new Uint8Array(await readFile(path)));
  for (const channel of channels)
    expect([500, 700, 900].map((ms) => channel[(ms * RATE_HZ) / 1000])).toEqual([11, 33, 11]);
});

test('what a process writes after it was taken for dead is not in the recording, of its file alone neither', async () => {
  const path = join(folder, 'WC-1.wav');
  await record(path, 100, 11, 1);
  await using frozen = await open(path, 'r+');
  const only = { teamId: 'team', wasTakenOver: false };
  expect(await joinRecordings(clearFiles, path, only)).toMatchObject({ durationMs: 100 });
  await frozen.write(Buffer.alloc(1000), 0, 1000, 3244);
  expect(await readFile(path)).toHaveLength(44 + 100 * 32);
});

test('a recording whose first file is missing begins with silence', async () => {
  const path = join(folder, 'WC-1.wav');
  await record(partPath(path, 400), 100, 22);
  expect(await joinRecordings(clearFiles, path, { teamId: 'team' })).toMatchObject({
    durationMs: 500,
  });
});

test('a process that died before it had written anything has no say in the sample rate', async () => {
  const path = join(folder, 'WC-1.wav');
  await writeFile(path, 'RIFF');
  await record(partPath(path, 400), 100, 22);
  expect(await joinRecordings(clearFiles, path, { teamId: 'team' })).toMatchObject({
    sampleRateHz: RATE_HZ,
    durationMs: 500,
  });
});

test('a joining that is aborted leaves the parts, to be joined another time', async () => {
  const path = join(folder, 'WC-1.wav');
  await record(path, 100, 11);
  await record(partPath(path, 400), 100, 22);
  const signal = AbortSignal.abort(new Error('too late'));
  await expect(joinRecordings(clearFiles, path, { teamId: 'team', signal })).rejects.toThrow(
    'too late',
  );
  expect(await readdir(folder)).toEqual(['WC-1.400.part.wav', 'WC-1.wav']);
});

test('a recording that cannot be joined leaves nothing half-joined', async () => {
  const path = join(folder, 'WC-1.wav');
  await mkdir(path);
  await record(partPath(path, 400), 100, 22);
  await expect(joinRecordings(clearFiles, path, { teamId: 'team' })).rejects.toThrow();
  expect(await readdir(folder)).toEqual(['WC-1.400.part.wav', 'WC-1.wav']);
});

test('the parts of a deleted call go, those of others stay, and a missing folder has none', async () => {
  const path = join(folder, 'WC-1.wav');
  const beside = [
    'WC-1.400.part.wav.sealed',
    'WC-1.900.part.wav.sealing',
    'WC-1.700.part.wav.sealed',
  ];
  for (const name of ['WC-1.400.part.wav', 'WC-1.wav.joined', ...beside, 'WC-11.400.part.wav'])
    await writeFile(join(folder, name), 'sound');
  await removeParts(path);
  expect(await readdir(folder)).toEqual(['WC-11.400.part.wav']);
  await removeParts(join(folder, 'none', 'WC-1.wav'));
});
