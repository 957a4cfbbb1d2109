import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PlaybackBuffer } from '../../src/console/talk/playback-buffer.js';

const BLOCK = 8;

/** Plays this many blocks; what sounded, and the marks with the block they were reached in. */
function play(buffer: PlaybackBuffer, blocks: number) {
  const heard: number[] = [];
  const marks: string[] = [];
  for (let i = 0; i < blocks; i++) {
    const output = new Float32Array(BLOCK).fill(99);
    const count = buffer.pull(output, (name) => marks.push(`${name}@${i}`));
    heard.push(...output.subarray(0, count));
    expect([...output.subarray(count)].every((sample) => sample === 0)).toBe(true);
  }
  return { heard, marks };
}

const ramp = (from: number, count: number) =>
  Float32Array.from({ length: count }, (_, i) => from + i);

describe('the playback buffer', () => {
  test('plays what was pushed, in order, across the end of the ring', () => {
    const buffer = new PlaybackBuffer(20, 0);
    buffer.push(ramp(1, 12));
    expect(play(buffer, 1).heard).toEqual([...ramp(1, 8)]);
    buffer.push(ramp(13, 14));
    expect(play(buffer, 3).heard).toEqual([...ramp(9, 18)]);
    expect(buffer.waiting).toBe(0);
  });

  test('whatever the pieces, all of it comes out once', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(30), { maxLength: 40 }), (pieces) => {
        const buffer = new PlaybackBuffer(64, 4);
        let pushed = 0;
        const heard: number[] = [];
        for (const piece of pieces) {
          buffer.push(ramp(pushed + 1, piece));
          pushed += piece;
          heard.push(...play(buffer, 4).heard);
        }
        heard.push(...play(buffer, 12).heard);
        expect(heard).toEqual([...ramp(1, pushed)]);
        expect(buffer.dropped).toBe(0);
      }),
    );
  });

  test('a mark is reached with the last sample before it', () => {
    const buffer = new PlaybackBuffer(100, 0);
    buffer.push(ramp(1, 16));
    buffer.mark('a');
    buffer.push(ramp(17, 1));
    buffer.mark('b');
    expect(play(buffer, 4).marks).toEqual(['a@1', 'b@2']);
    buffer.mark('c');
    expect(play(buffer, 1).marks).toEqual(['c@0']);
  });

  test('a clear drops what waits, with its marks, and counts from the last clear', () => {
    const buffer = new PlaybackBuffer(100, 0);
    buffer.push(ramp(1, 30));
    buffer.mark('a');
    play(buffer, 2);
    expect(buffer.clear()).toBe(16);
    expect(play(buffer, 2)).toEqual({ heard: [], marks: [] });
    buffer.push(ramp(100, 4));
    expect(play(buffer, 1).heard).toEqual([100, 101, 102, 103]);
    expect(buffer.clear()).toBe(4);
  });

  test('after running dry it gathers a little first, but a short end is not held back for long', () => {
    const buffer = new PlaybackBuffer(100, 16);
    buffer.push(ramp(1, 8));
    expect(play(buffer, 1).heard).toEqual([]);
    buffer.push(ramp(9, 8));
    expect(play(buffer, 1).heard).toEqual([...ramp(1, 8)]);
    play(buffer, 3);
    buffer.push(ramp(1, 3));
    expect(play(buffer, 3).heard).toEqual([1, 2, 3]);
  });

  test('what does not fit is dropped and counted', () => {
    const buffer = new PlaybackBuffer(10, 0);
    buffer.push(ramp(1, 14));
    expect(buffer.dropped).toBe(4);
    expect(play(buffer, 2).heard).toEqual([...ramp(1, 10)]);
  });
});
