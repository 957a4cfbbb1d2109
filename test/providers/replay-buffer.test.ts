import { expect, test } from 'vitest';
import { ReplayBuffer } from '../../src/providers/stt-socket/replay-buffer.ts';

const RATE_HZ = 8000;
const ms = (durationMs: number) => new Int16Array((RATE_HZ * durationMs) / 1000).fill(7);

function createTape() {
  return new ReplayBuffer({
    sampleRateHz: RATE_HZ,
    chunkMs: 60,
    quietChunkMs: 200,
    minChunkMs: 20,
    maxWaitingMs: 5000,
    maxKeptMs: 8000,
  });
}

/** Lengths of what is to be sent next; a pause is 0. */
function sent(tape: ReplayBuffer): number[] {
  const lengths: number[] = [];
  for (let entry = tape.peek(); entry; entry = tape.peek()) {
    lengths.push(tape.durationMs(entry));
    tape.advance();
  }
  return lengths;
}

function write(tape: ReplayBuffer, durationMs: number): void {
  for (let written = 0; written < durationMs; written += 20) tape.write(ms(20));
}

test('while nobody speaks the messages are long; a voice gets what is there at once, then short ones', () => {
  const tape = createTape();
  write(tape, 480);
  expect(sent(tape)).toEqual([200, 200]);
  tape.speak();
  expect(sent(tape)).toEqual([80]);
  write(tape, 140);
  expect(sent(tape)).toEqual([60, 60]);
  tape.pause();
  expect(sent(tape)).toEqual([20, 0]);
  write(tape, 200);
  expect(sent(tape)).toEqual([200]);
});

test('what is too little to be sent alone goes with what follows, and nothing is lost or moved', () => {
  const tape = createTape();
  tape.write(Int16Array.of(...Array.from({ length: 80 }, (_, i) => i)));
  tape.speak();
  expect(sent(tape)).toEqual([]);
  tape.write(Int16Array.of(...Array.from({ length: 400 }, (_, i) => 80 + i)));
  const entry = tape.peek();
  expect(entry).toMatchObject({ type: 'audio', startMs: 0 });
  expect(entry?.type === 'audio' && [...entry.pcm]).toEqual(
    Array.from({ length: 480 }, (_, i) => i),
  );
});

test('what is forgotten is not sent again, what is not yet sent is never forgotten', () => {
  const tape = createTape();
  write(tape, 1000);
  expect(sent(tape)).toEqual([200, 200, 200, 200, 200]);
  write(tape, 400);
  // Only whole messages, and of those only what was sent.
  tape.forget(1300);
  tape.rewind(0);
  expect(sent(tape)).toEqual([200, 200]);
  tape.forget(1300);
  tape.rewind(0);
  expect(tape.peek()).toMatchObject({ type: 'audio', startMs: 1200 });
  expect(tape.waitingMs).toBe(200);
});
