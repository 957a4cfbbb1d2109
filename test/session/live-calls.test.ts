import { expect, test } from 'vitest';
import { SessionRegistry } from '../../src/session/session-registry.ts';
import { ManualClock } from '../support/manual-clock.ts';

/** A live call that notes what it is asked for. */
function fakeCall(callId: string, { letsGo = true } = {}) {
  const over = Promise.withResolvers<void>();
  const asked: string[] = [];
  const session = {
    callId,
    asked,
    finished: over.promise,
    finish: () => over.resolve(),
    async control({ type }: { readonly type: string }) {
      asked.push(type);
      return { outcome: 'accepted' } as const;
    },
    listen() {
      asked.push('listen');
      return 'full' as const;
    },
    async takeOver(_microphone: unknown, by: string) {
      asked.push(`take over ${by}`);
      return { refusal: 'busy' };
    },
    end: (reason: string) => void asked.push(`end ${reason}`),
    async handOver() {
      over.resolve();
    },
    letGo() {
      asked.push('let go');
      return letsGo;
    },
    taken: () => void asked.push('taken'),
  };
  return session;
}
type Fake = ReturnType<typeof fakeCall>;

function setUp(maxCalls: number, load?: { isOver: boolean }) {
  const registry = new SessionRegistry<never>(maxCalls, load);
  const add = (callId: string, options: { letsGo?: boolean } = {}): Fake => {
    const call = fakeCall(callId, options);
    expect(registry.reserve()).toBe('reserved');
    registry.add(call as never);
    return call;
  };
  return { registry, add };
}

test('there is a place for as many calls as it was given, and one is free again when a call is over', async () => {
  const { registry, add } = setUp(2);
  expect(registry.hasRoom).toBe(true);
  const first = add('a');
  expect(registry.reserve()).toBe('reserved');
  expect(registry.hasRoom).toBe(false);
  expect(registry.reserve()).toBe('full');
  registry.release();
  expect(registry.hasRoom).toBe(true);
  add('b');
  expect(registry.reserve()).toBe('full');
  expect(registry).toMatchObject({ size: 2, callIds: ['a', 'b'] });
  first.finish();
  await first.finished;
  expect(registry).toMatchObject({ size: 1, callIds: ['b'], hasRoom: true });
  expect(registry.find('a')).toBeUndefined();
});

test('an overloaded process takes its first call, and no other', () => {
  const load = { isOver: true };
  const { registry, add } = setUp(5, load);
  expect(registry.hasRoom).toBe(true);
  add('a');
  expect(registry.hasRoom).toBe(false);
  expect(registry.reserve()).toBe('overloaded');
  load.isOver = false;
  expect(registry.hasRoom).toBe(true);
  expect(registry.reserve()).toBe('reserved');
});

test('a process that drains takes no more calls, though it has room', () => {
  const { registry } = setUp(2);
  expect(registry.draining).toBe(false);
  registry.beginDraining();
  expect(registry.draining).toBe(true);
  expect(registry.reserve()).toBe('draining');
  expect(registry.hasRoom).toBe(true);
});

test('a call is reached by its id; of one that is not here nobody pretends otherwise', async () => {
  const { registry, add } = setUp(3);
  const call = add('a');
  const other = add('b');
  expect(registry.find('a')).toBe(call);
  expect(await registry.command('a', { type: 'control.giveBack' })).toEqual({
    outcome: 'accepted',
  });
  expect(registry.listen('a', {} as never)).toBe('full');
  expect(await registry.takeOver('a', {} as never, 'Bo')).toEqual({ refusal: 'busy' });
  expect(call.asked).toEqual(['control.giveBack', 'listen', 'take over Bo']);
  expect(other.asked).toEqual([]);
  expect(await registry.command('c', { type: 'control.giveBack' })).toEqual({
    outcome: 'not-live',
  });
  expect(registry.listen('c', {} as never)).toBe('not-live');
  expect(await registry.takeOver('c', {} as never, 'Bo')).toEqual({
    refusal: 'the call is not live',
  });
});

test('a call that others have is stopped here', () => {
  const { registry, add } = setUp(3);
  const [first, second] = [add('a'), add('b')];
  registry.lost(['a', 'elsewhere']);
  expect([first.asked, second.asked]).toEqual([['taken'], []]);
});

test('calls that were let go of are no longer live here; those in which two people talk are', () => {
  const { registry, add } = setUp(3);
  add('a');
  add('b', { letsGo: false });
  expect(registry.isLive('a')).toBe(true);
  expect(registry.letGo()).toEqual(['a']);
  expect(registry.isLive('a')).toBe(false);
  expect(registry.isLive('b')).toBe(true);
  expect(registry.isLive('c')).toBe(false);
});

test('a call that comes back before its former session was closed stays', async () => {
  const { registry, add } = setUp(3);
  const former = add('a');
  registry.letGo();
  const again = add('a');
  expect(registry.isLive('a')).toBe(true);
  former.finish();
  await former.finished;
  expect(registry.find('a')).toBe(again);
});

test('a process that stops waits for its calls, then asks them to end, and waits once more', async () => {
  const clock = new ManualClock();
  const wait = (ms: number) => new Promise<void>((resolve) => clock.setTimeout(resolve, ms));
  const { registry, add } = setUp(3);
  const [first, second] = [add('a'), add('b')];
  let isOver = false;
  void registry.drain(wait, 30_000, 5000).then(() => {
    isOver = true;
  });
  expect(registry.reserve()).toBe('draining');
  first.finish();
  await clock.advance(29_999);
  expect([...first.asked, ...second.asked]).toEqual([]);
  await clock.advance(1);
  expect(first.asked).toEqual([]);
  expect(second.asked).toEqual(['end service-stopped']);
  await clock.advance(4999);
  expect(isOver).toBe(false);
  await clock.advance(1);
  expect(isOver).toBe(true);
});

test('a process without calls stops at once', async () => {
  const clock = new ManualClock();
  const wait = (ms: number) => new Promise<void>((resolve) => clock.setTimeout(resolve, ms));
  await setUp(3).registry.drain(wait, 30_000, 5000);
  expect(clock.now()).toBe(0);
});

test('a call that was being set up while the process left its calls is left too', async () => {
  const clock = new ManualClock();
  const wait = (ms: number) => new Promise<void>((resolve) => clock.setTimeout(resolve, ms));
  const { registry } = setUp(3);
  registry.reserve();
  let isOver = false;
  const receivers = { giveUp: async () => undefined, arrived: async () => [] };
  void registry
    .handOver({ wait, now: () => clock.now() }, clock.now() + 10_000, receivers)
    .then(() => {
      isOver = true;
    });
  await clock.advance(2000);
  expect(isOver).toBe(false);
  registry.add(fakeCall('late') as never);
  await clock.advance(200);
  expect(isOver).toBe(true);
  expect(registry.size).toBe(0);
});

test('a call that is being set up is not waited for beyond the end of the time', async () => {
  const clock = new ManualClock();
  const wait = (ms: number) => new Promise<void>((resolve) => clock.setTimeout(resolve, ms));
  const { registry } = setUp(3);
  registry.reserve();
  let isOver = false;
  const receivers = { giveUp: async () => undefined, arrived: async () => [] };
  void registry
    .handOver({ wait, now: () => clock.now() }, clock.now() + 1000, receivers)
    .then(() => {
      isOver = true;
    });
  await clock.advance(900);
  expect(isOver).toBe(false);
  await clock.advance(200);
  expect(isOver).toBe(true);
});
