import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WAV_HEADER_BYTES, wavHeader } from '../../src/audio/wav-header.ts';
import { SealedRecording } from '../../src/session/record/sealed-recording.ts';

const RATE = 16_000;
const key = new Uint8Array(32).fill(7);
const sound = { by: 'tone', parts: () => [], key } as const;

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-sealed-'));
});

afterEach(() => rm(folder, { recursive: true }));

/** Writes these bytes behind a header in pieces of this length. */
async function write(recording: SealedRecording, data: Uint8Array, pieceBytes: number) {
  const file = await recording.openFile();
  const header = wavHeader({ sampleRateHz: RATE, channels: 2 });
  await file.write(header, 0, header.length, 0);
  for (let at = 0; at < data.length; at += pieceBytes) {
    const length = Math.min(pieceBytes, data.length - at);
    await file.write(data, at, length, WAV_HEADER_BYTES + at);
  }
  await file.close();
}

const noise = (bytes: number) => Uint8Array.from({ length: bytes }, (_, i) => (i * 7919) % 251);
const infoOf = (path: string, dataBytes: number) => ({
  ...{ path, sampleRateHz: RATE, durationMs: dataBytes / 64, bytes: WAV_HEADER_BYTES + dataBytes },
});
const running = () => new AbortController().signal;

test.each([[16], [1001], [65_536], [70_001]])(
  'what was written in pieces of %d bytes is read as it was, and the header tells its length',
  async (pieceBytes) => {
    const path = join(folder, 'call.wav');
    const recording = new SealedRecording(path, sound);
    const data = noise(200_000);
    await write(recording, data, pieceBytes);
    await recording.finish(infoOf(path, data.length), running());
    const written = await readFile(path);
    expect(written.readUInt32LE(40)).toBe(data.length);
    expect(Buffer.compare(written.subarray(WAV_HEADER_BYTES), data)).toBe(0);
  },
);

test('what was written after the end of the recording is not in it', async () => {
  const path = join(folder, 'call.wav');
  const recording = new SealedRecording(path, sound);
  await write(recording, noise(140_000), 4000);
  await recording.finish(infoOf(path, 100_000), running());
  expect((await readFile(path)).length).toBe(WAV_HEADER_BYTES + 100_000);
});

test('recordings of one key look different though the same was said', async () => {
  const sealed: Buffer[] = [];
  for (const name of ['one.wav', 'two.wav']) {
    await write(new SealedRecording(join(folder, name), sound), noise(1000), 1000);
    sealed.push(await readFile(join(folder, `${name}.sealed`)));
  }
  const same = sealed[0]?.filter((byte, i) => byte === sealed[1]?.[i]).length ?? 0;
  expect(same).toBeLessThan(30);
});

test('a recording that could not be written out says why, and leaves only what is sealed', async () => {
  const path = join(folder, 'call.wav');
  const full = new SealedRecording(path, sound, async () => {
    throw new Error('the disk is full');
  });
  await write(full, noise(1000), 1000);
  await expect(full.finish(infoOf(path, 1000), running())).rejects.toThrow('the disk is full');
  const late = AbortSignal.abort(new Error('too late'));
  const own = new SealedRecording(path, sound);
  await expect(own.finish(infoOf(path, 1000), late)).rejects.toThrow('too late');
  expect(await readdir(folder)).toEqual(['call.wav.sealed']);
});
