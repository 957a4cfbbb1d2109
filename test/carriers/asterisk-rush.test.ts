import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import { AriEvents } from '../../src/carriers/asterisk/ari-events.ts';
import type { AriChannels } from '../../src/carriers/asterisk/channels.ts';
import { ManualClock } from '../support/manual-clock.ts';

class FarSocket extends EventEmitter {
  says(event: object): void {
    this.emit('message', Buffer.from(JSON.stringify(event)));
  }
  close(): void {}
  terminate(): void {}
}

const arrival = (id: string) => ({
  type: 'StasisStart',
  args: ['inbound'],
  channel: { id, dialplan: { exten: '+15005550100' }, caller: { number: '+1' } },
});

test('a rush of callers has as many commands at once as an Asterisk can take, and no more callers than wait for them', async () => {
  const socket = new FarSocket();
  const watched: PromiseWithResolvers<boolean>[] = [];
  const told: string[] = [];
  const problems: string[] = [];
  const channels: Partial<AriChannels> = {
    watch: () => {
      const answer = Promise.withResolvers<boolean>();
      watched.push(answer);
      return answer.promise;
    },
  };
  const events = new AriEvents({
    url: 'ws://asterisk/ari/events',
    clock: new ManualClock(),
    openSocket: () => socket as unknown as WebSocket,
    listener: {
      event: ({ type }) => told.push(type),
      connected: () => undefined,
      problem: ({ message }) => problems.push(message),
    },
    channels: channels as AriChannels,
  });
  events.start();
  for (let n = 0; n < 4000; n++) socket.says(arrival(`c.${n}`));
  await expect.poll(() => watched.length).toBe(16);
  // Those whose command runs or waits; the others wait in the application.
  expect(told).toHaveLength(16 + 256);
  expect(new Set(problems)).toEqual(
    new Set(['sent more events than can be acted on; some were dropped']),
  );

  // Once the commands are answered, callers are taken again.
  for (let done = 0; done < told.length; done++) {
    await expect.poll(() => watched[done]).toBeDefined();
    watched[done]?.resolve(true);
  }
  socket.says(arrival('late'));
  expect(told).toHaveLength(16 + 256 + 1);
  const closed = events.close();
  for (const { resolve } of watched) resolve(true);
  await closed;
});
