import { once } from 'node:events';
import { request } from 'node:http';
import { buffer, text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { NodeAwayError } from '../../src/lib/node-away-error.ts';
import { type BusNode, relayTo } from './bus-node.ts';

/** Two nodes on one bus; what is opened for them is closed by `close`. */
export interface BusRig {
  readonly a: BusNode;
  readonly b: BusNode;
  close(): Promise<void>;
}

/** What every implementation of the bus does. `reason` says why it cannot be tried here. */
export function describeBus(name: string, reason: string, open: () => Promise<BusRig>): void {
  describe.skipIf(reason !== '')(`the bus over ${name}${reason}`, () => {
    let rig: BusRig;
    beforeEach(async () => {
      rig = await open();
    });
    afterEach(() => rig.close());

    test('a question reaches the other node, and its answer comes back', async () => {
      const { a, b } = rig;
      b.bus.answer('sum', async (body) => {
        const { numbers } = body as { numbers: number[] };
        return { sum: numbers.reduce((sum, one) => sum + one, 0), 'né à Zürich': null };
      });
      expect(await a.bus.ask(b.id, 'sum', { numbers: [1, 2, 3] })).toEqual({
        sum: 6,
        'né à Zürich': null,
      });
      b.bus.answer('nothing', async (body) => ({ isNull: body === null }));
      expect(await a.bus.ask(b.id, 'nothing', undefined)).toEqual({ isNull: true });
      b.bus.answer('done', async () => undefined);
      expect(await a.bus.ask(b.id, 'done', null)).toBeUndefined();
    });

    test('both ask each other at once, and each answer goes to its own question', async () => {
      const { a, b } = rig;
      for (const { id, bus } of [a, b]) bus.answer('echo', async (body) => ({ id, body }));
      const asked = Array.from({ length: 200 }, (_, i) =>
        i % 2 ? a.bus.ask(b.id, 'echo', i) : b.bus.ask(a.id, 'echo', i),
      );
      expect(await Promise.all(asked)).toEqual(
        asked.map((_, i) => ({ id: (i % 2 ? b : a).id, body: i })),
      );
    });

    test('a handler that fails, a subject that nobody knows and a dead node are told', async () => {
      const { a, b } = rig;
      b.bus.answer('fails', () => Promise.reject(new Error('out of luck')));
      await expect(a.bus.ask(b.id, 'fails', null)).rejects.toThrow('out of luck');
      await expect(a.bus.ask(b.id, 'fails', null)).rejects.toThrow(NodeAwayError);
      const circle: { self?: unknown } = {};
      circle.self = circle;
      b.bus.answer('circle', async () => circle);
      await expect(a.bus.ask(b.id, 'circle', null)).rejects.toThrow(NodeAwayError);
      await expect(a.bus.ask(b.id, 'unknown', null)).rejects.toThrow(NodeAwayError);
      await expect(a.bus.ask('nobody', 'fails', null)).rejects.toThrow('the node nobody is gone');
    });

    test('a node that has left does not answer', async () => {
      const { a, b } = rig;
      b.bus.answer('here', async () => true);
      await a.bus.ask(b.id, 'here', null);
      await b.close();
      await expect(a.bus.ask(b.id, 'here', null)).rejects.toThrow(NodeAwayError);
    });

    test('a question ends at its deadline, for both', async () => {
      const { a, b } = rig;
      const aborted = new Promise((resolve) =>
        b.bus.answer('slow', (_, signal) => {
          signal.addEventListener('abort', resolve);
          return new Promise(() => {});
        }),
      );
      await expect(a.bus.ask(b.id, 'slow', null, { timeoutMs: 50 })).rejects.toThrow(
        'no answer in 50 ms',
      );
      await aborted;
    });

    test('a question that is not of interest any more is given up, for both', async () => {
      const { a, b } = rig;
      const giveUp = new AbortController();
      const aborted = new Promise((resolve) =>
        b.bus.answer('slow', (_, signal) => {
          signal.addEventListener('abort', resolve);
          giveUp.abort(new Error('not of interest'));
          return new Promise(() => {});
        }),
      );
      const { signal } = giveUp;
      await expect(a.bus.ask(b.id, 'slow', null, { signal })).rejects.toThrow('not of interest');
      await aborted;
      await expect(a.bus.ask(b.id, 'slow', null, { signal })).rejects.toThrow('not of interest');
    });

    test('what is too large or too much is refused, and does no harm', async () => {
      const { a, b } = rig;
      b.bus.answer('length', async (body) => String(body).length);
      const most = 1_000_000;
      expect(await a.bus.ask(b.id, 'length', 'x'.repeat(most))).toBe(most);
      // A little too large, and so large that its end is not yet sent when it is refused.
      for (const length of [1_100_000, 5_000_000]) {
        const asked = a.bus.ask(b.id, 'length', 'x'.repeat(length), { timeoutMs: 60_000 });
        await expect(asked).rejects.toThrow('the question is too large');
      }
      const gate = Promise.withResolvers<void>();
      b.bus.answer('waits', () => gate.promise);
      const waiting = Array.from({ length: 512 }, () => a.bus.ask(b.id, 'waits', null));
      const answered = Promise.allSettled(waiting);
      await expect(a.bus.ask(b.id, 'length', '')).rejects.toThrow('too much is asked');
      gate.resolve();
      await answered;
      expect(await a.bus.ask(b.id, 'length', 'x')).toBe(1);
    });

    test('a socket is relayed byte for byte, both ways, with the address of its client', async () => {
      const { a, b } = rig;
      const sockets = new WebSocketServer({ noServer: true });
      let client: { address: string | undefined; url: string | undefined } | undefined;
      b.onUpgrade((incoming, socket, head) => {
        client = { address: incoming.socket.remoteAddress, url: incoming.url };
        sockets.handleUpgrade(incoming, socket as never, head, (one) => {
          one.on('message', (data, isBinary) => one.send(data, { binary: isBinary }));
        });
      });
      await using front = await relayTo(a, b.id);
      const socket = new WebSocket(`${front.url}/media/web/x?y=1`);
      const heard: Buffer[] = [];
      socket.on('message', (data: Buffer) => heard.push(data));
      await once(socket, 'open');
      expect(front.relayed()).toBe(1);
      const sent = Array.from({ length: 60 }, (_, i) => Buffer.alloc(1 + i * 997, i));
      for (const one of sent) socket.send(one);
      await expect.poll(() => heard.length, { timeout: 20_000 }).toBe(sent.length);
      expect(Buffer.concat(heard).equals(Buffer.concat(sent))).toBe(true);
      expect(client).toEqual({ address: '127.0.0.1', url: '/media/web/x?y=1' });
      // The end of one side is the end of the other.
      const closed = once(socket, 'close');
      for (const one of sockets.clients) one.close(1008, 'enough');
      expect((await closed).map(String)).toEqual(['1008', 'enough']);
      await expect.poll(() => front.relayed()).toBe(0);
    });

    test('a client that is cut off is cut off at the other node, and the other way round', async () => {
      const { a, b } = rig;
      const sockets = new WebSocketServer({ noServer: true });
      b.onUpgrade((incoming, socket, head) =>
        sockets.handleUpgrade(incoming, socket as never, head, () => {}),
      );
      await using front = await relayTo(a, b.id);
      const first = new WebSocket(`${front.url}/media/web/x`);
      await once(first, 'open');
      first.terminate();
      await expect.poll(() => sockets.clients.size).toBe(0);
      const second = new WebSocket(`${front.url}/media/web/x`);
      await once(second, 'open');
      const closed = once(second, 'close');
      for (const one of sockets.clients) one.terminate();
      await closed;
    });

    test('a socket for a node that cannot be reached is refused', async () => {
      const { a, b } = rig;
      await using front = await relayTo(a, b.id);
      await b.close();
      const asked = request(front.url.replace('ws:', 'http:'), {
        headers: { connection: 'upgrade', upgrade: 'websocket' },
      });
      asked.end();
      const [response] = await once(asked, 'response');
      await text(response);
      expect(response.statusCode).toBe(503);
    });

    test('much goes through to a reader that takes its time', async () => {
      const { a, b } = rig;
      const much = Buffer.alloc(3_000_000);
      for (let i = 0; i < much.length; i += 4) much.writeUInt32LE(i, i);
      b.onUpgrade((_incoming, socket) => {
        socket.write(
          'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
        );
        socket.end(much);
      });
      await using front = await relayTo(a, b.id);
      const asked = request(front.url.replace('ws:', 'http:'), {
        headers: { connection: 'upgrade', upgrade: 'x' },
      });
      asked.end();
      const [, socket, head] = await once(asked, 'upgrade');
      expect(Buffer.concat([head, await buffer(socket)]).equals(much)).toBe(true);
      socket.destroy();
    });
  });
}
