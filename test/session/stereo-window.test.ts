import { expect, test } from 'vitest';
import { type Channel, StereoWindow } from '../../src/session/record/stereo-window.ts';
import fc from '../support/properties.ts';

const CAPACITY = 40;

/** The window as one would write it without a ring. */
class PlainWindow {
  readonly #channels = { user: new Map<number, number>(), assistant: new Map<number, number>() };
  #base = 0;
  #end = 0;

  get end(): number {
    return this.#end;
  }

  write(channel: Channel, at: number, pcm: Int16Array): void {
    for (const [i, sample] of pcm.entries()) {
      if (at + i < this.#base || at + i >= this.#base + CAPACITY) continue;
      this.#channels[channel].set(at + i, sample);
      this.#end = Math.max(this.#end, at + i + 1);
    }
  }

  erase(channel: Channel, from: number): void {
    for (const at of this.#channels[channel].keys())
      if (at >= from) this.#channels[channel].delete(at);
  }

  take(upTo: number): number[] {
    const out: number[] = [];
    const last = Math.min(upTo, this.#base + CAPACITY);
    for (; this.#base < last; this.#base++)
      for (const channel of ['user', 'assistant'] as const)
        out.push(this.#channels[channel].get(this.#base) ?? 0);
    return out;
  }
}

const channel = fc.constantFrom<Channel>('user', 'assistant');
const step = fc.oneof(
  fc.record({
    type: fc.constant('write' as const),
    channel,
    ahead: fc.integer({ min: -15, max: 50 }),
    pcm: fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 60 }),
  }),
  fc.record({
    type: fc.constant('erase' as const),
    channel,
    ahead: fc.integer({ min: -5, max: 45 }),
  }),
  fc.record({ type: fc.constant('take' as const), ahead: fc.integer({ min: -3, max: 60 }) }),
);

test('the ring holds and gives what a plain list of samples would', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const ring = new StereoWindow(CAPACITY);
      const plain = new PlainWindow();
      for (const given of steps) {
        expect(ring.end).toBe(plain.end);
        const at = Math.max(0, ring.base + given.ahead);
        if (given.type === 'take') {
          expect([...ring.take(at)]).toEqual(plain.take(at));
        } else if (given.type === 'erase') {
          ring.erase(given.channel, at);
          plain.erase(given.channel, at);
        } else {
          const pcm = Int16Array.from(given.pcm);
          ring.write(given.channel, at, pcm);
          plain.write(given.channel, at, pcm);
        }
      }
      const rest = ring.base + CAPACITY;
      expect([...ring.take(rest)]).toEqual(plain.take(rest));
    }),
    { numRuns: 400 },
  );
});
