import { describe, expect, test } from 'vitest';
import { createGuardedFetch } from '../../src/lib/guarded-fetch.ts';
import type { Clock } from '../../src/ports/clock.ts';
import {
  createOpenAiTranscriptions,
  type OpenAiTranscriptionsOptions,
} from '../../src/providers/openai-transcriptions-stt/adapter.ts';
import { CallerLine } from '../support/caller-line.ts';
import { ManualClock } from '../support/manual-clock.ts';
import {
  startTranscriptionsEmulator,
  type TranscriptionsScript,
} from '../support/transcriptions-emulator.ts';
import { describeSttContract } from './stt-contract.ts';

function create(baseUrl: string, clock: Clock, more: Partial<OpenAiTranscriptionsOptions> = {}) {
  const { fetch } = createGuardedFetch({ allowPrivate: true, clock });
  return createOpenAiTranscriptions({ apiKey: 'k', baseUrl, clock, fetch, ...more });
}

describeSttContract({
  name: 'openai-transcriptions',
  interims: false,
  connected: false,
  async emulate(script) {
    const emulator = await startTranscriptionsEmulator(script);
    return {
      baseUrl: emulator.baseUrl,
      count: () => emulator.requests.length,
      openCount: () => emulator.openRequests(),
      freeze: () => undefined,
      [Symbol.asyncDispose]: () => emulator[Symbol.asyncDispose](),
    };
  },
  create: (baseUrl, apiKey, clock) => create(baseUrl, clock, { apiKey }),
});

describe('openai-transcriptions', () => {
  const begin = async (
    script: Partial<TranscriptionsScript> = {},
    more: Partial<OpenAiTranscriptionsOptions> = {},
    options: Parameters<typeof CallerLine.open>[2] = {},
  ) => {
    const clock = new ManualClock();
    const emulator = await startTranscriptionsEmulator({ clock, ...script });
    const line = await CallerLine.open(create(emulator.baseUrl, clock, more), clock, options);
    return {
      clock,
      emulator,
      line,
      async [Symbol.asyncDispose]() {
        line.stream.close();
        await emulator[Symbol.asyncDispose]();
      },
    };
  };

  test('one language is named, several are left to the model; hints go as names', async () => {
    await using b = await begin({}, {}, { languages: ['de-AT'], hints: ['Zoë', 'Acme'] });
    await b.line.say('open');
    await b.line.pause(400);
    await expect.poll(() => b.emulator.requests).toHaveLength(1);
    expect(b.emulator.requests[0]).toEqual({
      model: 'gpt-4o-mini-transcribe',
      response_format: 'json',
      language: 'de',
      prompt: 'Names: Zoë, Acme.',
    });
    await using c = await begin({}, {}, { languages: ['de', 'en'] });
    await c.line.say('open');
    await c.line.pause(400);
    await expect.poll(() => c.emulator.requests).toHaveLength(1);
    expect(c.emulator.requests[0]).not.toHaveProperty('language');
  });

  test('silence is not sent, nor the pause between two utterances', async () => {
    await using b = await begin();
    await b.line.pause(3000);
    await b.line.say('we are open');
    await b.line.pause(3000);
    await expect.poll(() => b.line.text).toBe('we are open');
    expect(b.emulator.requests).toHaveLength(1);
  });

  test('a failure that may pass is tried once more', async () => {
    await using b = await begin({ firstStatuses: [503] });
    await b.line.say('thank you');
    await b.line.pause(400);
    await expect.poll(() => b.line.text).toBe('thank you');
    expect(b.emulator.requests).toHaveLength(2);
  });

  test('a server that does not answer is given up at the deadline', async () => {
    await using b = await begin({ hang: true }, { deadlineMs: 3000 });
    await b.line.say('thank you');
    await b.line.pause(400);
    for (const count of [1, 2]) {
      await expect.poll(() => b.emulator.requests).toHaveLength(count);
      await b.clock.advance(3000);
    }
    await expect.poll(() => b.line.errors).toHaveLength(1);
    expect(b.line.errors[0]).toMatchObject({ class: 'timeout', code: 'too_late' });
    await expect.poll(() => b.emulator.openRequests()).toBe(0);
  });

  test.each(['<html>', '{"text":5}', '[]'])('%s is no transcript', async (body) => {
    await using b = await begin({ body });
    await b.line.say('thank you');
    await b.line.pause(400);
    await expect.poll(() => b.line.errors).toHaveLength(1);
    expect(b.line.errors[0]).toMatchObject({ class: 'protocol', code: 'bad_answer' });
  });

  test('what whisper makes out of noise is not heard', async () => {
    await using b = await begin({ hallucination: 'Thanks for watching!' }, { model: 'whisper-1' });
    b.line.stream.speechStarted();
    await b.line.pause(180);
    await b.line.pause(400);
    await expect.poll(() => b.emulator.requests).toHaveLength(1);
    await b.line.say('thank you');
    await b.line.pause(400);
    await expect.poll(() => b.line.text).toBe('thank you');
  });

  test('an utterance that does not end is heard in pieces', async () => {
    await using b = await begin();
    const words = 'we are open from nine to five every day and close early on friday';
    await b.line.say(Array(7).fill(words).join(' '));
    await expect.poll(() => b.line.finals.length).toBeGreaterThan(0);
    await b.line.pause(400);
    await expect.poll(() => b.line.finals.length).toBe(2);
  });
});
