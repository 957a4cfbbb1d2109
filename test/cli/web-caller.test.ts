import { describe, expect, test } from 'vitest';
import { CallerError, WebCaller, type WebCallerOptions } from '../../src/cli/web-caller.ts';
import { VirtualClock } from '../../src/lib/virtual-clock.ts';
import { GatewayHost } from '../gateway/gateway-host.ts';

/** A caller in a call with a scripted session; both clocks are the test's. */
async function startCall(host: GatewayHost, options: Partial<WebCallerOptions> = {}) {
  const session = host.calls.issue('token');
  const clock = new VirtualClock();
  const caller = await WebCaller.connect({ url: host.url('token'), clock, ...options });
  return { session, clock, caller, leg: await session.attached() };
}

describe('the caller', () => {
  test('speaks in real time', async () => {
    await using host = await GatewayHost.start();
    const { session, clock, caller } = await startCall(host);
    caller.say(new Int16Array(320).fill(7));
    clock.advanceTo(40);
    expect(await session.next()).toEqual({ type: 'audio', samples: Array(320).fill(7) });
    expect(await session.next()).toEqual({ type: 'audio', samples: Array(320).fill(0) });
    caller.close();
  });

  test('answers marks and clears as its playback goes', async () => {
    await using host = await GatewayHost.start();
    const frames: string[] = [];
    const { session, clock, caller, leg } = await startCall(host, {
      onFrame: (frame) => frames.push(frame.type),
    });
    leg.send(new Int16Array(3200).fill(1));
    leg.mark('m1');
    leg.send(new Int16Array(3200).fill(2));
    leg.notify({ type: 'status', status: 'ongoing' });
    await expect.poll(() => frames.at(-1)).toBe('status');
    clock.advanceTo(220);
    expect((await nextOf(session, 'mark')).name).toBe('m1');
    clock.advanceTo(320);
    leg.clear();
    const cleared = await nextOf(session, 'cleared');
    expect(cleared.playedMs).toBe(300);
    clock.advanceTo(1000);
    expect(caller.tracks.speaker.read().findLastIndex((sample) => sample !== 0)).toBe(320 * 16 - 1);
    caller.close();
  });

  test('may be one that never answers', async () => {
    await using host = await GatewayHost.start();
    const { session, clock, caller, leg } = await startCall(host, { answers: false });
    leg.mark('m1');
    leg.clear();
    caller.dtmf('1');
    await nextOf(session, 'dtmf');
    clock.advanceTo(1000);
    caller.dtmf('2');
    await nextOf(session, 'dtmf');
    expect(session.heard.filter((heard) => ['mark', 'cleared'].includes(heard.type))).toEqual([]);
    caller.close();
  });

  test('hangs up and hears the end', async () => {
    await using host = await GatewayHost.start();
    const { session, caller, leg } = await startCall(host);
    caller.hangup();
    await nextOf(session, 'hangup');
    leg.end('user-hangup');
    expect(await caller.ended).toEqual({ closeCode: 1000, reason: 'user-hangup' });
    caller.close();
  });

  test('resumes after a dropped connection, on the same sample clock', async () => {
    await using host = await GatewayHost.start();
    const { session, clock, caller, leg } = await startCall(host);
    clock.advanceTo(100);
    caller.drop();
    expect(await caller.ended).toEqual({ closeCode: 1006 });
    await nextOf(session, 'lost');
    clock.advanceTo(500);
    await caller.resume();
    await nextOf(session, 'resumed');
    leg.send(new Int16Array(160).fill(9));
    caller.dtmf('1');
    await nextOf(session, 'dtmf');
    await expect.poll(() => caller.tracks.speaker.read().indexOf(9)).toBe(0.52 * 16_000);
    expect(caller.tracks.microphone.length).toBe(8000);
    caller.close();
  });

  test('says why a call was not answered', async () => {
    await using host = await GatewayHost.start();
    const refused = WebCaller.connect({ url: host.url('nothing') });
    await expect(refused).rejects.toThrow(CallerError);
    await expect(refused).rejects.toMatchObject({ code: 'unknown-token' });
    const nobody = WebCaller.connect({ url: 'ws://127.0.0.1:1/media/web/x' });
    await expect(nobody).rejects.toMatchObject({ code: 'unreachable' });
  });
});

type Session = ReturnType<GatewayHost['calls']['issue']>;
type Heard = Awaited<ReturnType<Session['next']>>;

/** Skips what the microphone sends meanwhile. */
async function nextOf<T extends Heard['type']>(session: Session, type: T) {
  for (;;) {
    const heard = await session.next();
    if (heard.type === type) return heard as Extract<Heard, { type: T }>;
  }
}
