import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { IdleEnd } from '../../src/lib/idle-end.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

test('ends its owner after half a minute without use, counted from the last', () => {
  const end = vi.fn();
  const idle = new IdleEnd({}, end);
  idle.start();
  vi.advanceTimersByTime(29_999);
  idle.start();
  vi.advanceTimersByTime(29_999);
  expect(end).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(end).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(600_000);
  expect(end).toHaveBeenCalledOnce();
});

test('ends nothing that is in use', () => {
  const end = vi.fn();
  const idle = new IdleEnd({ idleMs: 10 }, end);
  idle.start();
  idle.stop();
  vi.advanceTimersByTime(100);
  expect(end).not.toHaveBeenCalled();
});

test('ends nothing during calls, however long they are', () => {
  const end = vi.fn();
  let calls = 1;
  const idle = new IdleEnd({ idleMs: 1000, inCall: () => calls > 0 }, end);
  idle.start();
  vi.advanceTimersByTime(100_000);
  expect(end).not.toHaveBeenCalled();
  calls = 0;
  vi.advanceTimersByTime(1000);
  expect(end).toHaveBeenCalledOnce();
});
