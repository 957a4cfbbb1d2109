import { describe, expect, test } from 'vitest';
import { HeldAudio } from '../../src/web-client/held-audio.ts';
import fc from '../support/properties.ts';

const RATE = 8000;
const FRAME_MS = 20;

/** 20 ms whose samples say which of the call's they are. */
function frame(index: number): ArrayBuffer {
  const samples = (RATE * FRAME_MS) / 1000;
  return Int16Array.from({ length: samples }, (_, i) => (index * samples + i) % 30_000).buffer;
}

const samplesOf = (frames: readonly ArrayBuffer[]) =>
  frames.flatMap((each) => [...new Int16Array(each)]);

function held(frames: number, maxMs = 10_000): HeldAudio {
  const audio = new HeldAudio(RATE, maxMs);
  for (let i = 0; i < frames; i++) audio.push(frame(i));
  return audio;
}

describe('audio held while the connection is down', () => {
  test('is what the service does not have yet, sent at once', () => {
    const sent = held(100).resume(1500);
    expect(sent).toHaveLength(1);
    expect(samplesOf(sent)[0]).toBe((1500 * RATE) / 1000);
    expect(samplesOf(sent)).toHaveLength((500 * RATE) / 1000);
  });

  test('is nothing if the service has all of it, or claims to have more', () => {
    expect(held(100).resume(2000)).toEqual([]);
    expect(held(100).resume(9000)).toEqual([]);
  });

  test('is cut into frames the service takes', () => {
    const sent = held(500).resume(0);
    expect(sent.length).toBeGreaterThan(1);
    for (const { byteLength } of sent) {
      expect(byteLength).toBeLessThanOrEqual(65_536);
      expect(byteLength % 2).toBe(0);
    }
    expect(samplesOf(sent)).toHaveLength(10 * RATE);
  });

  test('is the newest part if the outage was longer than the buffer, and positions continue from there', () => {
    const audio = held(1000, 4000);
    // 20 s were spoken, 10 s of them arrived, 4 s are still held.
    expect(samplesOf(audio.resume(10_000))).toHaveLength(4 * RATE);
    audio.push(frame(1000));
    audio.push(frame(1001));
    // The service has 14 s and one frame now, and lacks the other.
    expect(samplesOf(audio.resume(14_020))).toEqual(samplesOf([frame(1001)]));
  });

  test('arrives whole and once, wherever the connection breaks and however often', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(60), fc.nat(100)), { maxLength: 8 }), (breaks) => {
        const audio = new HeldAudio(RATE, 10_000);
        const received: number[] = [];
        let next = 0;
        for (const [frames, sharePercent] of breaks) {
          const sent = Array.from({ length: frames }, () => frame(next++));
          for (const each of sent) audio.push(each);
          // Some of what was sent got lost with the connection.
          const samples = samplesOf(sent);
          received.push(...samples.slice(0, Math.floor((samples.length * sharePercent) / 100)));
          received.push(...samplesOf(audio.resume((received.length * 1000) / RATE)));
        }
        expect(received).toEqual(samplesOf(Array.from({ length: next }, (_, i) => frame(i))));
      }),
    );
  });
});
