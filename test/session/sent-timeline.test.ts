import { expect, test } from 'vitest';
import { SentTimeline } from '../../src/session/outbound/sent-timeline.ts';

test.each([
  [64, 100],
  [65, 560],
])('of %d stretches the last two seconds are known: 100 ms was at %d', (stretches, playedMs) => {
  const timeline = new SentTimeline();
  for (let i = 0; i < stretches; i++) timeline.push(1, 40 * i, 40, 40 * i);
  expect(timeline.positionAt(100)).toEqual({ uttId: 1, playedMs });
  expect(timeline.streamMs).toBe(40 * stretches);
});

test('where one utterance ends the next one begins', () => {
  const timeline = new SentTimeline();
  timeline.push(1, 0, 100, 0);
  timeline.push(2, 0, 100, 0);
  expect(timeline.positionInStream(99)).toEqual({ uttId: 1, playedMs: 99 });
  expect(timeline.positionInStream(100)).toEqual({ uttId: 2, playedMs: 0 });
  expect(timeline.positionAt(100)).toEqual({ uttId: 2, playedMs: 0 });
});
