import { expect, test } from 'vitest';
import { costOf, PricesSchema } from '../../src/contract/prices.ts';

const prices = PricesSchema.parse({
  currency: 'EUR',
  llm: {
    openai: { inputPerMillion: 2, outputPerMillion: 8 },
    'openai/mini': { inputPerMillion: 0.4, cachedInputPerMillion: 0.1, outputPerMillion: 1.6 },
  },
  stt: { deepgram: { perMinute: 0.006 } },
  tts: { elevenlabs: { perThousandCharacters: 0.1 } },
});

test('each unit at its price: cached tokens at theirs, a model before its vendor', () => {
  const usage = {
    kind: 'llm',
    vendor: 'openai',
    requests: 1,
    inputTokens: 1e6,
    outputTokens: 5e5,
  } as const;
  expect(costOf([{ ...usage, model: 'mini', cachedTokens: 5e5 }], prices).total).toBe(1.05);
  expect(costOf([{ ...usage, model: 'other', cachedTokens: 5e5 }], prices).total).toBe(6);
  expect(
    costOf(
      [
        { kind: 'stt', vendor: 'deepgram', requests: 2, audioMs: 90_000 },
        { kind: 'tts', vendor: 'elevenlabs', requests: 3, characters: 250 },
      ],
      prices,
    ),
  ).toEqual({
    currency: 'EUR',
    total: 0.034,
    lines: [
      { kind: 'stt', vendor: 'deepgram', amount: 0.009 },
      { kind: 'tts', vendor: 'elevenlabs', amount: 0.025 },
    ],
    unpriced: [],
  });
});

test('a vendor without a price is named, and what runs here is free', () => {
  const cost = costOf(
    [
      { kind: 'llm', vendor: 'google', model: 'flash', requests: 1, inputTokens: 10 },
      { kind: 'tts', vendor: 'offline', requests: 1, characters: 10 },
    ],
    prices,
  );
  expect(cost).toMatchObject({ total: 0, lines: [], unpriced: ['google/flash'] });
});

test('prices that make no sense are refused', () => {
  const bad = { currency: 'euro', stt: { deepgram: { perMinute: -1 } }, ttts: {} };
  const paths = PricesSchema.safeParse(bad).error?.issues.map(({ path }) => path.join('.'));
  expect(paths).toEqual(expect.arrayContaining(['currency', 'stt.deepgram.perMinute', '']));
});
