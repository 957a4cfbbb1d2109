import { expect, test } from 'vitest';
import { createEnergyJudge } from '../../src/audio/energy-judge.ts';

const FRAME = 160;

function noise(level: number, seed: number): Int16Array {
  let state = seed;
  return Int16Array.from({ length: FRAME }, () => {
    state = (state * 1103515245 + 12345) & 0x7fffffff;
    return Math.round(((state / 0x7fffffff) * 2 - 1) * level);
  });
}

function tone(hz: number, level: number): Int16Array {
  return Int16Array.from({ length: FRAME }, (_, i) =>
    Math.round(level * Math.sin((2 * Math.PI * hz * i) / 8000)),
  );
}

test('steady noise of any loudness is not speech, a sound 20 dB above it is', () => {
  for (const level of [20, 200, 1500]) {
    const { judge } = createEnergyJudge(8000);
    for (let i = 0; i < 150; i++) judge(noise(level, i));
    expect(judge(noise(level, 1000))).toBeLessThan(0.2);
    expect(judge(tone(400, Math.max(300, level * 10)))).toBeGreaterThan(0.9);
  }
});

test('noise that becomes louder is taken for speech for 2.4 s at most', () => {
  const { judge } = createEnergyJudge(8000);
  for (let i = 0; i < 100; i++) judge(noise(30, i));
  expect(judge(noise(600, 5))).toBeGreaterThan(0.5);
  for (let i = 0; i < 2600 / 20; i++) judge(noise(600, i));
  expect(judge(noise(600, 7))).toBeLessThan(0.2);
});

test('the level for a probability gives that probability', () => {
  const judge = createEnergyJudge(8000);
  for (let i = 0; i < 150; i++) judge.judge(noise(60, i));
  const levelDb = judge.levelDbFor(0.3);
  // A sine's level lies 3 dB below its peak.
  const at = (db: number) => tone(1000, 32768 * Math.SQRT2 * 10 ** (db / 20));
  judge.judge(at(levelDb));
  expect(judge.judge(at(levelDb))).toBeCloseTo(0.3, 1);
  expect(judge.levelDbFor(0.5)).toBeGreaterThan(levelDb);
});

test('rumble below the voice is not speech', () => {
  const { judge } = createEnergyJudge(8000);
  for (let i = 0; i < 50; i++) judge(noise(30, i));
  expect(judge(tone(50, 150))).toBeLessThan(0.5);
  expect(judge(tone(300, 150))).toBeGreaterThan(0.9);
});

test('a line that begins after nothing was sent is not speech, however noisy', () => {
  for (const level of [10, 100, 400]) {
    const energy = createEnergyJudge(8000);
    for (let i = 0; i < 200; i++) energy.judge(new Int16Array(FRAME));
    const judged = Array.from({ length: 20 }, (_, i) => energy.judge(noise(level, i)));
    expect(Math.max(...judged)).toBeLessThan(0.5);
    expect(energy.judge(tone(400, Math.max(300, level * 10)))).toBeGreaterThan(0.9);
  }
});

test('speech that begins at once after nothing was sent is speech', () => {
  const energy = createEnergyJudge(8000);
  for (let i = 0; i < 200; i++) energy.judge(new Int16Array(FRAME));
  for (let i = 0; i < 50; i++) expect(energy.judge(tone(300, 8000))).toBeGreaterThan(0.9);
});
