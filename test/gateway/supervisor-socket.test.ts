import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { registerSocketServer } from '../../src/gateway/socket-server.ts';
import {
  registerSupervisorSocket,
  type Supervisor,
  type SupervisorGatewayDeps,
} from '../../src/gateway/supervisor-socket.ts';
import { MAX_FRAME_BYTES } from '../../src/gateway/web-protocol.ts';
import { VirtualClock } from '../../src/lib/virtual-clock.ts';
import type { Microphone, TakenOver, TakeOverRefusal } from '../../src/ports/call-take-over.ts';
import { eventually } from '../support/eventually.ts';
import { RawClient } from './raw-client.ts';

/** A call whose taking over is watched, or refused. */
class FakeCall {
  refusal: string | undefined;
  breaks = false;
  microphone: Microphone | undefined;
  readonly taken: string[] = [];
  readonly written: number[] = [];
  givenBack = 0;

  async takeOver(
    id: string,
    microphone: Microphone,
    by: string,
  ): Promise<TakenOver | TakeOverRefusal> {
    if (this.breaks) throw new Error('the session is gone');
    if (this.refusal !== undefined) return { refusal: this.refusal };
    this.taken.push(`${id} by ${by}`);
    this.microphone = microphone;
    return {
      write: (pcm) => void this.written.push(pcm.length),
      giveBack: () => void this.givenBack++,
    };
  }
}

describe('the socket of a person who takes a call over', () => {
  let app: FastifyInstance;
  let call: FakeCall;
  let watching: (() => void) | undefined;
  let logged: string[];
  let deps: SupervisorGatewayDeps;
  const clients: RawClient[] = [];

  beforeEach(async () => {
    call = new FakeCall();
    watching = undefined;
    logged = [];
    const supervisor: Supervisor = {
      callId: 'WC-1',
      by: 'Ada',
      watch(end) {
        watching = end;
        return () => {
          watching = undefined;
        };
      },
    };
    deps = {
      findTokenTeam: async () => 'team',
      redeem: async (token) => (token === 'good' ? supervisor : undefined),
      calls: call,
      clock: new VirtualClock(),
      log: { error: (_about: unknown, message?: string) => void logged.push(String(message)) },
    };
    app = fastify();
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.socket.terminate();
    await app.close();
  });

  async function connect(change: Partial<SupervisorGatewayDeps> = {}, token = 'good') {
    await registerSocketServer(app, { maxFrameBytes: MAX_FRAME_BYTES });
    registerSupervisorSocket(app, { ...deps, ...change });
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    const client = await RawClient.connect(`ws://127.0.0.1:${port}/media/take-over/${token}`);
    clients.push(client);
    return client;
  }
  async function takeOver() {
    const client = await connect();
    client.start(16_000);
    const taken = { type: 'taken-over', callId: 'WC-1', sampleRate: 16_000 };
    expect(await client.nextText()).toEqual(taken);
    return client;
  }

  test('carries sound both ways at the rate of the browser, and gives the call back with a hangup', async () => {
    const client = await takeOver();
    expect(call.taken).toEqual(['WC-1 by Ada']);
    expect(call.microphone?.sampleRateHz).toBe(16_000);
    call.microphone?.audio(new Int16Array(320).fill(1000));
    expect(await client.nextAudio()).toEqual(new Int16Array(320).fill(1000));
    client.audio(new Int16Array(320).fill(500));
    client.say({ type: 'hangup' });
    await eventually(() => expect(call.givenBack).toBe(1));
    expect(call.written).toEqual([320]);
    call.microphone?.over('given back');
    expect(await client.nextText()).toEqual({ type: 'ended', reason: 'given back' });
    await client.closed;
    await eventually(() => expect(watching).toBeUndefined());
  });

  test('gives the call back if it breaks', async () => {
    const client = await takeOver();
    client.socket.terminate();
    await eventually(() => expect(call.givenBack).toBe(1));
    await eventually(() => expect(watching).toBeUndefined());
  });

  test('gives the call back if the person may speak no more', async () => {
    await takeOver();
    watching?.();
    expect(call.givenBack).toBe(1);
  });

  test.each<readonly [string, string, string, (call: FakeCall) => Partial<SupervisorGatewayDeps>]>([
    ['a token that is unknown when it is used', 'bad', 'unknown-token', () => ({})],
    [
      'a token of no team',
      'good',
      'unknown-token',
      () => ({ findTokenTeam: async () => undefined }),
    ],
    [
      'a store that does not answer',
      'good',
      'internal',
      () => ({ findTokenTeam: () => Promise.reject(new Error('the database is away')) }),
    ],
    [
      'a token that cannot be redeemed',
      'good',
      'internal',
      () => ({ redeem: () => Promise.reject(new Error('away')) }),
    ],
    [
      'a call that refuses',
      'good',
      'refused',
      (one) => {
        one.refusal = 'The call is being transferred.';
        return {};
      },
    ],
    [
      'a call that breaks',
      'good',
      'internal',
      (one) => {
        one.breaks = true;
        return {};
      },
    ],
  ])('%s is told with its code before the socket closes', async (_what, token, code, change) => {
    const client = await connect(change(call), token);
    client.start(16_000);
    const told = await client.nextText();
    expect(told).toMatchObject({ type: 'error', code });
    if (code === 'refused') expect(told.message).toBe('The call is being transferred.');
    await client.closed;
    expect(call.taken).toEqual([]);
    expect(logged.length).toBe(code === 'internal' ? 1 : 0);
  });
});
