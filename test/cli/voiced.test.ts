import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { downmix } from '../../src/audio/downmix.ts';
import { parseWav } from '../../src/audio/parse-wav.ts';
import { audibleFromMs, voicedSpan } from '../../src/testing/spoken/voiced.ts';

const AUDIO = join(import.meta.dirname, '../../fixtures/audio');

interface Recording {
  readonly file: string;
  readonly speechStartMs: number;
  readonly speechEndMs: number;
}

const recordings: Recording[] = JSON.parse(
  readFileSync(join(AUDIO, 'recordings.json'), 'utf8'),
) as Recording[];

function tone(ms: number, amplitude: number): Int16Array {
  return Int16Array.from({ length: ms * 16 }, (_, i) => Math.round(amplitude * Math.sin(i / 3)));
}

describe('where speech ends', () => {
  test.each(recordings)('$file as its annotation says', ({ file, speechEndMs }) => {
    const wav = parseWav(readFileSync(join(AUDIO, file)));
    const span = voicedSpan(downmix(wav.channels), wav.sampleRateHz);
    expect(Math.abs((span?.toMs ?? 0) - speechEndMs)).toBeLessThanOrEqual(200);
  });

  test('a tone between silences, to within a window', () => {
    const pcm = new Int16Array(16_000);
    pcm.set(tone(500, 8000), 4000);
    expect(voicedSpan(pcm, 16_000)).toEqual({ fromMs: 250, toMs: 760 });
  });

  test('a click after the words does not count', () => {
    const pcm = new Int16Array(16_000);
    pcm.set(tone(500, 8000), 0);
    pcm.set(tone(20, 8000), 14_000);
    expect(voicedSpan(pcm, 16_000)?.toMs).toBe(510);
  });

  test('silence holds none', () => {
    expect(voicedSpan(new Int16Array(16_000), 16_000)).toBeUndefined();
    expect(voicedSpan(new Int16Array(0), 16_000)).toBeUndefined();
  });
});

test('a recording is audible from its first sound on, background noise included', () => {
  const pcm = new Int16Array(16_000);
  pcm.set(tone(700, 300), 1600);
  pcm.set(tone(300, 8000), 9600);
  expect(audibleFromMs(pcm, 16_000)).toBe(100);
  expect(audibleFromMs(new Int16Array(1600), 16_000)).toBe(0);
});
