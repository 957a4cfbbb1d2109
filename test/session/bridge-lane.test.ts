import { describe, expect, test } from 'vitest';
import { dtmfTone } from '../../src/audio/dtmf-tones.ts';
import { BridgeLane } from '../../src/session/operator/bridge-lane.ts';
import { Ticker } from '../../src/session/ticker.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { MemoryLeg } from '../support/memory-leg.ts';

const BEGIN = 1_700_000_000_000;

function lane(fromHz: number, toHz: number) {
  const clock = new ManualClock(BEGIN);
  const to = new MemoryLeg({ clock, sampleRateHz: toHz });
  const ticker = new Ticker(clock);
  const heard: { readonly pcm: Int16Array; readonly atMs: number }[] = [];
  const tap = (pcm: Int16Array, atMs: number) => void heard.push({ pcm, atMs: atMs - BEGIN });
  const made = new BridgeLane({ clock, ticker, fromHz, to, tap });
  const hear = (ms: number) => made.write(new Int16Array((fromHz * ms) / 1000).fill(3000));
  const sentMs = () => to.sent.reduce((sum, { pcm }) => sum + (pcm.length * 1000) / toHz, 0);
  return { clock, to, ticker, made, hear, sentMs, heard };
}

describe('a lane of a bridge', () => {
  test.each([
    [8000, 48_000],
    [48_000, 8000],
    [16_000, 8000],
    [8000, 8000],
  ])('[X5] %i Hz to %i Hz: in whole frames, soon, and without loss', async (fromHz, toHz) => {
    const { clock, to, made, hear, sentMs } = lane(fromHz, toHz);
    for (let ms = 0; ms < 2000; ms += 20) {
      await clock.advance(20);
      hear(20);
    }
    expect(to.sent.every(({ pcm }) => pcm.length === toHz / 50)).toBe(true);
    expect(sentMs()).toBeGreaterThan(1920);
    expect(Math.abs((to.sent.at(-1)?.pcm[5] ?? 0) - 3000)).toBeLessThan(60);
    expect(made.droppedMs).toBe(0);
    made.close();
  });

  test('late frames that come in a burst are at most 200 ms ahead; the oldest are given up', async () => {
    const { clock, to, made, hear } = lane(8000, 16_000);
    hear(20);
    hear(20);
    await clock.advance(1000);
    for (let i = 0; i < 50; i++) hear(20);
    expect(to.maxLeadMs).toBeLessThanOrEqual(200);
    expect(made.droppedMs).toBeGreaterThan(700);
    const before = to.sent.length;
    await clock.advance(500);
    // What was kept of the burst is not more than 200 ms either.
    expect((to.sent.length - before) * 20).toBeLessThanOrEqual(200);
    made.close();
  });

  test('[X5] a key takes the place of as much speech, and leaves nothing later than it was', async () => {
    const { clock, to, made, hear } = lane(8000, 8000);
    for (let ms = 0; ms < 2000; ms += 20) {
      await clock.advance(20);
      if (ms === 400) made.press('5#');
      hear(20);
    }
    const sent = Int16Array.from(to.sent.flatMap(({ pcm }) => [...pcm]));
    const speech = sent.filter((sample) => sample === 3000).length / 8;
    // Two keys of 100 ms with their pauses.
    expect(sent.length / 8 - speech).toBeCloseTo(400, -1);
    const five = dtmfTone('5', 8000).subarray(0, 800);
    const at = sent.findIndex((_, i) => five.every((sample, j) => sent[i + j] === sample));
    expect(at).toBeGreaterThan(0);
    expect(to.maxLeadMs).toBeLessThanOrEqual(100);
    made.close();
  });

  test('one that ran dry collects two frames again before it sends', async () => {
    const { clock, made, hear, sentMs } = lane(8000, 8000);
    hear(20);
    expect(sentMs()).toBe(0);
    hear(20);
    await clock.advance(1000);
    expect(sentMs()).toBe(40);
    hear(20);
    await clock.advance(20);
    expect(sentMs()).toBe(40);
    hear(20);
    expect(sentMs()).toBe(80);
    made.close();
  });

  test('closed, it lets go of the beat', () => {
    const { made, ticker } = lane(8000, 8000);
    expect(ticker.size).toBe(1);
    made.close();
    expect(ticker.size).toBe(0);
  });

  test('closed, it has given back its resampler', () => {
    const { made, hear } = lane(8000, 16_000);
    made.close();
    expect(() => hear(20)).toThrow('the resampler is closed');
  });

  test('a burst waits if it is no longer than 140 ms; of a longer one the newest 60 ms are kept', () => {
    const { made, hear, sentMs } = lane(8000, 8000);
    // Three frames are sent at once, the others wait.
    for (let i = 0; i < 3; i++) hear(20);
    expect(sentMs()).toBe(60);
    for (let i = 0; i < 7; i++) hear(20);
    expect(made.droppedMs).toBe(0);
    hear(20);
    expect(made.droppedMs).toBe(100);
    expect(sentMs()).toBe(60);
    made.close();
  });

  test('what is heard is what was sent, one frame after the other, and after a gap from the beginning', async () => {
    const { clock, to, made, hear, heard } = lane(8000, 8000);
    for (let i = 0; i < 3; i++) hear(20);
    await clock.advance(1000);
    for (let i = 0; i < 2; i++) hear(20);
    expect(heard.map(({ pcm }) => pcm)).toEqual(to.sent.map(({ pcm }) => pcm));
    expect(heard.map(({ atMs }) => atMs)).toEqual([0, 20, 40, 1000, 1020]);
    made.close();
  });

  test('its last frame having been heard, it has run dry', async () => {
    const { clock, made, hear, sentMs } = lane(8000, 8000);
    hear(40);
    await clock.advance(40);
    hear(20);
    expect(sentMs()).toBe(40);
    made.close();
  });

  test('its last frame still sounding, it sends the next one as it comes', async () => {
    const { clock, made, hear, sentMs } = lane(8000, 8000);
    hear(40);
    await clock.advance(39);
    hear(20);
    expect(sentMs()).toBe(60);
    made.close();
  });

  test('who speaks may use the same array again', async () => {
    const { clock, to, made } = lane(8000, 8000);
    const pcm = new Int16Array(160);
    for (const level of [1, 2, 3]) {
      made.write(pcm.fill(level));
      await clock.advance(0);
    }
    expect(to.sent.map(({ pcm: [first] }) => first)).toEqual([1, 2, 3]);
    made.close();
  });

  test('what comes in pieces of any length goes on sample by sample', async () => {
    const { clock, to, made } = lane(8000, 8000);
    let next = 0;
    for (const samples of [500, 100, 37, 300, 23]) {
      made.write(Int16Array.from({ length: samples }, () => next++));
      await clock.advance(20);
    }
    await clock.advance(100);
    const sent = to.sent.flatMap(({ pcm }) => [...pcm]);
    expect(sent).toEqual(Array.from({ length: 960 }, (_, i) => i));
    made.close();
  });

  test.each([
    ['12', 2],
    ['1'.repeat(32), 32],
    ['1'.repeat(40), 32],
  ])('[X5] of the keys %s as many as 32 sound, one after the other', async (keys, sounding) => {
    const { clock, to, made, hear } = lane(8000, 8000);
    made.press(keys);
    made.press(keys.slice(0, keys.length - sounding));
    for (let ms = 0; ms < 7000; ms += 20) {
      hear(20);
      await clock.advance(20);
    }
    const isSpeech = to.sent.map(({ pcm }) => pcm.every((sample) => sample === 3000));
    // Each takes 200 ms with its pause.
    expect(isSpeech.indexOf(true)).toBe(sounding * 10);
    expect(isSpeech.lastIndexOf(false)).toBe(sounding * 10 - 1);
    made.close();
  });
});
