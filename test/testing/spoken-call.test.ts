import { expect, test } from 'vitest';
import { Track } from '../../src/audio/track.ts';
import { PutThrough } from '../../src/testing/spoken/put-through.ts';
import { holdSpokenCall } from '../../src/testing/spoken/spoken-call.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { tone } from '../support/tones.ts';

const HZ = 8000;
const SAID_MS = 1000;

/** A call with a caller who says nothing; resolves with when they hang up. `says`: when the assistant speaks. */
async function heldUntil(
  says: readonly number[],
  operator: { readonly rings?: number; readonly over?: number } = {},
): Promise<number> {
  const clock = new ManualClock();
  const speaker = new Track();
  for (const ms of says) speaker.write(tone(400, SAID_MS), (ms * HZ) / 1000);
  const putThrough = new PutThrough();
  if (operator.rings !== undefined) clock.setTimeout(() => putThrough.dialled(), operator.rings);
  if (operator.over !== undefined) clock.setTimeout(() => putThrough.ended(), operator.over);
  const startedAt = clock.now();
  const ended = Promise.withResolvers<{ readonly reason: string }>();
  let hungUpAt: number | undefined;
  const caller = {
    ...{ callId: 'c', sampleRateHz: HZ, tracks: { microphone: new Track(), speaker } },
    ended: ended.promise,
    get elapsedMs() {
      return clock.now() - startedAt;
    },
    say: () => ({ fromMs: 0, spoken: Promise.resolve() }),
    hangup() {
      hungUpAt ??= clock.now() - startedAt;
      ended.resolve({ reason: 'hung up' });
    },
    close: () => undefined,
    dtmf: () => undefined,
  };
  const held = holdSpokenCall({
    ...{ clock, room: undefined, plan: [], sounds: new Map(), maxSeconds: 60, putThrough },
    connect: async () => caller,
    condition: { name: 'clean', manner: {}, sampleRateHz: HZ },
    signal: new AbortController().signal,
  });
  await clock.advance(61_000);
  await held;
  return hungUpAt ?? Number.NaN;
}

test('a caller hangs up after a while of quiet', async () => {
  const at = await heldUntil([0]);
  expect(at).toBeGreaterThan(SAID_MS + 2000);
  expect(at).toBeLessThan(SAID_MS + 2500);
});

test('a caller who is about to leave stays for an operator who rings, and for what is said after that', async () => {
  const at = await heldUntil([0, 9500], { rings: SAID_MS + 1500, over: 8000 });
  expect(at).toBeGreaterThan(9500 + SAID_MS + 2000);
  expect(at).toBeLessThan(9500 + SAID_MS + 2500);
});

test('a caller who is about to leave hears out what else is said', async () => {
  const at = await heldUntil([0, SAID_MS + 1500]);
  expect(at).toBeGreaterThan(2 * SAID_MS + 1500 + 2000);
});
