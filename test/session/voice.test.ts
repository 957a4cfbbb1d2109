import { expect, test } from 'vitest';
import type { CallEvent } from '../../src/engine/machine/events.ts';
import { ProviderError } from '../../src/lib/errors.ts';
import type { Tts, TtsPart, TtsRequest } from '../../src/ports/tts.ts';
import { Voice } from '../../src/session/outbound/voice.ts';
import { ManualClock } from '../support/manual-clock.ts';

const RATE = 16_000;
const audio = (ms: number, sampleRateHz = RATE): TtsPart => ({
  type: 'audio',
  pcm: new Int16Array((ms * sampleRateHz) / 1000).fill(1000),
  sampleRateHz,
});
const WORDS: TtsPart = { type: 'words', words: [{ word: 'Yes.', startMs: 0, endMs: 200 }] };

/** A part, a pause in ms or of any kind before what follows, or an error; after the last of them the voice ends, or hangs. */
type Step = TtsPart | number | Promise<void> | Error | 'hangs';

/** `later`: what it does when it is asked again. */
function setUp(steps: readonly Step[], ...later: readonly (readonly Step[])[]) {
  const clock = new ManualClock(0);
  const events: { readonly at: number; readonly event: CallEvent }[] = [];
  const requests: TtsRequest[] = [];
  const audioAt: number[] = [];
  const unexpected: unknown[] = [];
  const tts: Tts = {
    provider: 'scripted',
    async *synthesize(request) {
      requests.push(request);
      const turns = [steps, ...later];
      for (const step of turns[requests.length - 1] ?? turns.at(-1) ?? []) {
        if (step instanceof Error) throw step;
        if (step === 'hangs') await new Promise(() => undefined);
        else if (step instanceof Promise) await step;
        else if (typeof step === 'number')
          await new Promise<void>((resolve) => void clock.setTimeout(resolve, step));
        else yield step;
      }
    },
  };
  const voice = new Voice({
    clock,
    tts,
    options: { voice: 'ann' },
    sampleRateHz: RATE,
    emit: (event) => events.push({ at: clock.now(), event }),
    onAudio: () => audioAt.push(clock.now()),
    onUnexpected: (error) => unexpected.push(error),
  });
  const named = (type: CallEvent['type']) => events.filter(({ event }) => event.type === type);
  return { clock, voice, events, requests, audioAt, unexpected, named };
}

test('the first sound is told once, all of it is kept, and the end says how long it is', async () => {
  const { clock, voice, events, requests, audioAt } = setUp([
    100,
    WORDS,
    audio(0),
    audio(200),
    50,
    audio(100.03),
  ]);
  const buffer = voice.start(7, 'Yes.');
  await clock.advance(1000);
  expect(events).toEqual([
    { at: 100, event: { type: 'tts.words', uttId: 7, words: WORDS.words } },
    { at: 100, event: { type: 'tts.audio', uttId: 7 } },
    { at: 150, event: { type: 'tts.done', uttId: 7, totalMs: 300 } },
  ]);
  expect(requests).toMatchObject([{ text: 'Yes.', voice: 'ann', sampleRateHz: RATE }]);
  expect(buffer.words).toEqual(WORDS.words);
  expect(buffer.ended).toBe(true);
  expect(buffer.samples).toBe(300 * 16);
  // Playout is told of each piece, and of the end, after which nothing more comes.
  expect(audioAt).toEqual([100, 100, 150, 150]);
});

test.each([8000, 24_000, 48_000])(
  'sound of %d samples a second becomes that of the line, to its last sample',
  async (rate) => {
    const { clock, voice, named } = setUp([audio(500, rate), audio(500, rate)]);
    const buffer = voice.start(1, 'Yes.');
    await clock.advance(100);
    expect(named('tts.done')).toHaveLength(1);
    expect(buffer.durationMs).toBeGreaterThan(985);
    expect(buffer.durationMs).toBeLessThan(1015);
    const middle = buffer.read(RATE / 4, RATE / 8);
    expect(Math.min(...middle)).toBeGreaterThan(950);
    expect(Math.max(...middle)).toBeLessThan(1050);
  },
);

test('a voice may change the rate of its sound on the way', async () => {
  const { clock, voice } = setUp([audio(500, 8000), audio(500, 24_000), audio(500)]);
  const buffer = voice.start(1, 'Yes.');
  await clock.advance(100);
  expect(buffer.durationMs).toBeGreaterThan(1470);
  expect(buffer.durationMs).toBeLessThan(1530);
});

test.each<[string, readonly Step[], number]>([
  ['stops in the middle', [300, audio(200), 'hangs'], 5300],
  [
    'sends nothing for just under five seconds, and then stops',
    [4999, WORDS, 4999, audio(20), 'hangs'],
    14_998,
  ],
])('[E6] a voice that %s has failed after five seconds', async (_what, steps, at) => {
  const { clock, voice, named, unexpected } = setUp(steps);
  const buffer = voice.start(1, 'Yes.');
  await clock.advance(at - 1);
  expect(named('tts.failed')).toEqual([]);
  await clock.advance(1);
  expect(named('tts.failed')).toEqual([
    {
      at,
      event: {
        type: 'tts.failed',
        uttId: 1,
        error: {
          code: 'timeout',
          message: 'scripted: the voice stopped sending audio',
          provider: 'scripted',
          retryable: true,
        },
      },
    },
  ]);
  // What there is of it can be played to its end.
  expect(buffer.ended).toBe(true);
  expect(unexpected).toHaveLength(1);
  await clock.advance(60_000);
  expect(named('tts.failed')).toHaveLength(1);
  expect(clock.nextDueAt()).toBeUndefined();
});

test('[E6] a voice that gives nothing for five seconds is asked once more, and its owner is told', async () => {
  const { clock, voice, requests, unexpected, named } = setUp(['hangs'], [300, WORDS, audio(200)]);
  const buffer = voice.start(1, 'Yes.');
  await clock.advance(4999);
  expect(requests).toHaveLength(1);
  await clock.advance(1);
  expect(requests).toMatchObject([{ text: 'Yes.' }, { text: 'Yes.', voice: 'ann' }]);
  // The first voice learns that it is at fault: the next one in the list is asked then.
  expect(requests[0]?.signal.reason).toMatchObject({ class: 'timeout', provider: 'scripted' });
  expect(requests[1]?.signal.aborted).toBe(false);
  expect(named('vendor.failover')).toMatchObject([
    {
      at: 5000,
      event: { port: 'tts', vendor: 'scripted', successor: 'scripted', delayMs: 5000 },
    },
  ]);
  await clock.advance(60_000);
  expect(named('tts.done')).toMatchObject([{ at: 5300, event: { totalMs: 200 } }]);
  expect(named('tts.failed')).toEqual([]);
  expect(buffer.words).toEqual(WORDS.words);
  expect(unexpected).toHaveLength(1);
  expect(clock.nextDueAt()).toBeUndefined();
});

test('[E6] a voice that gives nothing twice has failed', async () => {
  const { clock, voice, requests, named } = setUp(['hangs'], ['hangs'], [audio(200)]);
  const buffer = voice.start(1, 'Yes.');
  await clock.advance(60_000);
  expect(requests).toHaveLength(2);
  expect(named('tts.failed')).toMatchObject([
    { at: 10_000, event: { error: { code: 'timeout' } } },
  ]);
  expect(buffer.ended).toBe(true);
});

test.each([
  ['is cancelled before', 4999],
  ['is cancelled while it is asked again', 5001],
])('[E6] a text that %s is not asked for again', async (_what, at) => {
  const { clock, voice, requests, named } = setUp(['hangs'], ['hangs'], [audio(200)]);
  voice.start(1, 'Yes.');
  await clock.advance(at);
  voice.cancel(1);
  await clock.advance(60_000);
  expect(requests).toHaveLength(at < 5000 ? 1 : 2);
  expect(requests.every(({ signal }) => signal.aborted)).toBe(true);
  expect(named('tts.failed')).toEqual([]);
  expect(named('tts.audio')).toEqual([]);
  expect(clock.nextDueAt()).toBeUndefined();
});

test('a voice that was cancelled says nothing more, and fails nobody', async () => {
  const { clock, voice, events, requests, unexpected } = setUp([audio(200), 1000, audio(200)]);
  voice.start(1, 'Yes.');
  await clock.advance(500);
  const before = events.length;
  voice.cancel(1);
  await clock.advance(20_000);
  expect(events).toHaveLength(before);
  expect(unexpected).toEqual([]);
  expect(requests[0]?.signal.aborted).toBe(true);
  expect(requests[0]?.signal.reason).not.toBeInstanceOf(ProviderError);
  expect(clock.nextDueAt()).toBeUndefined();
});

test('[K1] a voice that is cancelled because it stalled learns that it is at fault', async () => {
  const { clock, voice, requests } = setUp([audio(200), 'hangs']);
  voice.start(1, 'Yes.');
  await clock.advance(500);
  voice.cancel(1, true);
  expect(requests[0]?.signal.reason).toMatchObject({
    class: 'timeout',
    provider: 'scripted',
    code: 'stalled',
  });
});

test('closing cancels every utterance that is still being spoken', async () => {
  const { clock, voice, events, requests } = setUp([audio(200), 1000, audio(200)]);
  voice.start(1, 'Yes.');
  voice.start(2, 'No.');
  await clock.advance(500);
  const before = events.length;
  voice.close();
  await clock.advance(20_000);
  expect(requests.map(({ signal }) => signal.aborted)).toEqual([true, true]);
  expect(events).toHaveLength(before);
});

test('a voice that ended can no longer be cancelled', async () => {
  const { clock, voice, requests } = setUp([audio(200)]);
  voice.start(1, 'Yes.');
  await clock.advance(500);
  voice.cancel(1);
  expect(requests[0]?.signal.aborted).toBe(false);
});

test('an utterance of more than two minutes is cut off, as a failure', async () => {
  const { clock, voice, named } = setUp(Array.from({ length: 30 }, () => audio(10_000)));
  const buffer = voice.start(1, 'Yes.');
  await clock.advance(100);
  expect(buffer.durationMs).toBe(120_000);
  expect(named('tts.failed')).toMatchObject([{ event: { error: { code: 'internal' } } }]);
  expect(named('tts.done')).toEqual([]);
});

test('an error of the voice is told by its own code, and kept from the record if it is unforeseen', async () => {
  const error = new ProviderError({ class: 'rate', provider: 'x', code: 'http_429', message: 'x' });
  const known = setUp([error]);
  known.voice.start(1, 'Yes.');
  await known.clock.advance(10);
  expect(known.named('tts.failed')).toMatchObject([
    { event: { error: { code: 'http_429', provider: 'x', retryable: true } } },
  ]);
  const odd = setUp([audio(100), new Error('the key is 12345')]);
  odd.voice.start(1, 'Yes.');
  await odd.clock.advance(10);
  expect(odd.named('tts.failed')).toEqual([
    {
      at: 0,
      event: {
        type: 'tts.failed',
        uttId: 1,
        error: {
          code: 'internal',
          message: 'scripted failed unexpectedly',
          provider: 'scripted',
          retryable: false,
        },
      },
    },
  ]);
});

test('a voice of another rate is heard to its last sample, and leaves no deadline', async () => {
  const { clock, voice, named } = setUp([audio(500, 24_000), audio(510, 24_000)]);
  const buffer = voice.start(7, 'Yes.');
  await clock.advance(0);
  expect(named('tts.done')).toHaveLength(1);
  expect(buffer.samples).toBe(1010 * 16);
  expect(clock.nextDueAt()).toBeUndefined();
});

test('an utterance that is cancelled while its voice ends is not told to be done afterwards, whichever comes first', async () => {
  for (let steps = 0; steps < 12; steps++) {
    const ended = Promise.withResolvers<void>();
    const { clock, voice, named } = setUp([audio(100), ended.promise]);
    voice.start(1, 'Yes.');
    await clock.advance(0);
    ended.resolve();
    for (let step = 0; step < steps; step++) await Promise.resolve();
    const before = named('tts.done').length;
    voice.cancel(1);
    await clock.advance(0);
    expect(named('tts.done')).toHaveLength(before);
  }
});
