import { expect, test } from 'vitest';
import { MARK_EVERY_MS, MarkTracker } from '../../src/session/outbound/mark-tracker.ts';

test('a mark is due at once in a new utterance, and then about every word', () => {
  const marks = new MarkTracker();
  expect(marks.due(1, 0)).toBe(true);
  marks.add(1, 0, false);
  expect(marks.due(1, MARK_EVERY_MS - 1)).toBe(false);
  expect(marks.due(1, MARK_EVERY_MS)).toBe(true);
  expect(marks.due(2, 0)).toBe(true);
});

test('a mark is answered once, and not after the far end has dropped its audio', () => {
  const marks = new MarkTracker();
  const first = marks.add(1, 0, false);
  const second = marks.add(1, 400, true);
  expect(marks.reached(first)).toEqual({ uttId: 1, playedMs: 0, end: false });
  expect(marks.reached(first)).toBeUndefined();
  marks.reset();
  expect(marks.reached(second)).toBeUndefined();
  expect(marks.due(1, 400)).toBe(true);
});

test('of marks that a far end never answers only the newest are kept', () => {
  const marks = new MarkTracker();
  const names = Array.from({ length: 300 }, (_, i) => marks.add(1, i * MARK_EVERY_MS, false));
  expect(names.filter((name) => marks.reached(name))).toHaveLength(256);
});

test('only an answer to a mark of its own proves that a far end answers', () => {
  const marks = new MarkTracker();
  expect(marks.answered).toBe(false);
  const name = marks.add(1, 0, false);
  expect(marks.answered).toBe(false);
  marks.reached('another');
  expect(marks.answered).toBe(false);
  marks.reached(name);
  expect(marks.answered).toBe(true);
  marks.reset();
  expect(marks.answered).toBe(true);
});

test('after a clear a mark is due at the very beginning of the same utterance', () => {
  const marks = new MarkTracker();
  marks.add(1, 800, false);
  marks.reset();
  expect(marks.due(1, 0)).toBe(true);
  marks.add(1, 0, false);
  expect(marks.due(1, MARK_EVERY_MS - 1)).toBe(false);
});

test('the next mark is due a word after the one before, wherever in the utterance that was', () => {
  const marks = new MarkTracker();
  marks.add(1, 830, false);
  expect(marks.due(1, 830 + MARK_EVERY_MS - 1)).toBe(false);
  expect(marks.due(1, 830 + MARK_EVERY_MS)).toBe(true);
});
