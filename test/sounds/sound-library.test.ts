import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { rmsDb } from '../../src/audio/level.ts';
import { bytesFromPcm16 } from '../../src/audio/pcm16.ts';
import { LOOP_RMS_DB } from '../../src/audio/sound-loop.ts';
import { wavHeader } from '../../src/audio/wav-header.ts';
import { createGuardedFetch } from '../../src/lib/guarded-fetch.ts';
import { systemClock } from '../../src/lib/system-clock.ts';
import { SoundLibrary } from '../../src/sounds/sound-library.ts';
import { type LocalServer, startLocalServer } from '../support/local-server.ts';
import { ManualClock } from '../support/manual-clock.ts';

const RATE = 16_000;
const clock = new ManualClock(1000);
const open: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

function wav(seconds: number): Uint8Array {
  const tone = Int16Array.from({ length: seconds * RATE }, (_, i) => 3000 * Math.sin(i / 8));
  const data = bytesFromPcm16(tone);
  return Buffer.concat([
    wavHeader({ sampleRateHz: RATE, channels: 1, dataBytes: data.length }),
    data,
  ]);
}

function libraryOf({ allowPrivate = true } = {}) {
  const warnings: { sound?: string; err?: Error }[] = [];
  const guarded = createGuardedFetch({
    allowPrivate,
    clock: systemClock,
  });
  const quiet = () => undefined;
  const sounds = new SoundLibrary({
    fetch: guarded.fetch,
    clock,
    log: {
      debug: quiet,
      info: quiet,
      warn: (fields) => void warnings.push(fields as (typeof warnings)[number]),
      error: quiet,
    },
  });
  open.push(
    () => guarded.close(),
    () => sounds.close(),
  );
  return { sounds, warnings };
}

async function serve(files: Record<string, Uint8Array | 'redirect'>): Promise<LocalServer> {
  const server = await startLocalServer((request, response) => {
    asked.push(request.url ?? '');
    const file = files[request.url ?? ''];
    if (file === 'redirect') response.writeHead(302, { location: '/tone.wav' }).end();
    else if (file) response.end(file);
    else response.writeHead(404).end();
  });
  open.push(async () => server[Symbol.asyncDispose]());
  return server;
}

const asked: string[] = [];

describe('user sounds', () => {
  test('are fetched once for any number of calls, normalised, at the requested sample rate', async () => {
    asked.length = 0;
    const { url } = await serve({ '/tone.wav': wav(2) });
    const { sounds, warnings } = libraryOf();
    const [first, second] = await Promise.all([
      sounds.fromUrl(`${url}/tone.wav`, 8000),
      sounds.fromUrl(`${url}/tone.wav`, 8000),
    ]);
    expect(first).toBe(second);
    expect(await sounds.fromUrl(`${url}/tone.wav`, 8000)).toBe(first);
    expect(asked).toEqual(['/tone.wav']);
    expect(first?.sampleRateHz).toBe(8000);
    expect((first?.pcm.length ?? 0) / 8000).toBeCloseTo(1.94, 2);
    expect(rmsDb(first?.pcm as Int16Array)).toBeCloseTo(LOOP_RMS_DB, 0);
    expect(warnings).toEqual([]);
  });

  test.each(['mp3', 'ogg', 'opus'])('may be %s: a tone of 440 Hz is that tone', async (type) => {
    const path = resolve(import.meta.dirname, `../../fixtures/audio/formats/tone.${type}`);
    const { url } = await serve({ '/tone': await readFile(path) });
    const { sounds, warnings } = libraryOf();
    const loop = await sounds.fromUrl(`${url}/tone`, 8000);
    expect(warnings).toEqual([]);
    const pcm = loop?.pcm as Int16Array;
    expect(pcm.length / 8000).toBeGreaterThan(0.8);
    const crossings = pcm.filter((sample, i) => i > 0 && sample >= 0 && (pcm[i - 1] ?? 0) < 0);
    expect(Math.abs(crossings.length / (pcm.length / 8000) - 440)).toBeLessThan(5);
  });

  test.each([
    [
      'an Ogg file of another codec',
      Buffer.from(`OggS${'\0'.repeat(24)}\x80theora`),
      /neither Vorbis nor Opus/,
    ],
    [
      'what only begins like an Ogg Opus file',
      Buffer.from(`OggS${'\0'.repeat(24)}OpusHead`),
      /no sound that can be decoded/,
    ],
    [
      'what only begins like an Ogg Vorbis file',
      Buffer.from(`OggS${'\0'.repeat(24)}\x01vorbis${'\0'.repeat(40)}`),
      /Vorbis/,
    ],
    [
      'what only begins like an MP3',
      Buffer.from([0xff, 0xfb, ...Array(400).fill(7)]),
      /no sound that can be decoded/,
    ],
    ['a page', Buffer.from('<!doctype html>'), /no WAV, MP3, Ogg Vorbis or Ogg Opus/],
  ])('%s is not played, and the log says why', async (_, file, why) => {
    const { url } = await serve({ '/file': file });
    const { sounds, warnings } = libraryOf();
    expect(await sounds.fromUrl(`${url}/file`, 8000)).toBeUndefined();
    expect(warnings[0]?.err?.message).toMatch(why);
  });

  test('are two minutes long at the most', async () => {
    const { url } = await serve({ '/long.wav': wav(150) });
    const { sounds } = libraryOf();
    const loop = await sounds.fromUrl(`${url}/long.wav`, 8000);
    expect((loop?.pcm.length ?? 0) / 8000).toBeCloseTo(120, 0);
  });

  test('may be behind a redirect', async () => {
    const { url } = await serve({ '/moved': 'redirect', '/tone.wav': wav(1) });
    expect(await libraryOf().sounds.fromUrl(`${url}/moved`, 8000)).toBeDefined();
  });

  test.each([
    [
      'that hold no sound',
      { '/x': Buffer.from('ID3 and so on, an MP3 perhaps') },
      'no sound that can be decoded',
    ],
    ['that are not there', {}, '404'],
    ['larger than 10 MiB', { '/x': new Uint8Array(11 << 20) }, 'more than'],
    [
      'that are silent',
      { '/x': Buffer.concat([wav(1).subarray(0, 44), new Uint8Array(32_000)]) },
      'silent',
    ],
  ])('%s are logged once, and asked for again after a minute', async (_, files, why) => {
    asked.length = 0;
    const { url } = await serve(files as Record<string, Uint8Array>);
    const { sounds, warnings } = libraryOf();
    for (let i = 0; i < 3; i++) expect(await sounds.fromUrl(`${url}/x`, 8000)).toBeUndefined();
    expect(warnings).toHaveLength(1);
    expect(warnings[0]?.sound).toBe(`${url}/x`);
    expect(warnings[0]?.err?.message).toContain(why);
    expect(asked).toHaveLength(1);
    await clock.advance(60_001);
    await sounds.fromUrl(`${url}/x`, 8000);
    expect(asked).toHaveLength(2);
  });

  test('at private addresses are refused unless allowed', async () => {
    asked.length = 0;
    const { url } = await serve({ '/tone.wav': wav(1) });
    const { sounds, warnings } = libraryOf({ allowPrivate: false });
    expect(await sounds.fromUrl(`${url}/tone.wav`, 8000)).toBeUndefined();
    expect(warnings).toHaveLength(1);
    expect(asked).toEqual([]);
  });

  test('are dropped, least recently used first, when there are many', async () => {
    asked.length = 0;
    const names = Array.from({ length: 13 }, (_, i) => `/${i}.wav`);
    const { url } = await serve(Object.fromEntries(names.map((name) => [name, wav(1)])));
    const { sounds } = libraryOf();
    for (const name of names) await sounds.fromUrl(url + name, 8000);
    await sounds.fromUrl(`${url}/12.wav`, 8000);
    expect(asked).toHaveLength(13);
    await sounds.fromUrl(`${url}/0.wav`, 8000);
    expect(asked).toHaveLength(14);
  });
});

test('the built-in ones are made once per sample rate', async () => {
  const { sounds } = libraryOf();
  const [room, again, music] = await Promise.all([
    sounds.ambience(8000),
    sounds.ambience(8000),
    sounds.holdMusic(24_000),
  ]);
  expect(room).toBe(again);
  expect(room?.sampleRateHz).toBe(8000);
  expect(music?.sampleRateHz).toBe(24_000);
});

test('a library that was closed loads nothing more', async () => {
  const { sounds, warnings } = libraryOf();
  sounds.close();
  expect(await sounds.ambience(8000)).toBeUndefined();
  expect(warnings).toEqual([]);
});
