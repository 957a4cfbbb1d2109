import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseWav } from '../../src/audio/parse-wav.ts';
import { wavHeader } from '../../src/audio/wav-header.ts';
import { earlierRecordings } from '../../src/calls/earlier-recordings.ts';
import { callSnapshot } from '../support/call-snapshot.ts';
import { clearFiles } from '../support/clear-files.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-earlier-'));
});
afterEach(() => rm(folder, { recursive: true }));

const RATE_HZ = 8000;
const call = { id: 'WC-1', teamId: 'team', epoch: 2, snapshot: callSnapshot };
const earlier = () => earlierRecordings({ recordingsDir: folder, callFiles: clearFiles }, call);
const { signal } = new AbortController();
const sound = Buffer.from(new Int16Array(2 * RATE_HZ).fill(11).buffer);

test.each([
  ['that was killed', {}],
  ['that had ended its recording', { dataBytes: sound.length }],
])(
  'a recording of a process %s is that of the call if the next one records nothing',
  async (_how, length) => {
    const path = join(folder, 'WC-1.wav');
    const header = wavHeader({ sampleRateHz: RATE_HZ, channels: 2, ...length });
    await writeFile(path, Buffer.concat([header, sound]));
    expect(await earlier().join(signal)).toEqual({
      ...{ path, sampleRateHz: RATE_HZ, durationMs: 1000, bytes: 44 + sound.length },
    });
    const { channels } = parseWav(new Uint8Array(await readFile(path)));
    expect(channels[0]).toHaveLength(RATE_HZ);
    expect(await readdir(folder)).toEqual(['WC-1.wav']);
  },
);

test('a sealed original beside no recording is not kept', async () => {
  await writeFile(join(folder, 'WC-1.wav.sealed'), 'sealed');
  await writeFile(join(folder, 'WC-2.wav.sealed'), 'sealed');
  expect(await earlier().join(signal)).toBeUndefined();
  expect(await readdir(folder)).toEqual(['WC-2.wav.sealed']);
});

test('what was refused goes, with every part', async () => {
  for (const name of ['WC-1.wav', 'WC-1.400.part.wav', 'WC-1.wav.sealed', 'WC-2.wav'])
    await writeFile(join(folder, name), 'sound');
  await earlier().remove();
  expect(await readdir(folder)).toEqual(['WC-2.wav']);
});
