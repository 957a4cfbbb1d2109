import { expect, test } from 'vitest';
import { createFramer } from '../../src/audio/framer.ts';
import fc from '../support/properties.ts';

function ramp(length: number): Int16Array {
  return Int16Array.from({ length }, (_, i) => (i % 60000) - 30000);
}

test('pieces of any sizes come out as the same frames', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(700)), fc.integer({ min: 1, max: 400 }), (sizes, frameSamples) => {
      const total = sizes.reduce((sum, size) => sum + size, 0);
      const audio = ramp(total);
      const out: number[] = [];
      const framer = createFramer(frameSamples, (frame) => {
        expect(frame.length).toBe(frameSamples);
        out.push(...frame);
      });
      let offset = 0;
      for (const size of sizes) {
        framer.write(audio.subarray(offset, offset + size));
        offset += size;
      }
      const whole = total - (total % frameSamples);
      expect(out).toEqual([...audio.subarray(0, whole)]);
      framer.flush();
      const padded = new Int16Array(Math.ceil(total / frameSamples) * frameSamples);
      padded.set(audio);
      expect(out).toEqual([...padded]);
    }),
    { numRuns: 60 },
  );
});

test('a frame is handed over within the write that completes it, in the same array', () => {
  const frames: Int16Array[] = [];
  const framer = createFramer(4, (frame) => frames.push(frame));
  framer.write(ramp(9));
  expect(frames).toHaveLength(2);
  expect(frames[0]).toBe(frames[1]);
});

test('reset drops a started frame', () => {
  let frames = 0;
  const framer = createFramer(4, () => frames++);
  framer.write(ramp(3));
  framer.reset();
  framer.flush();
  framer.write(ramp(3));
  expect(frames).toBe(0);
});

test.each([0, -1, 1.5, Number.NaN])('a frame of %s samples is refused', (samples) => {
  expect(() => createFramer(samples, () => {})).toThrow(RangeError);
});
