import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseWav } from '../../src/audio/parse-wav.ts';
import { Recorder, type RecordingInfo } from '../../src/session/record/recorder.ts';
import { StereoWindow } from '../../src/session/record/stereo-window.ts';
import { ManualClock } from '../support/manual-clock.ts';

const RATE = 16_000;
const FRAME = 320;

let folder: string;
let clock: ManualClock;
let errors: unknown[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-rec-'));
  clock = new ManualClock(5000);
  errors = [];
});

afterEach(() => rm(folder, { recursive: true }));

const tone = (level: number, samples = FRAME) => new Int16Array(samples).fill(level);

function createRecorder(legRateHz = RATE): Recorder {
  const path = join(folder, 'call.wav');
  return new Recorder({ clock, path, legRateHz, onError: (error) => errors.push(error) });
}

async function read(path: string) {
  const wav = parseWav(await readFile(path));
  return wav;
}

test('both channels stand where they were heard, silence where nothing was', async () => {
  const recorder = createRecorder();
  for (let frame = 0; frame < 100; frame++) {
    await clock.advance(20);
    if (frame < 50) recorder.writeCaller(tone(1000), clock.now());
    if (frame === 40) recorder.write(tone(2000, RATE / 2), clock.now() + 100);
  }
  const info = await recorder.close();
  expect(info).toMatchObject({ sampleRateHz: RATE, durationMs: 2000 });
  const [user, assistant] = (await read(recorder.path)).channels as [Int16Array, Int16Array];
  expect(user.length).toBe(2 * RATE);
  expect(user[RATE - 10]).toBe(1000);
  expect(user[RATE + 10]).toBe(0);
  const start = assistant.indexOf(2000);
  expect(start).toBe(Math.round(0.92 * RATE));
  expect(assistant.lastIndexOf(2000) - start + 1).toBe(RATE / 2);
  expect(errors).toEqual([]);
});

test('what a clear left unheard is not in the recording', async () => {
  const recorder = createRecorder();
  await clock.advance(100);
  recorder.write(tone(2000, (RATE * 180) / 1000), clock.now());
  await clock.advance(60);
  recorder.erase(clock.now());
  await clock.advance(500);
  await recorder.close();
  const assistant = (await read(recorder.path)).channels[1] as Int16Array;
  expect(assistant.filter((sample) => sample === 2000).length).toBe((RATE * 60) / 1000);
});

test('a caller who was silent for seconds is on time again, and a burst is not lost', async () => {
  const recorder = createRecorder();
  await clock.advance(20);
  recorder.writeCaller(tone(1), clock.now());
  await clock.advance(5000);
  for (let i = 0; i < 5; i++) recorder.writeCaller(tone(3000), clock.now());
  await clock.advance(500);
  await recorder.close();
  const user = (await read(recorder.path)).channels[0] as Int16Array;
  expect(user.filter((sample) => sample === 3000).length).toBe(5 * FRAME);
  expect(Math.abs(user.indexOf(3000) - 5 * RATE)).toBeLessThanOrEqual(FRAME);
});

test('the file of a process that dies before the end still reads', async () => {
  const recorder = createRecorder(48_000);
  for (let frame = 0; frame < 100; frame++) {
    await clock.advance(20);
    recorder.writeCaller(tone(1000, 960), clock.now());
  }
  await expect.poll(async () => (await readFile(recorder.path)).length).toBeGreaterThan(RATE * 4);
  const user = (await read(recorder.path)).channels[0] as Int16Array;
  expect(user.length).toBeGreaterThan(RATE);
  await recorder.close();
});

test('a disk that cannot be written ends the recording, not the call', async () => {
  const recorder = new Recorder({
    clock,
    path: join(folder, 'missing', 'call.wav'),
    legRateHz: RATE,
    onError: (error) => errors.push(error),
  });
  for (let frame = 0; frame < 50; frame++) {
    await clock.advance(20);
    recorder.writeCaller(tone(1000), clock.now());
  }
  expect(await recorder.close()).toBeUndefined();
  expect(errors).toHaveLength(1);
});

test('a joined recording says since when the disk has failed', async () => {
  const path = join(folder, 'call.500.part.wav');
  const joined = { path: join(folder, 'call.wav'), sampleRateHz: RATE, durationMs: 900, bytes: 99 };
  let writes = 0;
  const recorder = new Recorder({
    clock,
    path,
    legRateHz: RATE,
    onError: (error) => errors.push(error),
    earlier: { join: async () => joined, remove: async () => undefined },
    openFile: async () => ({
      async write(bytes) {
        if (++writes > 1) throw new Error('the disk is full');
        return { bytesWritten: bytes.length };
      },
      truncate: async () => undefined,
      close: async () => undefined,
    }),
  });
  for (let frame = 0; frame < 100; frame++) {
    await clock.advance(20);
    recorder.writeCaller(tone(1000), clock.now());
  }
  const info = await recorder.close();
  expect(info).toEqual({ ...joined, stoppedAt: expect.any(String) });
  expect(errors).toHaveLength(1);
});

describe('the stereo window', () => {
  test('gives back what was written, whatever the order', () => {
    const window = new StereoWindow(100);
    window.write('assistant', 30, new Int16Array(10).fill(2));
    window.write('user', 20, new Int16Array(10).fill(1));
    const out = window.take(50);
    expect(out.length).toBe(100);
    expect([...out].filter((_, i) => i % 2 === 0).indexOf(1)).toBe(20);
    expect([...out].filter((_, i) => i % 2 === 1).indexOf(2)).toBe(30);
    expect(window.take(150)).toEqual(new Int16Array(200));
  });

  test('loses and counts what lies outside', () => {
    const window = new StereoWindow(100);
    window.take(50);
    expect(window.write('user', 45, new Int16Array(10))).toBe(5);
    expect(window.write('user', 145, new Int16Array(10))).toBe(5);
  });
});

test('a process without a file of its own still joins those of earlier ones', async () => {
  const joined = { path: join(folder, 'call.wav'), sampleRateHz: RATE, durationMs: 900, bytes: 99 };
  const recorder = new Recorder({
    clock,
    path: join(folder, 'missing', 'call.500.part.wav'),
    legRateHz: RATE,
    onError: (error) => errors.push(error),
    earlier: { join: async () => joined, remove: async () => undefined },
  });
  expect(await recorder.close()).toEqual(joined);
});

describe('a recording that has to wait', () => {
  const earlier = { did: [] as string[], info: undefined as RecordingInfo | undefined };
  const held = () =>
    new Recorder({
      ...{ clock, path: join(folder, 'call.wav'), legRateHz: RATE, held: true },
      onError: (error) => errors.push(error),
      earlier: {
        async join() {
          earlier.did.push('joined');
          return earlier.info;
        },
        async remove() {
          earlier.did.push('removed');
        },
      },
    });
  const speak = async (recorder: Recorder, ms: number) => {
    for (let at = 0; at < ms; at += 20) {
      await clock.advance(20);
      recorder.writeCaller(tone(1000), clock.now());
    }
  };

  beforeEach(() => {
    earlier.did = [];
    earlier.info = undefined;
  });

  test('is silence until it begins, each word at its time', async () => {
    const recorder = held();
    await speak(recorder, 1000);
    recorder.begin();
    await speak(recorder, 1000);
    expect(await recorder.close()).toMatchObject({ durationMs: 2000 });
    const user = (await read(recorder.path)).channels[0] as Int16Array;
    expect(user.indexOf(1000)).toBe(RATE);
    expect(errors).toEqual([]);
  });

  test('leaves no file if it never begins, and what earlier processes have recorded', async () => {
    const recorder = held();
    await speak(recorder, 1000);
    earlier.info = { path: 'call.wav', sampleRateHz: RATE, durationMs: 500, bytes: 99 };
    expect(await recorder.close()).toEqual(earlier.info);
    expect(earlier.did).toEqual(['joined']);
    expect(await readdir(folder)).toEqual([]);
  });

  test('leaves nothing of earlier processes either if it is refused', async () => {
    const recorder = held();
    await speak(recorder, 1000);
    expect(await recorder.close({ untilMs: 0 })).toBeUndefined();
    expect(earlier.did).toEqual(['removed']);
    expect(await readdir(folder)).toEqual([]);
  });
});

test('a disk that hangs while recordings are joined keeps no call from its end', async () => {
  let isAborted = false;
  const recorder = new Recorder({
    ...{ clock, path: join(folder, 'call.wav'), legRateHz: RATE },
    onError: (error) => errors.push(error),
    earlier: {
      join: (signal) => {
        signal.addEventListener('abort', () => {
          isAborted = true;
        });
        joining.resolve();
        return new Promise(() => undefined);
      },
      remove: async () => undefined,
    },
  });
  const joining = Promise.withResolvers<void>();
  await clock.advance(1000);
  const closed = recorder.close();
  await joining.promise;
  await clock.advance(60_000);
  expect(await closed).toMatchObject({ durationMs: 1000 });
  expect(isAborted).toBe(true);
  expect(errors).toHaveLength(1);
});

test('a recording ends where it was told to, on the disk as well', async () => {
  const recorder = createRecorder();
  for (let frame = 0; frame < 100; frame++) {
    await clock.advance(20);
    recorder.writeCaller(tone(1000), clock.now());
  }
  const info = await recorder.close({ untilMs: 1500 });
  expect(info).toMatchObject({ durationMs: 1500, bytes: 44 + 1.5 * RATE * 4 });
  expect((await readFile(recorder.path)).length).toBe(info?.bytes);
  // Only the first call decides.
  expect(await recorder.close({ untilMs: 500 })).toEqual(info);
  expect(recorder.isOpen).toBe(false);
  recorder.writeCaller(tone(1000), clock.now());
  recorder.write(tone(1000), clock.now());
  recorder.erase(clock.now());
  expect(errors).toEqual([]);
  expect(clock.nextDueAt()).toBeUndefined();
});

test('a recording that is left to another process keeps what was sent ahead', async () => {
  const recorder = createRecorder();
  await clock.advance(500);
  recorder.write(tone(2000, (RATE * 180) / 1000), clock.now());
  await recorder.leave();
  const [, assistant] = (await read(recorder.path)).channels as [Int16Array, Int16Array];
  expect(assistant.length / RATE).toBeCloseTo(0.68, 3);
  expect(assistant.at(-1)).toBe(2000);
  // At the end of a call it is not heard any more.
  const other = new Recorder({
    ...{ clock, path: join(folder, 'other.wav'), legRateHz: RATE },
    onError: (error) => errors.push(error),
  });
  await clock.advance(500);
  other.write(tone(2000, (RATE * 180) / 1000), clock.now());
  expect(await other.close()).toMatchObject({ durationMs: 500 });
});

test('a recording that waits keeps nothing of the assistant either', async () => {
  const recorder = new Recorder({
    ...{ clock, path: join(folder, 'call.wav'), legRateHz: RATE, held: true },
    onError: (error) => errors.push(error),
  });
  await clock.advance(500);
  recorder.write(tone(2000, RATE / 10), clock.now());
  recorder.begin();
  await clock.advance(500);
  recorder.write(tone(3000, RATE / 10), clock.now());
  await clock.advance(300);
  await recorder.close();
  const [, assistant] = (await read(recorder.path)).channels as [Int16Array, Int16Array];
  expect(assistant.includes(2000)).toBe(false);
  expect(assistant.includes(3000)).toBe(true);
});

test('a disk that does not keep up ends the recording before it takes the memory', async () => {
  let writes = 0;
  const recorder = new Recorder({
    ...{ clock, path: join(folder, 'call.wav'), legRateHz: RATE },
    onError: (error) => errors.push(error),
    openFile: async () => ({
      write: () => {
        writes++;
        return new Promise(() => undefined);
      },
      truncate: async () => undefined,
      close: async () => undefined,
    }),
  });
  // 64 kB a second: 8 MiB are some 130 seconds.
  const minutes = async (count: number) => {
    for (let second = 0; second < count * 60; second++) {
      await clock.advance(1000);
      recorder.writeCaller(tone(1000, RATE), clock.now());
    }
  };
  await minutes(2);
  expect(errors).toEqual([]);
  await minutes(1);
  expect(errors).toHaveLength(1);
  expect(String(errors[0])).toContain('does not keep up');
  await minutes(1);
  expect(errors).toHaveLength(1);
  expect(writes).toBe(1);
  // And the end of the call waits for such a disk five seconds.
  const at = clock.now();
  let closedAt: number | undefined;
  void recorder.close().then(() => {
    closedAt = clock.now();
  });
  while (closedAt === undefined) await clock.advance(100);
  expect(closedAt - at).toBe(5000);
});

test('a disk that keeps up may take as much as it likes', async () => {
  const recorder = new Recorder({
    ...{ clock, path: join(folder, 'call.wav'), legRateHz: RATE },
    onError: (error) => errors.push(error),
    openFile: async () => ({
      write: async (_bytes, _offset, length) => ({ bytesWritten: length }),
      truncate: async () => undefined,
      close: async () => undefined,
    }),
  });
  for (let second = 0; second < 300; second++) {
    await clock.advance(1000);
    recorder.writeCaller(tone(1000, RATE), clock.now());
  }
  expect(errors).toEqual([]);
  expect(await recorder.close()).toMatchObject({ durationMs: 300_000 });
});
