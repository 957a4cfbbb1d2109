import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { wavHeader } from '../../src/audio/wav-header.ts';
import { Peaks } from '../../src/console/calls/peaks.ts';
import {
  instantAt,
  placeOf,
  showing,
  type TimeView,
  ticksOf,
  within,
  zoomed,
} from '../../src/console/calls/time-view.ts';
import { answerTimes, turnParts } from '../../src/console/calls/turn-parts.ts';
import { WavError, WavReader } from '../../src/console/calls/wav-reader.ts';
import fc from '../support/properties.ts';

const RATE = 8000;

/** Interleaved samples of a second: the caller in its first half, the assistant in its second. */
function second(): Int16Array<ArrayBuffer> {
  const pcm = new Int16Array(2 * RATE);
  for (let i = 0; i < RATE; i++) pcm[2 * i + (i < RATE / 2 ? 0 : 1)] = i % 2 ? 16_384 : -16_384;
  return pcm;
}

function wav(pcm: Int16Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const header = wavHeader({ sampleRateHz: RATE, channels: 2 });
  const file = new Uint8Array(header.length + pcm.byteLength);
  file.set(header);
  file.set(new Uint8Array(pcm.buffer), header.length);
  return file;
}

function read(pieces: readonly Uint8Array[]) {
  const samples: number[] = [];
  const formats: number[] = [];
  const reader = new WavReader({
    onFormat: ({ sampleRateHz }) => formats.push(sampleRateHz),
    onSamples: (pcm) => samples.push(...pcm),
  });
  for (const piece of pieces) reader.push(piece);
  return { samples, formats };
}

describe('loudness of both voices', () => {
  test('is kept for each voice at its own time', () => {
    const peaks = new Peaks(RATE);
    peaks.add(second());
    expect(peaks.toMs).toBe(1000);
    expect(peaks.loudest('user', 100, 200)).toBe(0.5);
    expect(peaks.loudest('user', 500, 1000)).toBe(0);
    expect(peaks.loudest('assistant', 0, 500)).toBe(0);
    expect(peaks.loudest('assistant', 700, 710)).toBe(0.5);
    expect(peaks.loudest('user', 5000, 6000)).toBe(0);
  });

  test('does not depend on how the audio is cut into chunks', () => {
    const pcm = second();
    const whole = new Peaks(RATE);
    whole.add(pcm);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 3000 })), (sizes) => {
        const peaks = new Peaks(RATE);
        let at = 0;
        for (const size of [...sizes, RATE]) {
          peaks.add(pcm.slice(at, at + 2 * size));
          at += 2 * size;
        }
        for (let ms = 0; ms < 1000; ms += 10) {
          expect(peaks.loudest('user', ms, ms + 10)).toBe(whole.loudest('user', ms, ms + 10));
        }
      }),
      { numRuns: 20 },
    );
  });

  test('starts where a listener joined a live call', () => {
    const peaks = new Peaks(RATE, 90_000);
    peaks.add(second());
    expect(peaks.toMs).toBe(91_000);
    expect(peaks.loudest('user', 0, 90_000)).toBe(0);
    expect(peaks.loudest('user', 90_000, 90_010)).toBe(0.5);
  });

  test('of an hour is computed at once, and the largest sample counts as 1', () => {
    const peaks = new Peaks(RATE);
    const loud = second();
    loud[0] = -32_768;
    for (let i = 0; i < 3600; i++) peaks.add(loud);
    expect(peaks.toMs).toBe(3_600_000);
    expect(peaks.loudest('user', 3_599_000, 3_599_010)).toBe(1);
  });
});

describe('a WAV file as it arrives', () => {
  test('is read in pieces of any size', () => {
    const pcm = second().slice(0, 400);
    const file = wav(pcm);
    for (const size of [1, 3, 43, 45, 4096]) {
      const pieces = [];
      for (let at = 0; at < file.length; at += size) pieces.push(file.subarray(at, at + size));
      expect(read(pieces)).toEqual({ samples: [...pcm], formats: [RATE] });
    }
  });

  test('other chunks before the audio, and bytes after it, are skipped', () => {
    const file = wav(second().slice(0, 4));
    const list = new TextEncoder().encode('LIST\x03\x00\x00\x00abc\x00');
    const samples = file.slice(36);
    new DataView(samples.buffer).setUint32(4, 8, true);
    const tail = new TextEncoder().encode('junk that is no sound');
    expect(read([file.slice(0, 36), list, samples, tail]).samples).toHaveLength(4);
  });

  test.each(['this is not a recording at all', 'RIFF\x00\x00\x00\x00WAVEdata\x00\x00\x00\x00'])(
    'refuses %j',
    (text) => {
      expect(() => read([new TextEncoder().encode(text)])).toThrow(WavError);
    },
  );

  test('refuses one channel: there are two voices', () => {
    const mono = readFileSync(new URL('../../fixtures/audio/five-five.wav', import.meta.url));
    expect(() => read([mono])).toThrow('only two channels');
  });
});

describe('the visible part of the timeline', () => {
  const view = fc
    .tuple(fc.integer({ min: 0, max: 60_000 }), fc.integer({ min: 2000, max: 60_000 }))
    .map(([fromMs, span]): TimeView => within({ fromMs, toMs: fromMs + span }, 120_000));

  test('positions and times convert both ways', () => {
    fc.assert(
      fc.property(view, fc.double({ min: 0, max: 1, noNaN: true }), (at, place) => {
        expect(placeOf(at, instantAt(at, place))).toBeCloseTo(place, 6);
      }),
    );
  });

  test('stays within the call, however it is zoomed and moved', () => {
    fc.assert(
      fc.property(
        view,
        fc.constantFrom(0.5, 2),
        fc.integer({ min: 0, max: 120_000 }),
        (at, factor, atMs) => {
          for (const { fromMs, toMs } of [
            zoomed(at, { factor, atMs, durationMs: 120_000 }),
            showing(at, atMs, 120_000),
          ]) {
            expect(fromMs).toBeGreaterThanOrEqual(0);
            expect(toMs).toBeLessThanOrEqual(120_000 + 1e-6);
          }
        },
      ),
    );
  });

  test('zooming keeps the time under the pointer in place', () => {
    const closer = zoomed(
      { fromMs: 0, toMs: 60_000 },
      { factor: 2, atMs: 15_000, durationMs: 60_000 },
    );
    expect(closer).toEqual({ fromMs: 7500, toMs: 37_500 });
    expect(zoomed(closer, { factor: 0.1, atMs: 15_000, durationMs: 60_000 })).toEqual({
      fromMs: 0,
      toMs: 60_000,
    });
  });

  test('follows what plays when it leaves, and only then', () => {
    const at = { fromMs: 10_000, toMs: 20_000 };
    expect(showing(at, 19_999, 60_000)).toBe(at);
    const next = showing(at, 20_001, 60_000);
    expect(next.fromMs).toBeCloseTo(19_001);
    expect(next.toMs - next.fromMs).toBeCloseTo(10_000);
  });

  test('marks on its axis are round and apart', () => {
    expect(ticksOf({ fromMs: 0, toMs: 10_000 }, 800)).toEqual([
      0, 1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000, 10_000,
    ]);
    expect(ticksOf({ fromMs: 61_000, toMs: 300_000 }, 300)).toEqual([
      120_000, 180_000, 240_000, 300_000,
    ]);
  });
});

describe('the stages of a response time', () => {
  test('each stage ends at its own time, in any order', () => {
    const parts = turnParts({
      turn: 2,
      endpointMs: 242,
      recogniserMs: 56,
      modelMs: 265,
      voiceMs: 300,
      totalMs: 643,
    });
    expect(parts.map(({ kind, fromMs, toMs }) => [kind, fromMs, toMs])).toEqual([
      ['recogniser', 0, 56],
      ['endpoint', 56, 242],
      ['model', 242, 265],
      ['voice', 265, 300],
      ['playout', 300, 643],
    ]);
  });

  test('stages without a length or a time are left out, and all together are the whole', () => {
    const parts = turnParts({
      turn: 1,
      endpointMs: 300,
      recogniserMs: 0,
      modelMs: 120,
      totalMs: 500,
    });
    expect(parts.map(({ kind }) => kind)).toEqual(['model', 'endpoint', 'playout']);
    expect(parts.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0)).toBe(500);
  });

  test('the median is one of the values, and turns without an answer do not count', () => {
    const turns = [700, 300, 900, 500].map((totalMs, turn) => ({ turn, totalMs }));
    expect(answerTimes([...turns, { turn: 9 }])).toEqual({ medianMs: 500, worstMs: 900 });
    expect(answerTimes([{ turn: 1 }])).toBeUndefined();
  });
});
