import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseWav } from '../../src/audio/parse-wav.ts';
import { WAV_HEADER_BYTES } from '../../src/audio/wav-header.ts';
import { StorageState } from '../../src/service/storage-state.ts';
import { Recorder, type RecordingFile } from '../../src/session/record/recorder.ts';
import { ManualClock } from '../support/manual-clock.ts';

const RATE = 16_000;
const START = 5000;

let folder: string;
let clock: ManualClock;
let errors: unknown[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-full-'));
  clock = new ManualClock(START);
  errors = [];
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function record(recorder: Recorder, seconds: number) {
  for (let frame = 0; frame < seconds * 50; frame++) {
    await clock.advance(20);
    recorder.writeCaller(new Int16Array(320).fill(1000), clock.now());
  }
  return recorder.close();
}

const noSpace = () => Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' });

/** A file on a disk with so much room, in which writes are cut short as the system does. */
function fileWith(room: number) {
  const bytes = Buffer.alloc(room);
  let filled = 0;
  const file: RecordingFile = {
    async write(from, offset, length, position) {
      const fits = Math.min(length, room - position);
      if (fits <= 0) throw noSpace();
      bytes.set(from.subarray(offset, offset + fits), position);
      filled = Math.max(filled, position + fits);
      return { bytesWritten: fits };
    },
    async truncate(size) {
      filled = size;
    },
    async close() {},
  };
  return { file, content: () => bytes.subarray(0, filled) };
}

const recorderOf = (path: string, openFile?: () => Promise<RecordingFile>) =>
  new Recorder({
    clock,
    path,
    legRateHz: RATE,
    onError: (error) => errors.push(error),
    ...(openFile ? { openFile } : {}),
  });

test('a disk that fills up ends the recording where it was full, and the header says so', async () => {
  // Three bytes of a sample too few for a whole one.
  const { file, content } = fileWith(WAV_HEADER_BYTES + RATE * 4 + 3);
  const info = await record(
    recorderOf('call.wav', async () => file),
    3,
  );
  expect(info).toMatchObject({
    durationMs: 1000,
    bytes: WAV_HEADER_BYTES + RATE * 4,
    stoppedAt: new Date(START + 1000).toISOString(),
  });
  expect(content().readUInt32LE(40)).toBe(RATE * 4);
  expect(content().readUInt32LE(4)).toBe(RATE * 4 + WAV_HEADER_BYTES - 8);
  expect(parseWav(content()).channels[0]?.length).toBe(RATE);
  expect(errors).toMatchObject([{ code: 'ENOSPC' }]);
});

test('a whole recording has no instant at which it stopped', async () => {
  expect(await record(recorderOf(join(folder, 'call.wav')), 1)).not.toHaveProperty('stoppedAt');
});

test('a disk that is full from the start keeps nothing', async () => {
  expect(await record(recorderOf('/dev/full', undefined), 1)).toBeUndefined();
  expect(errors).toMatchObject([{ code: 'ENOSPC' }]);
});

test('a refused write is a full disk until one succeeds', async () => {
  const state = new StorageState(folder);
  expect(await state.isFull()).toBe(false);
  state.failed(Object.assign(new Error('EACCES'), { code: 'EACCES' }));
  expect(await state.isFull()).toBe(false);
  state.failed(noSpace());
  expect(await state.isFull()).toBe(false);
  expect(await new StorageState(join(folder, 'missing')).isFull()).toBe(false);
});

const canMount = (() => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  try {
    execFileSync('unshare', ['--mount', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

describe.runIf(canMount)('on a real file system of 1.5 MiB', () => {
  let disk: string;
  beforeEach(async () => {
    disk = join(folder, 'disk');
    await mkdir(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1536k', 'tmpfs', disk]);
  });
  afterEach(() => void execFileSync('umount', [disk]));

  test('the recording ends, is honest, and the state says full until there is room', async () => {
    const state = new StorageState(disk);
    expect(await state.isFull()).toBe(false);
    await writeFile(join(disk, 'others'), Buffer.alloc(1_400_000));
    expect(await state.isFull()).toBe(true);
    const path = join(disk, 'call.wav');
    const info = await record(recorderOf(path), 5);
    expect(errors).toMatchObject([{ code: 'ENOSPC' }]);
    const { durationMs = 0, bytes = 0, stoppedAt } = info ?? {};
    expect(durationMs).toBeGreaterThan(500);
    expect(durationMs).toBeLessThan(5000);
    expect(stoppedAt).toBe(new Date(START + durationMs).toISOString());
    const content = await readFile(path);
    expect(content.readUInt32LE(40)).toBe(bytes - WAV_HEADER_BYTES);
    expect(content.length - bytes).toBeLessThan(4);
    await rm(join(disk, 'others'));
    expect(await state.isFull()).toBe(false);
  });
});
