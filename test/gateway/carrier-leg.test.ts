import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import { dtmfTone } from '../../src/audio/dtmf-tones.ts';
import { mulaw } from '../../src/audio/g711.ts';
import { createTwilioWire } from '../../src/carriers/emulator/twilio-wire.ts';
import { TwilioMediaProtocol } from '../../src/carriers/twilio/media-protocol.ts';
import { createCarrierConnection } from '../../src/gateway/carrier-codec.ts';
import { CarrierLeg } from '../../src/gateway/carrier-leg.ts';
import { carrierLimitDefaults } from '../../src/gateway/carrier-limits.ts';
import type { LegSink } from '../../src/ports/media.ts';
import { ManualClock } from '../support/manual-clock.ts';

/** The far end of a socket: what it sends arrives at once. */
class FarSocket extends EventEmitter {
  readonly bufferedAmount = 0;
  readonly sent: string[] = [];
  says(frames: readonly (string | Uint8Array)[]): void {
    for (const frame of frames) this.emit('message', Buffer.from(frame), typeof frame !== 'string');
  }
  send(frame: string): void {
    this.sent.push(frame);
  }
  close(): void {}
  terminate(): void {}
}

function line() {
  const clock = new ManualClock();
  const socket = new FarSocket();
  const connection = createCarrierConnection(
    socket as unknown as WebSocket,
    new TwilioMediaProtocol(),
    { clock, limits: carrierLimitDefaults, sendsSilence: true },
  );
  const leg = new CarrierLeg({
    clock,
    hangup: () => undefined,
    onLoss: () => undefined,
    silence: { sendsSilence: true, needsSilence: false },
  });
  const told: string[] = [];
  const sink: LegSink = {
    audio: () => told.push('audio'),
    dtmf: (digit) => told.push(`dtmf ${digit}`),
    mark: () => told.push('mark'),
    cleared: () => told.push('cleared'),
    hangup: () => told.push('hangup'),
    lost: (reason) => told.push(`lost ${reason}`),
    resumed: () => told.push('resumed'),
  };
  const wire = createTwilioWire({
    streamSid: 'MZ1',
    accountSid: 'AC1',
    callSid: 'CA1',
    parameters: {},
  });
  return { clock, socket, connection, leg, told, sink, wire };
}

test('keys and the end that come while the call is still looked up are its own, once', () => {
  const { socket, connection, leg, told, sink, wire } = line();
  socket.says(wire.start());
  socket.says(wire.audio(new Int16Array(160)));
  socket.says([...wire.dtmf('5'), ...wire.stop()]);
  socket.emit('close', 1000);
  leg.begin(connection, () => sink);
  expect(told).toEqual(['dtmf 5', 'hangup']);
});

test('a hang-up that is told by another way before the session is made ends it, once', () => {
  const { socket, connection, leg, told, sink, wire } = line();
  socket.says(wire.start());
  leg.hungUp();
  socket.says(wire.stop());
  leg.begin(connection, () => sink);
  leg.hungUp();
  expect(told).toEqual(['hangup']);
});

test('keys are sounded where the carrier has no command for them, each of them, one after the other', async () => {
  const { clock, socket, connection, leg, sink, wire } = line();
  socket.says(wire.start());
  leg.begin(connection, () => sink);
  leg.sendDtmf('7#9');
  const sounded: [number, string][] = [];
  for (let ms = 0; ms <= 1000; ms += 20) {
    for (const frame of socket.sent.splice(0)) {
      const { media } = JSON.parse(frame) as { media: { payload: string } };
      sounded.push([clock.now(), media.payload]);
    }
    await clock.advance(20);
  }
  const tones = [...'7#9'].map((key) =>
    Buffer.from(mulaw.encode(dtmfTone(key, 8000))).toString('base64'),
  );
  expect(sounded.map(([, tone]) => tone)).toEqual(tones);
  const gaps = sounded.slice(1).map(([at], i) => at - (sounded[i]?.[0] ?? 0));
  // With the silence after it: the far end never has two of them to play.
  const toneMs = dtmfTone('7', 8000).length / 8;
  expect(gaps).toEqual([toneMs, toneMs]);
});
