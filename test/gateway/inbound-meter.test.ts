import { expect, test } from 'vitest';
import { InboundMeter } from '../../src/gateway/inbound-meter.ts';
import { webLimitDefaults } from '../../src/gateway/web-limits.ts';

const FRAME_BYTES = 640; // 20 ms at 16 kHz

function meter(): InboundMeter {
  return new InboundMeter(webLimitDefaults, 16_000, 0);
}

/** Feeds 20 ms frames, one every `everyMs`, until refused; says when and why. */
function feed(target: InboundMeter, everyMs: number, untilMs: number, bytes = FRAME_BYTES) {
  for (let now = 0; now <= untilMs; now += everyMs) {
    const fault = target.count(bytes, now);
    if (fault) return { code: fault.code, now };
  }
  return undefined;
}

test('an hour in real time is never too fast, nor with a clock 1 % off', () => {
  expect(feed(meter(), 20, 3_600_000)).toBeUndefined();
  expect(feed(meter(), 19.8, 100_000)).toBeUndefined();
});

test('twice real time is refused as soon as it is 2 s ahead', () => {
  expect(feed(meter(), 10, 60_000)).toEqual({ code: 'too-fast', now: 2010 });
});

test('audio held up by the network may come at once', () => {
  const target = meter();
  target.count(FRAME_BYTES, 0);
  for (let i = 0; i < 400; i++) expect(target.count(FRAME_BYTES, 8000)).toBeUndefined();
});

test('audio held through a break may come at once on the connection after it, up to the bound', () => {
  const target = meter();
  target.credit(60_000);
  let accepted = 0;
  while (target.count(FRAME_BYTES, 0) === undefined) accepted++;
  expect(accepted).toBe((10_000 + 2000) / 20 + 1);
});

test('silence saves up no more than the catch-up bound', () => {
  const target = meter();
  target.count(FRAME_BYTES, 0);
  let accepted = 0;
  while (target.count(FRAME_BYTES, 3_600_000) === undefined) accepted++;
  expect(accepted).toBe((10_000 + 2000) / 20 + 1);
});

test('tiny frames are refused by their number', () => {
  expect(feed(meter(), 1, 60_000, 0)).toMatchObject({ code: 'too-many-frames' });
  expect(feed(meter(), 5, 60_000, 0)).toBeUndefined();
});
