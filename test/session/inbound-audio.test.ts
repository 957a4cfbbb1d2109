import { describe, expect, test } from 'vitest';
import { InboundAudio } from '../../src/session/inbound/inbound-audio.ts';
import { ManualClock } from '../support/manual-clock.ts';

const RATE_HZ = 8000;
const FRAME = new Int16Array(160).fill(3000);

/** The caller's audio with everything that may receive it, and how much each received, ms. */
function createInbound() {
  const clock = new ManualClock();
  const heardMs = { recorder: 0, monitor: 0, predictor: 0, listener: 0, operator: 0 };
  const hear = (who: keyof typeof heardMs) => (pcm: Int16Array) => {
    heardMs[who] += (pcm.length * 1000) / RATE_HZ;
  };
  const call = { isBridged: false, isClosed: false, undecidedMs: 0 };
  const parts = {
    recorder: { writeCaller: hear('recorder') },
    monitor: { writeCaller: hear('monitor') },
    predictor: { write: hear('predictor') },
    listener: {
      write: hear('listener'),
      quietBelowDb: undefined,
      get undecidedMs() {
        return call.undecidedMs;
      },
    },
  };
  const operators = {
    write: hear('operator'),
    get isBridged() {
      return call.isBridged;
    },
  };
  const supervisor = { isOn: false, hear: () => undefined };
  const inbound = new InboundAudio(parts, call, operators, supervisor, {
    clock,
    sampleRateHz: RATE_HZ,
  });
  return { inbound, call, heardMs };
}

describe("a caller's sound", () => {
  test('comes to everything that listens to the call', () => {
    const { inbound, heardMs } = createInbound();
    inbound.write(FRAME);
    expect(heardMs).toEqual({
      recorder: 20,
      monitor: 20,
      predictor: 20,
      listener: 20,
      operator: 0,
    });
  });

  test('goes to an operator instead of the assistant, at once, and is still recorded', () => {
    const { inbound, call, heardMs } = createInbound();
    call.undecidedMs = 100;
    call.isBridged = true;
    inbound.write(FRAME);
    expect(heardMs).toEqual({ recorder: 20, monitor: 20, predictor: 0, listener: 0, operator: 20 });
  });

  test('is still recorded after an operator has left, but no longer transcribed', () => {
    const { inbound, call, heardMs } = createInbound();
    call.isClosed = true;
    inbound.write(FRAME);
    expect(heardMs).toEqual({ recorder: 20, monitor: 20, predictor: 0, listener: 0, operator: 0 });
  });

  test('that is still held reaches everything before it closes', () => {
    const { inbound, call, heardMs } = createInbound();
    inbound.write(FRAME);
    call.undecidedMs = 60;
    inbound.write(FRAME);
    inbound.write(FRAME);
    expect(heardMs.listener).toBe(40);
    inbound.flush();
    expect(heardMs).toMatchObject({ recorder: 60, listener: 60 });
  });
});
