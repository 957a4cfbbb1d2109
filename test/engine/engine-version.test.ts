import { describe, expect, test } from 'vitest';
import { ENGINE_VERSION } from '../../src/engine/machine/call.ts';
import { findDifferences, replayJournal } from '../../src/engine/machine/replay.ts';
import { readJournals, readMoreJournals } from '../support/journal-fixtures.ts';

describe('ENGINE_VERSION', () => {
  const all = [...readJournals(), ...readMoreJournals()];

  test.each(all)('stands for the same commands in %s', (_name, lines) => {
    const replay = replayJournal(lines);
    expect(replay.recordedVersion, 'the version was raised: run `npm run journals`').toBe(
      ENGINE_VERSION,
    );
    expect(
      findDifferences(replay, 3),
      'the same events lead to other commands: raise ENGINE_VERSION, or keep the behaviour',
    ).toEqual([]);
  });

  test('is guarded by calls of every way to end', () => {
    const ends = readJournals().map(
      ([, lines]) => lines.findLast(({ type }) => type === 'finish')?.data.endReason,
    );
    expect(new Set(ends).size).toBeGreaterThanOrEqual(15);
  });
});
