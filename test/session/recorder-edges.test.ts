import { mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WAV_HEADER_BYTES } from '../../src/audio/wav-header.ts';
import { Recorder, type RecordingFile } from '../../src/session/record/recorder.ts';
import { ManualClock } from '../support/manual-clock.ts';

const RATE = 16_000;

let folder: string;
let clock: ManualClock;
let errors: unknown[];
let did: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-rec-'));
  clock = new ManualClock(5000);
  errors = [];
  did = [];
});

afterEach(() => rm(folder, { recursive: true }));

const earlier = {
  join: async () => void did.push('joined') as undefined,
  remove: async () => void did.push('removed'),
};

function recorderOf(path: string, openFile?: () => Promise<RecordingFile>): Recorder {
  return new Recorder({
    ...{ clock, path: join(folder, path), legRateHz: RATE, earlier },
    onError: (error) => errors.push(error),
    ...(openFile ? { openFile } : {}),
  });
}

const tone = (ms: number) => new Int16Array((RATE * ms) / 1000).fill(1000);

test.each([
  [1, { durationMs: 1 }, ['joined'], ['call.wav']],
  [0, undefined, ['removed'], []],
  [-5, undefined, ['removed'], []],
])(
  'of a recording that ends after %d ms is kept %j, and earlier ones are %j',
  async (untilMs, kept, earlierOnes, files) => {
    const recorder = recorderOf('call.wav');
    await clock.advance(1000);
    recorder.writeCaller(tone(1000), clock.now());
    const info = await recorder.close({ untilMs });
    if (kept) expect(info).toMatchObject(kept);
    else expect(info).toBeUndefined();
    expect(did).toEqual(earlierOnes);
    expect(await readdir(folder)).toEqual(files);
  },
);

test('who refuses a recording is obeyed where no file could be made of it either', async () => {
  const recorder = recorderOf('missing/call.wav');
  expect(await recorder.close({ untilMs: 0 })).toBeUndefined();
  expect(did).toEqual(['removed']);
});

test.each([
  ['is refused', 'call.wav', { untilMs: 0 }],
  ['is made of a sealed file', 'call.wav.sealed', {}],
])(
  'nothing is left of a recording that %s where the disk creates its file late',
  async (_which, name, until) => {
    const disk = Promise.withResolvers<void>();
    let created: readonly string[] = [];
    const recorder = new Recorder({
      ...{ clock, path: join(folder, 'call.wav'), legRateHz: RATE },
      onError: (error) => errors.push(error),
      async openFile() {
        await disk.promise;
        const file = await open(join(folder, name), 'w');
        created = await readdir(folder);
        return file;
      },
      finish: async () => {
        await rm(join(folder, 'call.wav.sealed'), { force: true });
        return undefined;
      },
    });
    const closed = recorder.close(until);
    await clock.advance(5000);
    expect(await closed).toBeUndefined();
    disk.resolve();
    await expect.poll(() => created).toEqual([name]);
    await expect.poll(() => readdir(folder)).toEqual([]);
  },
);

test('a disk that fails as the lengths are written is told of, and the recording says so', async () => {
  let writes = 0;
  const recorder = recorderOf('call.wav', async () => ({
    async write(_bytes, _offset, length) {
      if (++writes > 1) throw new Error('the disk is gone');
      return { bytesWritten: length };
    },
    truncate: async () => undefined,
    close: async () => undefined,
  }));
  await clock.advance(0);
  expect(await recorder.close()).toMatchObject({ durationMs: 0, stoppedAt: expect.any(String) });
  expect(errors).toHaveLength(1);
});

test('after a disk has failed nothing more is written to it, though it was on its way', async () => {
  const positions: number[] = [];
  const recorder = recorderOf('call.wav', async () => ({
    async write(_bytes, _offset, length, position) {
      positions.push(position);
      if (position > 0) throw new Error('the disk is full');
      return { bytesWritten: length };
    },
    truncate: async () => undefined,
    close: async () => undefined,
  }));
  for (let second = 1; second <= 3; second++)
    recorder.writeCaller(tone(1000), clock.now() + second * 1000);
  await clock.advance(0);
  expect(positions).toEqual([0, 44]);
  expect(errors).toHaveLength(1);
});

test('a process that is killed has lost no more of a recording than the newest 800 ms', async () => {
  let bytes = 0;
  const recorder = recorderOf('call.wav', async () => ({
    async write(_bytes, _offset, length, position) {
      bytes = Math.max(bytes, position + length);
      return { bytesWritten: length };
    },
    ...{ truncate: async () => undefined, close: async () => undefined },
  }));
  const lostMs: number[] = [];
  for (let ms = 20; ms <= 3000; ms += 20) {
    await clock.advance(20);
    recorder.writeCaller(tone(20), clock.now());
    await clock.advance(0);
    lostMs.push(ms - (bytes - WAV_HEADER_BYTES) / 64);
  }
  expect(Math.max(...lostMs)).toBeLessThanOrEqual(800);
  await recorder.close();
});
