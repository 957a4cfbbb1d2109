import { expect, test } from 'vitest';
import { ThreadUse } from '../../src/lib/thread-use.ts';

test('a thread is in use while a call lives that may need it, whatever other calls there are', async () => {
  const use = new ThreadUse();
  const inUse = (thread: 'voice' | 'search') => use.idleRuleOf(thread).inCall?.();
  const [first, second, third] = [1, 2, 3].map(() => Promise.withResolvers<void>()) as [
    PromiseWithResolvers<void>,
    PromiseWithResolvers<void>,
    PromiseWithResolvers<void>,
  ];
  use.hold(['voice', 'voice'], first.promise);
  use.hold(['voice', 'search'], second.promise);
  use.hold([], third.promise);
  expect([inUse('voice'), inUse('search')]).toEqual([true, true]);
  second.resolve();
  await second.promise;
  expect([inUse('voice'), inUse('search')]).toEqual([true, false]);
  first.resolve();
  await first.promise;
  expect([inUse('voice'), inUse('search')]).toEqual([false, false]);
});
