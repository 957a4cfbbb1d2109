import { EventEmitter } from 'node:events';
import { describe, expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import { mulaw } from '../../src/audio/g711.ts';
import { AsteriskMediaProtocol } from '../../src/carriers/asterisk/media-protocol.ts';
import { createAsteriskWire } from '../../src/carriers/emulator/asterisk-wire.ts';
import { FarEndPlayer } from '../../src/carriers/emulator/far-end-player.ts';
import { createTelnyxWire } from '../../src/carriers/emulator/telnyx-wire.ts';
import { createTwilioWire } from '../../src/carriers/emulator/twilio-wire.ts';
import type { EmulatorWire } from '../../src/carriers/emulator/wire.ts';
import { TelnyxMediaProtocol } from '../../src/carriers/telnyx/media-protocol.ts';
import { TwilioMediaProtocol } from '../../src/carriers/twilio/media-protocol.ts';
import { createCarrierConnection } from '../../src/gateway/carrier-codec.ts';
import { CarrierLeg } from '../../src/gateway/carrier-leg.ts';
import { carrierLimitDefaults } from '../../src/gateway/carrier-limits.ts';
import type { CarrierMediaProtocol, WireFrame } from '../../src/ports/carrier-media.ts';
import type { LegSink } from '../../src/ports/media.ts';
import { Playout } from '../../src/session/outbound/playout.ts';
import { UtteranceBuffer } from '../../src/session/outbound/utterance-buffer.ts';
import { Ticker } from '../../src/session/ticker.ts';
import { ManualClock } from '../support/manual-clock.ts';

const RATE_HZ = 8000;
const FRAME = 160;

const paths: Record<string, () => [CarrierMediaProtocol, EmulatorWire]> = {
  twilio: () => [
    new TwilioMediaProtocol(),
    createTwilioWire({ streamSid: 'MZ1', accountSid: 'AC1', callSid: 'CA1', parameters: {} }),
  ],
  telnyx: () => [
    new TelnyxMediaProtocol(),
    createTelnyxWire({
      streamId: 's1',
      callControlId: 'v3:1',
      from: '+15005550100',
      to: '+15005550199',
      clientState: null,
      mode: 'rtp',
    }),
  ],
  asterisk: () => [new AsteriskMediaProtocol(), createAsteriskWire('media.0.1')],
};

/** The service's side of one media socket and the carrier's, with a wire between them that takes no time. */
class Path {
  readonly clock = new ManualClock(1000);
  readonly leg: CarrierLeg;
  readonly heard: Int16Array[] = [];
  readonly marks: string[] = [];
  readonly player: FarEndPlayer;
  readonly refusals: string[] = [];
  onMark: (name: string) => void = () => undefined;
  readonly #socket = new EventEmitter();
  readonly #wire: EmulatorWire;

  constructor(name: string) {
    const [protocol, wire] = (paths[name] as () => [CarrierMediaProtocol, EmulatorWire])();
    this.#wire = wire;
    const { clock } = this;
    this.player = new FarEndPlayer({
      clock,
      sampleRateHz: RATE_HZ,
      startedAtMs: clock.now(),
      bufferMs: 0,
      onMark: (mark) => this.#toService(wire.mark(mark)),
    });
    const socket = Object.assign(this.#socket, {
      bufferedAmount: 0,
      send: (frame: WireFrame) => this.#toCarrier(frame),
      close: () => undefined,
      terminate: () => undefined,
    }) as unknown as WebSocket;
    const connection = createCarrierConnection(socket, protocol, {
      clock,
      limits: carrierLimitDefaults,
      sendsSilence: true,
    });
    this.leg = new CarrierLeg({
      clock,
      hangup: () => undefined,
      silence: { sendsSilence: true, needsSilence: false },
      onLoss: ({ reason }) => this.refusals.push(reason),
    });
    this.#toService(wire.start());
    this.leg.begin(connection, () => this.#sink());
  }

  /** The caller says one frame. */
  say(frame: Int16Array): void {
    this.#toService(this.#wire.audio(frame));
  }

  #sink(): LegSink {
    const nothing = () => undefined;
    return {
      audio: (pcm) => void this.heard.push(pcm.slice()),
      dtmf: nothing,
      mark: (name) => {
        this.marks.push(name);
        this.onMark(name);
      },
      cleared: nothing,
      hangup: nothing,
      lost: nothing,
      resumed: nothing,
    };
  }

  #toService(frames: readonly WireFrame[]): void {
    for (const frame of frames) {
      const isBinary = typeof frame !== 'string';
      this.#socket.emit('message', isBinary ? frame : Buffer.from(frame), isBinary);
    }
  }

  #toCarrier(frame: WireFrame): void {
    const command = this.#wire.receive(frame);
    if (command.type === 'audio') this.player.add(command.pcm);
    else if (command.type === 'mark') this.player.mark(command.name);
    else if (command.type === 'refused') this.refusals.push(command.code);
  }
}

function tone(hz: number, samples: number): Int16Array {
  return Int16Array.from({ length: samples }, (_, i) =>
    Math.round(10_000 * Math.sin((2 * Math.PI * hz * i) / RATE_HZ)),
  );
}

function powerDb(pcm: ArrayLike<number>): number {
  const sum = Array.from(pcm).reduce((total, sample) => total + sample * sample, 0);
  return 10 * Math.log10(sum / pcm.length || Number.MIN_VALUE);
}

function join(parts: readonly Int16Array[]): Int16Array {
  return Int16Array.from(parts.flatMap((part) => [...part]));
}

// None divides the sample rate: a tone of a few sample values only would measure those few steps.
const SWEEP_HZ = [203, 301, 499, 803, 1004, 1499, 2003, 2699, 3397, 3797];

describe.each(Object.keys(paths))('the sound path of %s', (name) => {
  test.each(SWEEP_HZ)('a tone of %i Hz passes both ways as G.711 alone would pass it', (hz) => {
    const sent = tone(hz, FRAME * 100);
    const reference = mulaw.decode(mulaw.encode(sent));
    const path = new Path(name);
    for (let at = 0; at < sent.length; at += FRAME) path.say(sent.subarray(at, at + FRAME));
    const inbound = join(path.heard);
    for (let at = 0; at < sent.length; at += 480) path.leg.send(sent.slice(at, at + 480));
    path.leg.mark('end');
    const outbound = path.player.track.read(0, sent.length);
    for (const received of [inbound, outbound]) {
      expect(received).toHaveLength(sent.length);
      const noise = received.map((sample, i) => sample - (sent[i] as number));
      expect(Math.abs(powerDb(received) - powerDb(sent))).toBeLessThan(0.1);
      // 40 dB is more than 8-bit companding has to give; what the path adds to it is nothing at all.
      expect(powerDb(sent) - powerDb(noise)).toBeGreaterThan(36);
      expect(received).toEqual(reference);
    }
    expect(path.refusals).toEqual([]);
  });

  test('ten minutes: no frame lost, none late, never 200 ms ahead, nothing drifts', async () => {
    const path = new Path(name);
    const { clock } = path;
    const playout = new Playout({
      clock,
      ticker: new Ticker(clock),
      emit: () => undefined,
      tap: { write: () => undefined, erase: () => undefined },
    });
    path.onMark = (mark) => playout.marked(mark);
    playout.attach(path.leg);
    const startedAt = clock.now();
    const minutes = 10;
    for (let i = 0; i < minutes; i++) {
      const utterance = new UtteranceBuffer(i + 1, RATE_HZ);
      utterance.push(tone(1004, RATE_HZ * 60));
      utterance.ended = true;
      playout.start(utterance);
    }
    const frame = tone(500, FRAME);
    let mostAheadMs = 0;
    let frames = 0;
    for (let second = 0; second < minutes * 60; second++) {
      for (let i = 0; i < 50; i++) {
        path.say(frame);
        frames++;
        await clock.advance(20);
        const aheadMs = path.player.queuedToMs - (clock.now() - startedAt);
        mostAheadMs = Math.max(mostAheadMs, aheadMs);
      }
    }
    await clock.advance(500);
    expect(mostAheadMs).toBeLessThanOrEqual(200);
    const heardSamples = path.heard.reduce((sum, pcm) => sum + pcm.length, 0);
    // What waits to be put in order at the end is at most two frames.
    expect(frames * FRAME - heardSamples).toBeLessThanOrEqual(2 * FRAME);
    const played = path.player.track.read();
    const expected = minutes * 60 * RATE_HZ;
    expect(Math.abs(played.length - expected)).toBeLessThanOrEqual(FRAME);
    expect(path.marks.length).toBeGreaterThan(minutes * 60 * 2);
    expect(path.refusals).toEqual([]);
  });
});
