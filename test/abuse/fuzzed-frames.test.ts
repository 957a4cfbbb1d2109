import { once } from 'node:events';
import { expect, test } from 'vitest';
import { createAsteriskWire } from '../../src/carriers/emulator/asterisk-wire.ts';
import { createTelnyxWire } from '../../src/carriers/emulator/telnyx-wire.ts';
import { createTwilioWire } from '../../src/carriers/emulator/twilio-wire.ts';
import type { EmulatorWire } from '../../src/carriers/emulator/wire.ts';
import { GatewayHost } from '../gateway/gateway-host.ts';
import { RawClient } from '../gateway/raw-client.ts';
import { runs, testSeed } from '../support/effort.ts';
import { PhoneRig } from '../support/phone-rig.ts';
import { CarrierHost } from './carrier-host.ts';
import { anyFrame, nearlyRight, random } from './hostile-frames.ts';

const FRAMES = Number(process.env.FUZZ_FRAMES ?? runs({ usual: 300, long: 1000 }));
const SEED = testSeed(1);
/** The codes of RFC 6455 for what a client did wrong, a plain close, and "try again". */
const REASONED = [1000, 1002, 1003, 1007, 1008, 1009, 1013];
const TIMEOUT_MS = 120_000 + FRAMES * 20;

/** Resolves with the close code, or once the server has handled all that this client sent. */
async function settled({ socket, closed }: RawClient): Promise<number | undefined> {
  const pong = once(socket, 'pong').then(() => undefined);
  if (socket.readyState === socket.OPEN) socket.ping();
  return Promise.race([pong, closed.then(({ code }) => code)]);
}

const wrong = (codes: ReadonlySet<number>) => [...codes].filter((code) => !REASONED.includes(code));
const stacks = (logged: readonly unknown[]) =>
  logged.filter((line) => JSON.stringify(line).includes('stack'));

test(
  `the web socket closes with a reason or goes on, whatever comes (seed ${SEED})`,
  async () => {
    const next = random(SEED);
    await using host = await GatewayHost.start();
    const closes = new Set<number>();
    const right = [
      '{"type":"dtmf","digit":"1"}',
      '{"type":"text","text":"Hello"}',
      Buffer.alloc(640),
    ];
    let token = 0;
    let { client } = await host.call('token-0');
    for (let sent = 0; sent < FRAMES; sent++) {
      host.clock.advanceTo(sent * 20);
      const model = right[sent % right.length] as string | Buffer;
      client.socket.send(next() < 0.5 ? anyFrame(next) : nearlyRight(next, model));
      const code = await settled(client);
      if (code === undefined) continue;
      closes.add(code);
      ({ client } = await host.call(`token-${++token}`));
    }
    expect(wrong(closes)).toEqual([]);
    expect(stacks(host.logged)).toEqual([]);
    // The service still takes calls.
    expect((await host.call('last')).ready).toMatchObject({ type: 'ready' });
  },
  TIMEOUT_MS,
);

const WIRES: Readonly<Record<string, () => EmulatorWire>> = {
  twilio: () =>
    createTwilioWire({ streamSid: 'MZ1', accountSid: 'AC1', callSid: 'CA1', parameters: {} }),
  telnyx: () =>
    createTelnyxWire({
      streamId: 's1',
      callControlId: 'c1',
      from: '+15005550100',
      to: '+15005550101',
      clientState: null,
      mode: 'rtp',
    }),
  asterisk: () => createAsteriskWire('c1'),
};

test.each(Object.keys(WIRES))(
  `the socket of %s closes with a reason or goes on, whatever comes (seed ${SEED})`,
  async (carrier) => {
    const next = random(SEED);
    await using host = await CarrierHost.start();
    const closes = new Set<number>();
    let calls = 0;
    /** A call whose stream has begun, mostly: what comes instead of its start is fuzzed too. */
    const call = async () => {
      const client = await host.connect(carrier, `t${++calls}`);
      const wire = (WIRES[carrier] as () => EmulatorWire)();
      for (const frame of wire.start())
        client.socket.send(next() < 0.1 ? nearlyRight(next, frame) : frame);
      return { client, wire };
    };
    let { client, wire } = await call();
    for (let sent = 0; sent < FRAMES; sent++) {
      host.clock.advanceTo(sent * 20);
      const right = [
        ...wire.audio(new Int16Array(160).fill(sent)),
        ...wire.dtmf('1'),
        ...wire.mark('m'),
        ...(next() < 0.05 ? wire.stop() : []),
      ];
      const model = right[Math.floor(next() * right.length)] ?? '';
      client.socket.send(next() < 0.3 ? anyFrame(next) : nearlyRight(next, model));
      const code = await settled(client);
      if (code === undefined) continue;
      closes.add(code);
      ({ client, wire } = await call());
    }
    expect(wrong(closes)).toEqual([]);
    expect(stacks(host.logged)).toEqual([]);
    // Frames came through among the others, and the service still takes calls.
    const heard = host.sessions.flatMap((session) => session.heard.map(({ type }) => type));
    expect(heard).toContain('audio');
    const last = await host.connect(carrier, 'last');
    for (const frame of (WIRES[carrier] as () => EmulatorWire)().start()) last.socket.send(frame);
    expect(await settled(last)).toBeUndefined();
  },
  TIMEOUT_MS,
);

test(
  `the handsets' socket closes with a reason or goes on, whatever comes (seed ${SEED})`,
  async () => {
    const next = random(SEED);
    await using rig = await PhoneRig.start();
    const number = '+15005550173';
    await rig.ask('POST', '/assistants/v1/numbers/emulator', { number });
    const closes = new Set<number>();
    const open = async () => {
      const { url } = await rig.ask<{ url: string }>('POST', '/calls/v1/handsets', {});
      const client = await RawClient.connect(url);
      client.start();
      await client.nextText();
      return client;
    };
    const right = [
      `{"type":"call","to":"${number}"}`,
      `{"type":"sms","to":"${number}","text":"Hello"}`,
      '{"type":"dtmf","digit":"1"}',
      '{"type":"hangup"}',
      '{"type":"answer"}',
      Buffer.alloc(640),
    ];
    let client = await open();
    for (let sent = 0; sent < FRAMES; sent++) {
      const model = right[Math.floor(next() * right.length)] as string | Buffer;
      client.socket.send(next() < 0.3 ? anyFrame(next) : nearlyRight(next, model));
      const code = await settled(client);
      if (code === undefined) continue;
      closes.add(code);
      client = await open();
    }
    expect(wrong(closes)).toEqual([]);
    client.socket.terminate();
    (await open()).socket.terminate();
  },
  TIMEOUT_MS,
);
