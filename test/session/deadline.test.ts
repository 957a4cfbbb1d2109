import { expect, test } from 'vitest';
import { VirtualClock } from '../../src/lib/virtual-clock.ts';
import { Deadline } from '../../src/session/deadline.ts';

function setUp() {
  const clock = new VirtualClock(100);
  const controller = new AbortController();
  const deadline = new Deadline(clock, controller, 'scripted', 'the model stopped answering');
  return { clock, controller, deadline };
}

test('runs out at its time, and says who was late', () => {
  const { clock, controller, deadline } = setUp();
  deadline.touch(500);
  clock.advanceTo(599);
  expect(controller.signal.aborted).toBe(false);
  clock.advanceTo(600);
  expect(controller.signal.reason).toMatchObject({
    name: 'ProviderError',
    class: 'timeout',
    provider: 'scripted',
    code: 'timeout',
    message: 'scripted: the model stopped answering',
    retryable: true,
  });
});

test('each sign of life gives it its whole time again', () => {
  const { clock, controller, deadline } = setUp();
  for (const at of [100, 400, 800, 1299]) {
    clock.advanceTo(at);
    deadline.touch(500);
  }
  clock.advanceTo(1798);
  expect(controller.signal.aborted).toBe(false);
  clock.advanceTo(1799);
  expect(controller.signal.aborted).toBe(true);
});

test('can be stopped and begun again', () => {
  const { clock, controller, deadline } = setUp();
  deadline.touch(500);
  deadline.stop();
  expect(clock.nextDueAt()).toBeUndefined();
  clock.advanceTo(1000);
  expect(controller.signal.aborted).toBe(false);
  deadline.touch(300);
  clock.advanceTo(1299);
  expect(controller.signal.aborted).toBe(false);
  clock.advanceTo(1300);
  expect(controller.signal.aborted).toBe(true);
});
