import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { ConnectedCall } from '../../src/client/api.generated.ts';
import { PhoneRig } from '../support/phone-rig.ts';

let rig: PhoneRig;
beforeAll(async () => {
  rig = await PhoneRig.start({ MAX_CALLS: '1' });
});
afterAll(() => rig?.[Symbol.asyncDispose](), 30_000);

const inbound = { direction: 'inbound' } as const;

async function connectWeb(): Promise<ConnectedCall> {
  const [assistant] = await rig.ask<{ _id: string }[]>('GET', '/assistants/v1/assistants');
  return rig.ask('POST', '/calls/v1/conversations/connect', {
    ...inbound,
    assistantId: assistant?._id,
  });
}

/** What a web client is told first, and how its socket is closed. */
async function told(url: string): Promise<{ readonly frame: unknown; readonly code: number }> {
  const socket = new WebSocket(url);
  const frame = Promise.withResolvers<unknown>();
  const closed = Promise.withResolvers<number>();
  socket.on('open', () => socket.send('{"type":"start","sampleRate":8000}'));
  socket.on('message', (data) => frame.resolve(JSON.parse(String(data))));
  socket.on('close', closed.resolve);
  socket.on('error', closed.reject);
  return { frame: await frame.promise, code: await closed.promise };
}

test.each(['twilio', 'telnyx', 'asterisk'] as const)(
  'with its one place taken, the service is busy to %s, the web and the API, and the live call goes on',
  async (name) => {
    const carrier = rig.carrier(name);
    const { number } = await rig.addNumber(carrier, { welcomeMessage: 'Hello.' });
    const webCall = await connectWeb();

    const calls = [
      await carrier.call({ from: '+15005550601', to: number }),
      await carrier.call({ from: '+15005550602', to: number }),
    ];
    // One or the other: their webhooks are on their way at once. The place is kept from the arrival on.
    await Promise.allSettled(calls.map((call) => call.connected));
    expect(calls.map((call) => call.sockets).sort()).toEqual([0, 1]);
    const live = calls.find((call) => call.sockets === 1);
    expect(await told(webCall.webCall?.url as string)).toEqual({
      frame: {
        type: 'error',
        code: 'at_capacity',
        message: 'All lines are busy; try again later.',
      },
      code: 1013,
    });
    await expect(connectWeb()).rejects.toThrow('429');

    live?.hangup();
    await live?.ended;
    // The place is free again.
    await expect.poll(() => connectWeb().then(() => 'free', String)).toBe('free');
  },
);
