import { describe, expect, test } from 'vitest';
import { InboundAudio } from '../../src/session/inbound/inbound-audio.ts';
import { ManualClock } from '../support/manual-clock.ts';

const RATE_HZ = 8000;
const FRAME = new Int16Array(160).fill(3000);

/** An ear with all that may listen to it; what each of them heard, ms. */
function createEar() {
  const clock = new ManualClock();
  const heardMs = { recorder: 0, monitor: 0, judge: 0, listener: 0, operator: 0 };
  const hear = (who: keyof typeof heardMs) => (pcm: Int16Array) => {
    heardMs[who] += (pcm.length * 1000) / RATE_HZ;
  };
  const call = { isBridged: false, isClosed: false, isRecording: true, undecidedMs: 0 };
  const parts = {
    recorder: { heard: hear('recorder') },
    monitor: { heard: hear('monitor') },
    judge: { hear: hear('judge') },
    listener: {
      hear: hear('listener'),
      quietBelowDb: undefined,
      get undecidedMs() {
        return call.undecidedMs;
      },
    },
  };
  const operators = {
    heard: hear('operator'),
    get isBridged() {
      return call.isBridged;
    },
  };
  const ear = new InboundAudio(parts, call, operators, {
    clock,
    sampleRateHz: RATE_HZ,
    isRecording: () => call.isRecording,
  });
  return { ear, call, heardMs };
}

describe("a caller's sound", () => {
  test('comes to all that listen to the call', () => {
    const { ear, heardMs } = createEar();
    ear.hear(FRAME);
    expect(heardMs).toEqual({ recorder: 20, monitor: 20, judge: 20, listener: 20, operator: 0 });
  });

  test('comes to an operator instead of the assistant, at once, and stays on record', () => {
    const { ear, call, heardMs } = createEar();
    call.undecidedMs = 100;
    call.isBridged = true;
    ear.hear(FRAME);
    expect(heardMs).toEqual({ recorder: 20, monitor: 20, judge: 0, listener: 0, operator: 20 });
  });

  test('after an operator has left is still recorded, but nobody of ours, closed by then, hears it', () => {
    const { ear, call, heardMs } = createEar();
    call.isClosed = true;
    ear.hear(FRAME);
    expect(heardMs).toEqual({ recorder: 20, monitor: 20, judge: 0, listener: 0, operator: 0 });
  });

  test('is not recorded while it is not to be', () => {
    const { ear, call, heardMs } = createEar();
    call.isRecording = false;
    ear.hear(FRAME);
    expect(heardMs).toMatchObject({ recorder: 0, listener: 20 });
  });

  test('that is still held reaches them before they close', () => {
    const { ear, call, heardMs } = createEar();
    ear.hear(FRAME);
    call.undecidedMs = 60;
    ear.hear(FRAME);
    ear.hear(FRAME);
    expect(heardMs.listener).toBe(40);
    ear.flush();
    expect(heardMs).toMatchObject({ recorder: 60, listener: 60 });
  });
});
