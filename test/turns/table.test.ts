import { expect, test } from 'vitest';
import { SAME_KNOWLEDGE } from '../bench/turns/engines.ts';
import { aheadOf, goalsOf, viewsOf } from '../bench/turns/table.ts';
import type { Done } from '../bench/turns/work.ts';

const done = (engine: string, seed: number, gapMs: number, cutIns: number): Done => ({
  work: { engine, class: 'pauses', seed, scale: 1 },
  measures: {
    counts: { 'cut-ins': cutIns, pauses: 100, turns: 50 },
    samples: { gap: [gapMs, gapMs], 'gap with cut turns': [gapMs] },
  },
  faults: [],
});

const threeSeeds = (engine: string, gapMs: number, cutIns: number) =>
  [gapMs + 300, gapMs, gapMs - 100].map((ms, i) => done(engine, i + 1, ms, cutIns));

const [[ours, peer] = ['', '']] = SAME_KNOWLEDGE;

test('a figure is the middle of the seeds, with its range', () => {
  const [plain] = viewsOf(threeSeeds(ours, 900, 2), [ours]);
  const index = plain?.view.columns.findIndex(({ name }) => name === 'gap p50') ?? -1;
  expect(plain?.rows[0]?.[1][index]).toEqual({ low: 0.8, mid: 0.9, high: 1.2 });
});

test('goals are judged by the middle seed', () => {
  const goals = goalsOf(viewsOf(threeSeeds(ours, 900, 3), [ours]));
  const of = (column: string) => goals.find((goal) => goal.column === column)?.met;
  expect(of('gap p50')).toBe(true);
  expect(of('cut-ins / pause')).toBe(false);
});

test('ahead is ahead in both gaps and in cut-ins', () => {
  const against = (theirs: readonly Done[]) =>
    aheadOf(viewsOf([...threeSeeds(ours, 900, 2), ...theirs], [ours, peer])).find((line) =>
      line.includes(peer),
    );
  expect(against(threeSeeds(peer, 1000, 3))).toContain('ahead in all three');
  expect(against(threeSeeds(peer, 1000, 2))).toContain('behind in cut-ins / pause');
});
