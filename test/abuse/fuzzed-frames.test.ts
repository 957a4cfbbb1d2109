import { expect, test } from 'vitest';
import { TelnyxMediaProtocol } from '../../src/carriers/telnyx/media-protocol.ts';
import { TwilioMediaProtocol } from '../../src/carriers/twilio/media-protocol.ts';
import { parseHandsetFrame } from '../../src/gateway/handset-protocol.ts';
import { GatewayHost } from '../gateway/gateway-host.ts';

const FRAMES = Number(process.env.FUZZ_FRAMES ?? 300);
const SEED = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** Mulberry32: the same frames for the same seed. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const WORDS = [
  'start',
  'media',
  'stop',
  'dtmf',
  'mark',
  'text',
  'hangup',
  'played',
  '__proto__',
  '',
];
const KEYS = [
  'type',
  'event',
  'media',
  'payload',
  'sampleRate',
  'mark',
  'streamSid',
  'start',
  'digit',
];

function value(next: () => number, depth = 0): unknown {
  const pick = Math.floor(next() * (depth > 3 ? 6 : 8));
  if (pick < 2) return WORDS[Math.floor(next() * WORDS.length)];
  if (pick === 2) return next() * 2 ** 40 - 2 ** 39;
  if (pick === 3) return null;
  if (pick === 4) return next() < 0.5;
  if (pick === 5) return '\u0000\ud800é'.repeat(Math.floor(next() * 50));
  const inner = Array.from({ length: Math.floor(next() * 5) }, () => value(next, depth + 1));
  if (pick === 6) return inner;
  return Object.fromEntries(inner.map((each) => [KEYS[Math.floor(next() * KEYS.length)], each]));
}

function frame(next: () => number): string | Buffer {
  if (next() < 0.3) return Buffer.from(Array.from({ length: next() * 400 }, () => next() * 256));
  const text = JSON.stringify(
    next() < 0.7 ? { type: value(next), event: value(next), ...Object(value(next)) } : value(next),
  );
  return next() < 0.2 ? text.slice(0, next() * text.length) : text;
}

test(`the web socket closes with a reason or goes on, whatever comes (seed ${SEED})`, async () => {
  const next = random(SEED);
  await using host = await GatewayHost.start();
  const closes = new Set<number>();
  let token = 0;
  let { client } = await host.call('token-0');
  for (let sent = 0; sent < FRAMES; sent++) {
    host.clock.advanceTo(sent * 20);
    client.socket.send(frame(next));
    const settled = await Promise.race([host.settled(client), client.closed]);
    if (!settled) continue;
    closes.add(settled.code);
    ({ client } = await host.call(`token-${++token}`));
  }
  expect(
    [...closes].filter((code) => ![1000, 1002, 1003, 1007, 1008, 1009].includes(code)),
  ).toEqual([]);
  expect(host.logged.filter((line) => JSON.stringify(line).includes('stack'))).toEqual([]);
  // The service still takes calls.
  expect((await host.call('last')).ready).toMatchObject({ type: 'ready' });
}, 120_000);

test.each([
  ['twilio', () => new TwilioMediaProtocol()],
  ['telnyx', () => new TelnyxMediaProtocol()],
])(`the protocol of %s takes or faults every frame (seed ${SEED})`, (_, create) => {
  const next = random(SEED);
  const protocol = create();
  for (let read = 0; read < FRAMES; read++) {
    const parsed = protocol.parse(frame(next));
    expect(parsed.ok || parsed.fault.closeCode >= 1000).toBe(true);
  }
});

test(`the protocol of handsets takes or faults every frame (seed ${SEED})`, () => {
  const next = random(SEED);
  for (let read = 0; read < FRAMES; read++) {
    const parsed = parseHandsetFrame(frame(next).toString());
    expect(parsed.ok || parsed.fault.closeCode >= 1000).toBe(true);
  }
});
