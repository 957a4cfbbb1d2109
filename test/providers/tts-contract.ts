import { describe, expect, test } from 'vitest';
import { ProviderError } from '../../src/lib/errors.ts';
import type { Tts, TtsPart, TtsRequest, WordTiming } from '../../src/ports/tts.ts';
import { collect } from '../support/collect.ts';

/** A running implementation and what it can do. */
export interface TtsHarness extends AsyncDisposable {
  readonly tts: Tts;
  /** Whether it says when each word is spoken. */
  readonly wordTimings: boolean;
  /** What to ask for in order to fail. */
  readonly fail: Partial<TtsRequest>;
}

const SHORT = 'We are open from nine to five.';
const LONG =
  'Breakfast is served in the garden room, from seven in the morning until half past ten. ' +
  'Dr. Smith paid $3.50 for it, didn’t he? You are welcome to bring your dog — a small one!';

function audioOf(parts: readonly TtsPart[]): Extract<TtsPart, { type: 'audio' }>[] {
  return parts.filter((part) => part.type === 'audio');
}

function wordsOf(parts: readonly TtsPart[]): WordTiming[] {
  return parts.flatMap((part) => (part.type === 'words' ? [...part.words] : []));
}

function durationMs(parts: readonly TtsPart[]): number {
  return audioOf(parts).reduce((ms, part) => ms + (part.pcm.length * 1000) / part.sampleRateHz, 0);
}

/** What every implementation of the `Tts` port must do. */
export function describeTtsContract(name: string, start: () => Promise<TtsHarness>): void {
  describe(`Tts contract: ${name}`, () => {
    function speak({ tts }: TtsHarness, request: Partial<TtsRequest> = {}): AsyncIterable<TtsPart> {
      return tts.synthesize({
        text: SHORT,
        sampleRateHz: 16_000,
        signal: new AbortController().signal,
        ...request,
      });
    }

    test('the audio is of one rate, not empty, not silent, and of a speech’s length', async () => {
      await using harness = await start();
      const parts = await collect(speak(harness));
      const audio = audioOf(parts);
      expect(new Set(audio.map((part) => part.sampleRateHz)).size).toBe(1);
      expect(audio.every((part) => part.pcm.length > 0)).toBe(true);
      const peak = Math.max(...audio.flatMap((part) => Array.from(part.pcm, Math.abs)));
      expect(peak).toBeGreaterThan(1000);
      expect(durationMs(parts)).toBeGreaterThan(800);
      expect(durationMs(parts)).toBeLessThan(6000);
    });

    test('a longer text takes longer to say', async () => {
      await using harness = await start();
      const [short, long] = await Promise.all([
        collect(speak(harness)),
        collect(speak(harness, { text: LONG })),
      ]);
      expect(durationMs(long)).toBeGreaterThan(2 * durationMs(short));
    });

    test('word times: every word as written, in order, within the audio and filling it', async () => {
      await using harness = await start();
      const parts = await collect(speak(harness, { text: LONG }));
      const words = wordsOf(parts);
      if (!harness.wordTimings) {
        expect(words).toEqual([]);
        return;
      }
      expect(words.map((word) => word.word).join(' ')).toBe(LONG.split(/\s+/).join(' '));
      let last = 0;
      for (const word of words) {
        expect(word.startMs).toBeGreaterThanOrEqual(last);
        expect(word.endMs).toBeGreaterThanOrEqual(word.startMs);
        last = word.endMs;
      }
      const total = durationMs(parts);
      expect(last).toBeLessThanOrEqual(total + 1);
      expect(words[0]?.startMs).toBeLessThan(150);
      expect(last).toBeGreaterThan(total - 300);
      const spoken = words.reduce((ms, word) => ms + word.endMs - word.startMs, 0);
      expect(spoken).toBeGreaterThan(0.6 * total);
    });

    test('the same text in the same voice takes the same time', async () => {
      await using harness = await start();
      const first = durationMs(await collect(speak(harness)));
      expect(durationMs(await collect(speak(harness)))).toBe(first);
    });

    test('a signal that has fired starts nothing', async () => {
      await using harness = await start();
      const speaking = collect(speak(harness, { signal: AbortSignal.abort() }));
      await expect(speaking).rejects.toMatchObject({ name: 'AbortError' });
    });

    test.each(['before the first audio', 'after it'])(
      'an abort %s ends the stream within one event-loop turn, and nothing follows',
      async (when) => {
        await using harness = await start();
        const controller = new AbortController();
        const stream = speak(harness, { text: LONG, signal: controller.signal })[
          Symbol.asyncIterator
        ]();
        if (when === 'after it') expect(await stream.next()).toMatchObject({ done: false });
        const next = stream.next().then(
          () => 'part',
          (error: Error) => error.name,
        );
        controller.abort();
        const turn = new Promise((resolve) => setImmediate(() => setImmediate(resolve, 'late')));
        // A part already on its way when the abort came may still arrive; the one after may not.
        const outcome = await Promise.race([next, turn]);
        expect(['part', 'AbortError']).toContain(outcome);
        if (outcome === 'part')
          await expect(stream.next()).rejects.toMatchObject({ name: 'AbortError' });
        expect(await stream.next()).toEqual({ done: true, value: undefined });
      },
    );

    test('a reader may stop early, and the voice goes on to serve others', async () => {
      await using harness = await start();
      for await (const part of speak(harness, { text: LONG })) {
        expect(part).toBeDefined();
        break;
      }
      expect(durationMs(await collect(speak(harness)))).toBeGreaterThan(800);
    });

    test('utterances at the same time do not mix', async () => {
      await using harness = await start();
      const alone = await collect(speak(harness));
      const controller = new AbortController();
      const [first, aborted, second] = await Promise.all([
        collect(speak(harness)),
        collect(speak(harness, { text: LONG, signal: controller.signal })).catch(() => 'aborted'),
        collect(speak(harness)),
        controller.abort(),
      ]);
      expect(durationMs(first)).toBe(durationMs(alone));
      expect(durationMs(second)).toBe(durationMs(alone));
      expect(aborted).toBe('aborted');
    });

    test('failures are typed and name the provider', async () => {
      await using harness = await start();
      const error = await collect(speak(harness, harness.fail)).catch((e: unknown) => e);
      expect(error).toBeInstanceOf(ProviderError);
      expect((error as ProviderError).provider).toBe(harness.tts.provider);
    });
  });
}
