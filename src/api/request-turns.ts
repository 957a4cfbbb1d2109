import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { LoopSlices } from '../lib/loop-slices.ts';
import { networkOf } from '../lib/network-of.ts';
import { systemClock } from '../lib/system-clock.ts';

/** While calls are live, requests leave the thread to them twice as long as they take it. */
const REST_BESIDE_CALLS = 2;

/** The number of calls whose sound the thread of the API carries. */
export type LiveCalls = () => number;

/** The turns of the loop in which requests, and parts of long ones, may begin. */
export function requestTurns(liveCalls: LiveCalls): LoopSlices {
  return new LoopSlices({
    clock: systemClock,
    rest: () => (liveCalls() > 0 ? REST_BESIDE_CALLS : 0),
  });
}

/**
 * Beside live calls each request waits for a turn, addresses one after the other, before it is looked at: one that is
 * refused takes the thread's time too. To be registered after the socket server, which marks the requests for sockets.
 */
export function beginInTurn(
  app: FastifyInstance,
  { turns, liveCalls }: { readonly turns: Pick<LoopSlices, 'next'>; readonly liveCalls: LiveCalls },
): void {
  app.addHook('onRequest', async (request) => {
    // Sockets are admitted by counts of their own; what is asked within the process comes from no address.
    const isFromOutside = request.raw.socket instanceof Socket && !request.ws;
    if (isFromOutside && liveCalls() > 0) await turns.next(networkOf(request.ip));
  });
}
