import { expect, test } from 'vitest';
import { Probation, probationDefaults } from '../../src/calls/probation.ts';

const { brokenInARow, firstPauseMs, longestPauseMs, forgottenMs } = probationDefaults;

function probation() {
  let nowMs = 1_000_000;
  const of = new Probation(() => nowMs);
  const breaks = (times: number, party = 'a') => {
    for (let i = 0; i < times; i++) of.broke(party);
  };
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { of, breaks, pass };
}

test('broken calls in a row are let pass up to a number, then each pause is twice the last, to an end', () => {
  const { of, breaks } = probation();
  breaks(brokenInARow);
  expect(of.waitMs('a')).toBe(0);
  const pauses = Array.from({ length: 8 }, () => {
    breaks(1);
    return of.waitMs('a');
  });
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  breaks(5000);
  expect(of.waitMs('a')).toBe(longestPauseMs);
  expect(of.waitMs('b')).toBe(0);
});

test('an orderly call ends the pauses', () => {
  const { of, breaks } = probation();
  breaks(20);
  of.kept('a');
  expect(of.waitMs('a')).toBe(0);
  breaks(brokenInARow);
  expect(of.waitMs('a')).toBe(0);
});

test('on probation one call may begin in each pause, so that many cannot wait for its end and begin together', () => {
  const { of, breaks, pass } = probation();
  breaks(brokenInARow + 1);
  pass(firstPauseMs);
  expect(of.waitMs('a')).toBe(0);
  of.began('a');
  expect(of.waitMs('a')).toBe(firstPauseMs);
});

test('whoever is not on probation begins as many calls at once as it likes', () => {
  const { of, breaks } = probation();
  of.began('a');
  breaks(brokenInARow);
  of.began('a');
  expect(of.waitMs('a')).toBe(0);
});

test('broken calls of long ago are forgotten', () => {
  const { of, breaks, pass } = probation();
  breaks(20);
  pass(forgottenMs);
  of.began('a');
  expect(of.waitMs('a')).toBe(0);
  breaks(1);
  expect(of.waitMs('a')).toBe(0);
});
