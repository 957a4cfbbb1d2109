import { EventEmitter } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import { AriEvents } from '../../src/carriers/asterisk/ari-events.ts';
import type { AriChannels } from '../../src/carriers/asterisk/channels.ts';
import { paceMessages } from '../../src/carriers/asterisk/paced-messages.ts';
import { ManualClock } from '../support/manual-clock.ts';

class FarSocket extends EventEmitter {
  says(event: object): void {
    this.emit('message', Buffer.from(JSON.stringify(event)));
  }
  close(): void {}
  terminate(): void {}
  pause(): void {}
  resume(): void {}
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
      mayArrive: () => true,
      connected: () => undefined,
      problem: ({ message }) => problems.push(message),
    },
    channels: channels as AriChannels,
  });
  events.start();
  for (let n = 0; n < 4000; n++) socket.says(arrival(`c.${n}`));
  for (let turn = 0; turn < 4000 / 32; turn++) await nextTurn();
  expect(watched).toHaveLength(16);
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

test('messages that come at once are handled a few a turn, in order, and meanwhile no more are read', async () => {
  const steps: string[] = [];
  const socket = Object.assign(new FarSocket(), {
    pause: () => steps.push('pause'),
    resume: () => steps.push('resume'),
  });
  const handled: number[] = [];
  const handleRest = paceMessages(socket, (message) => {
    handled.push(Number(message.toString()));
  });
  const say = (from: number, to: number) => {
    for (let n = from; n < to; n++) socket.emit('message', Buffer.from(String(n)));
  };
  say(0, 300);
  expect(handled).toHaveLength(32);
  expect(steps).toEqual(['pause']);
  await nextTurn();
  expect(handled).toHaveLength(64);
  for (let turn = 0; turn < 10; turn++) await nextTurn();
  expect(handled).toHaveLength(300);
  expect(steps).toEqual(['pause', 'resume']);
  say(300, 350);
  expect(handled).toHaveLength(332);
  handleRest();
  expect(handled).toEqual(Array.from({ length: 350 }, (_, n) => n));
});
