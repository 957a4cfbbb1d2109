import { expect, test } from 'vitest';
import { ReturningCaller } from '../../src/cli/returning-caller.ts';
import { WebCaller } from '../../src/cli/web-caller.ts';
import { VirtualClock } from '../../src/lib/virtual-clock.ts';
import { GatewayHost } from '../gateway/gateway-host.ts';

/** A caller who comes back, in a call with a scripted session; the caller's clock is the test's. */
async function startCall(host: GatewayHost) {
  const session = host.calls.issue('token');
  const clock = new VirtualClock();
  const web = await WebCaller.connect({ url: host.url('token'), clock });
  const lost: number[] = [];
  const caller = new ReturningCaller(web, { clock, onLost: (atMs) => lost.push(atMs) });
  return { session, clock, web, caller, lost, leg: await session.attached() };
}

/** Lets the next attempt begin as soon as the loss was noticed. */
async function attempt(clock: VirtualClock, ms = 1): Promise<void> {
  await expect.poll(() => clock.nextDueAt()).toBeDefined();
  clock.advanceTo(clock.now() + ms);
}

/** Lets attempts begin, each so many milliseconds after the one before, until the caller has given up. */
async function untilOver(caller: ReturningCaller, clock: VirtualClock, ms: number): Promise<void> {
  let over = false;
  void caller.ended.then(() => {
    over = true;
  });
  while (!over) {
    if (clock.nextDueAt() !== undefined) clock.advanceTo(clock.now() + ms);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test('a connection that breaks is resumed, and the call ends when the service ends it', async () => {
  await using host = await GatewayHost.start();
  const { session, clock, web, caller, lost, leg } = await startCall(host);
  clock.advanceTo(100);
  web.drop();
  await expect.poll(() => lost).toEqual([100]);
  await attempt(clock);
  for (;;) if ((await session.next()).type === 'resumed') break;
  caller.hangup();
  leg.end('user-hangup');
  expect(await caller.ended).toEqual({ closeCode: 1000, reason: 'user-hangup' });
  caller.close();
});

test('it tries again while nobody answers, and gives up when the service would', async () => {
  const host = await GatewayHost.start();
  const { clock, caller, lost } = await startCall(host);
  await host[Symbol.asyncDispose]();
  await expect.poll(() => lost).toHaveLength(1);
  const sinceMs = clock.now();
  await untilOver(caller, clock, 2000);
  expect(clock.now() - sinceMs).toBeGreaterThanOrEqual(15_000);
  expect((await caller.ended).reason).toBeUndefined();
  caller.close();
});

test('who comes back to a call that has ended meanwhile learns how', async () => {
  await using host = await GatewayHost.start();
  const { session, clock, web, caller, lost, leg } = await startCall(host);
  web.drop();
  for (;;) if ((await session.next()).type === 'lost') break;
  leg.end('idle-timeout');
  await expect.poll(() => lost).toHaveLength(1);
  await untilOver(caller, clock, 1);
  expect((await caller.ended).reason).toBe('idle-timeout');
  caller.close();
});

test('a service that no longer knows the call is not asked again', async () => {
  await using host = await GatewayHost.start();
  const { session, clock, web, caller, lost } = await startCall(host);
  web.drop();
  for (;;) if ((await session.next()).type === 'lost') break;
  // The token is void by then.
  host.clock.advanceTo(host.clock.now() + 60_000);
  await expect.poll(() => lost).toHaveLength(1);
  await untilOver(caller, clock, 1);
  expect((await caller.ended).reason).toBeUndefined();
  // Not given up because of the time: that takes 15 s.
  expect(clock.now()).toBeLessThan(15_000);
  caller.close();
});

test('who hangs up does not come back', async () => {
  await using host = await GatewayHost.start();
  const { web, caller, lost } = await startCall(host);
  caller.hangup();
  web.drop();
  expect((await caller.ended).closeCode).toBe(1006);
  expect(lost).toEqual([]);
  caller.close();
});

test('who hangs up while it comes back ends the call once it is there', async () => {
  await using host = await GatewayHost.start();
  const { session, clock, web, caller, lost, leg } = await startCall(host);
  web.drop();
  await expect.poll(() => lost).toHaveLength(1);
  await attempt(clock);
  // The attempt has begun, and needs the network to come further.
  await new Promise((resolve) => setImmediate(resolve));
  caller.hangup();
  for (;;) if ((await session.next()).type === 'hangup') break;
  leg.end('user-hangup');
  expect((await caller.ended).reason).toBe('user-hangup');
  caller.close();
});
