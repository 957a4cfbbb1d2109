import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import type { WebSocket } from 'ws';
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
  says(frames: readonly (string | Uint8Array)[]): void {
    for (const frame of frames) this.emit('message', Buffer.from(frame), typeof frame !== 'string');
  }
  send(): void {}
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
  return { socket, connection, leg, told, sink, wire };
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
