import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import { AsteriskMediaProtocol } from '../../src/carriers/asterisk/media-protocol.ts';
import { createAsteriskWire } from '../../src/carriers/emulator/asterisk-wire.ts';
import { createCarrierConnection } from '../../src/gateway/carrier-codec.ts';
import { CarrierLeg } from '../../src/gateway/carrier-leg.ts';
import { carrierLimitDefaults } from '../../src/gateway/carrier-limits.ts';
import type { LegSink } from '../../src/ports/media.ts';
import { ManualClock } from '../support/manual-clock.ts';

/** A far end that answers pings, until it does not. */
class FarSocket extends EventEmitter {
  readonly bufferedAmount = 0;
  readonly sent: { readonly at: number; readonly frame: string | Uint8Array }[] = [];
  answersPings = true;
  isTerminated = false;
  readonly #clock: ManualClock;

  constructor(clock: ManualClock) {
    super();
    this.#clock = clock;
  }

  ping(): void {
    if (this.answersPings) this.emit('pong', Buffer.alloc(0));
  }

  says(frames: readonly (string | Uint8Array)[]): void {
    for (const frame of frames) this.emit('message', Buffer.from(frame), typeof frame !== 'string');
  }

  send(frame: string | Uint8Array): void {
    this.sent.push({ at: this.#clock.now(), frame });
  }

  close(): void {}

  terminate(): void {
    this.isTerminated = true;
  }

  /** Milliseconds of sound sent since an instant. */
  sentMs(since: number): number {
    return this.sent
      .filter(({ at }) => at >= since)
      .reduce((sum, { frame }) => sum + (typeof frame === 'string' ? 0 : frame.length / 8), 0);
  }
}

function line() {
  const clock = new ManualClock();
  const socket = new FarSocket(clock);
  const connection = createCarrierConnection(
    socket as unknown as WebSocket,
    new AsteriskMediaProtocol(),
    { clock, limits: carrierLimitDefaults, sendsSilence: false },
  );
  const leg = new CarrierLeg({
    clock,
    hangup: () => undefined,
    onLoss: () => undefined,
    silence: { sendsSilence: false, needsSilence: true },
  });
  const heard: { readonly at: number; readonly ms: number; readonly isSilent: boolean }[] = [];
  const lost: string[] = [];
  const nothing = () => undefined;
  const sink: LegSink = {
    audio: (pcm) =>
      void heard.push({
        at: clock.now(),
        ms: pcm.length / 8,
        isSilent: pcm.every((sample) => sample === 0),
      }),
    dtmf: nothing,
    mark: nothing,
    cleared: nothing,
    hangup: nothing,
    lost: (reason) => void lost.push(reason),
    resumed: nothing,
  };
  const wire = createAsteriskWire('media.0.CC-1');
  socket.says(wire.start());
  leg.begin(connection, () => sink);
  return { clock, socket, leg, heard, lost, wire };
}

test('a caller who sends nothing stays as long as the socket answers pings, and is lost when it does not', async () => {
  const { clock, socket, lost } = line();
  await clock.advance(60_000);
  expect(lost).toEqual([]);
  socket.answersPings = false;
  await clock.advance(carrierLimitDefaults.silentMs + carrierLimitDefaults.pongMs);
  expect(lost).toEqual(['silent']);
  expect(socket.isTerminated).toBe(true);
});

test('where the caller sends nothing, silence is heard in real time, so that speech is seen to end', async () => {
  const { clock, heard, socket, wire } = line();
  const voice = new Int16Array(160).fill(4000);
  for (let i = 0; i < 50; i++) {
    socket.says(wire.audio(voice));
    await clock.advance(20);
  }
  expect(heard.every(({ isSilent }) => !isSilent)).toBe(true);
  heard.length = 0;
  await clock.advance(2000);
  expect(heard.every(({ isSilent }) => isSilent)).toBe(true);
  const heardMs = heard.reduce((sum, { ms }) => sum + ms, 0);
  expect(heardMs).toBeGreaterThanOrEqual(1700);
  expect(heardMs).toBeLessThanOrEqual(2000);
});

test('what a jittery network delivers late is not broken up by silence', async () => {
  const { clock, heard, socket, wire } = line();
  const voice = new Int16Array(160).fill(4000);
  for (let i = 0; i < 20; i++) {
    await clock.advance(160);
    for (let frame = 0; frame < 8; frame++) socket.says(wire.audio(voice));
  }
  expect(heard.some(({ isSilent }) => isSilent)).toBe(false);
});

test('while nobody speaks the line carries silence, and speech does not wait behind it', async () => {
  const { clock, socket, leg } = line();
  const start = clock.now();
  await clock.advance(10_050);
  expect(socket.sentMs(start)).toBeGreaterThan(9700);
  expect(socket.sentMs(start)).toBeLessThan(10_300);
  const speaks = clock.now();
  leg.send(new Int16Array(160).fill(4000));
  const after = socket.sent.filter(({ at }) => at >= speaks).map(({ frame }) => frame);
  expect(after).toEqual(['{"command":"FLUSH_MEDIA"}', expect.any(Uint8Array)]);
});

test('silence never comes between pieces of speech, nor flushes a mark', async () => {
  const { clock, socket, leg } = line();
  for (let i = 0; i < 100; i++) {
    leg.send(new Int16Array(160).fill(4000));
    await clock.advance(20);
  }
  leg.mark('m1');
  const spoke = clock.now();
  await clock.advance(400);
  leg.send(new Int16Array(160).fill(4000));
  const after = socket.sent.filter(({ at }) => at >= spoke).map(({ frame }) => frame);
  expect(after.filter((frame) => frame === '{"command":"FLUSH_MEDIA"}')).toEqual([]);
  expect(socket.sentMs(0)).toBeLessThan(2000 + 20 + 400 + 140 + 140);
});
