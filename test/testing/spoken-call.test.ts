import { expect, test } from 'vitest';
import { Track } from '../../src/audio/track.ts';
import { PutThrough } from '../../src/testing/spoken/put-through.ts';
import { holdSpokenCall } from '../../src/testing/spoken/spoken-call.ts';
import type { SpokenTurnPlan } from '../../src/testing/spoken/spoken-turns.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { tone } from '../support/tones.ts';

const HZ = 8000;
const SAID_MS = 1000;

interface World {
  /** When an operator is dialled and when that is over, in ms. */
  readonly rings?: number;
  readonly over?: number;
  readonly plan?: readonly SpokenTurnPlan[];
  readonly signal?: AbortSignal;
}

/** Holds a call with a caller who says nothing. `says`: when the assistant speaks. */
async function hold(says: readonly number[], { rings, over, plan = [], signal }: World = {}) {
  const clock = new ManualClock();
  const speaker = new Track();
  for (const ms of says) speaker.write(tone(400, SAID_MS), (ms * HZ) / 1000);
  const putThrough = new PutThrough();
  if (rings !== undefined) clock.setTimeout(() => putThrough.dialled(), rings);
  if (over !== undefined) clock.setTimeout(() => putThrough.ended(), over);
  const startedAt = clock.now();
  const ended = Promise.withResolvers<{ readonly reason: string }>();
  let hungUpAt = Number.NaN;
  const keys: [digit: string, atMs: number][] = [];
  const caller = {
    ...{ callId: 'c', sampleRateHz: HZ, tracks: { microphone: new Track(), speaker } },
    ended: ended.promise,
    get elapsedMs() {
      return clock.now() - startedAt;
    },
    say: () => ({ fromMs: 0, spoken: Promise.resolve() }),
    hangup() {
      if (Number.isNaN(hungUpAt)) hungUpAt = clock.now() - startedAt;
      ended.resolve({ reason: 'hung up' });
    },
    close: () => undefined,
    dtmf: (digit: string) => void keys.push([digit, clock.now() - startedAt]),
  };
  const held = holdSpokenCall({
    ...{ clock, room: undefined, plan, sounds: new Map(), maxSeconds: 60, putThrough },
    connect: async () => caller,
    condition: { name: 'clean', manner: {}, sampleRateHz: HZ },
    signal: signal ?? new AbortController().signal,
  });
  // Looked at below, after the time in which it may reject.
  held.catch(() => undefined);
  await clock.advance(61_000);
  return { held, hungUpAt, keys };
}

/** When the caller hangs up, in ms. */
async function heldUntil(says: readonly number[], world: World = {}): Promise<number> {
  const { held, hungUpAt } = await hold(says, world);
  await held;
  return hungUpAt;
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

test('keys are pressed after what the assistant says, one by one, and a pause is kept', async () => {
  const { held, keys, hungUpAt } = await hold([0, 3000], {
    plan: [
      { turn: { press: '1#', expect: [] } },
      { turn: { waitSeconds: 5, expect: [] } },
      { turn: { hangUp: true, expect: [] } },
    ],
  });
  const [first, second] = keys;
  expect(keys.map(([digit]) => digit)).toEqual(['1', '#']);
  expect(first?.[1]).toBeGreaterThan(SAID_MS + 600);
  expect((second?.[1] ?? 0) - (first?.[1] ?? 0)).toBe(250);
  const { turns, measured } = await held;
  expect(turns).toHaveLength(3);
  expect(measured).toEqual([]);
  const [, pause, last] = turns;
  expect((pause?.toMs ?? 0) - (pause?.fromMs ?? 0)).toBe(5000);
  expect(hungUpAt).toBe(last?.fromMs);
});

test('a call that takes too long is hung up, and what was said until then is judged', async () => {
  const { held, hungUpAt } = await hold(
    Array.from({ length: 50 }, (_, n) => n * (SAID_MS + 400)),
    { plan: [{ turn: { press: '1', expect: [] } }] },
  );
  expect(hungUpAt).toBe(60_000);
  expect((await held).turns).toEqual([]);
});

test('a call that is given up is hung up, and there is no result', async () => {
  const gone = AbortSignal.abort(new Error('the run is over'));
  const { held, hungUpAt } = await hold([0], { signal: gone });
  await expect(held).rejects.toThrow('the run is over');
  expect(hungUpAt).toBeLessThan(1000);
});
