import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { noteTurns, threadCpuMs } from '../calls/loop-turns.ts';
import { arrivalsOf, type Recording, readRecordings, writeRecordings } from './recording.ts';

test('work comes when a turn begins; in the middle of the turn before if there was no pause', () => {
  const arrivals = arrivalsOf({
    endedAt: Float64Array.of(1004, 1010, 1050),
    activeMs: Float64Array.of(4, 6, 10),
    collections: [
      { endedAt: 1008, ms: 1.5 },
      // One of a turn that was not noted.
      { endedAt: 1030, ms: 5 },
      { endedAt: 1049, ms: 3 },
    ],
  });
  expect(arrivals).toEqual({ workAt: [0, 2, 40], workMs: [4, 4.5, 7] });
});

test('turns of a loop are noted with what each of them took', async () => {
  const stop = noteTurns();
  await new Promise((done) => setTimeout(done, 20));
  const from = threadCpuMs();
  while (threadCpuMs() - from < 15);
  await new Promise((done) => setTimeout(done, 20));
  const { endedAt, activeMs } = stop();
  expect(endedAt).toHaveLength(activeMs.length);
  const active = activeMs.reduce((sum, ms) => sum + ms, 0);
  expect(active).toBeGreaterThan(14);
  // What it slept is not among it.
  const span = (endedAt.at(-1) ?? 0) - (endedAt[0] ?? 0);
  expect(active).toBeLessThan(span);
});

test('a recording is read as it was written, to a microsecond', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-recording-'));
  const file = join(folder, 'recordings.gz');
  const tail = { p50: 1, p99: 2, p999: 3 };
  const recording: Recording = {
    ...{ calls: 50, seconds: 40, workAt: [0, 1.5, 7.25], workMs: [1.25, 0.001, 3] },
    ...{ collectionsMs: [4.5], helpersMsPerCallSecond: 1.1, databaseMsPerCallSecond: 0.3 },
    ...{
      threadCpuMsPerCallSecond: 4,
      startMs: 9,
      measured: { replies: 3, replyMs: tail, replyOwnMs: tail },
    },
  };
  try {
    await writeRecordings(file, [recording]);
    expect(await readRecordings(file)).toEqual([recording]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
