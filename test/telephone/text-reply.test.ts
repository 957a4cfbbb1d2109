import { describe, expect, test } from 'vitest';
import type { Llm, LlmPart } from '../../src/ports/llm.ts';
import { MAX_TEXT_CHARS, writeReply } from '../../src/telephone/text-reply.ts';

/** What becomes of an answer that the model gives in these pieces, and how many of them were asked for. */
async function reply(pieces: readonly string[]): Promise<{ text: string; asked: number }> {
  let asked = 0;
  const llm = {
    async *stream(): AsyncGenerator<LlmPart> {
      for (const text of pieces) {
        asked++;
        yield { type: 'text', text };
      }
    },
  } as unknown as Llm;
  const { signal } = new AbortController();
  const options = { temperature: 0, maxTokens: 1000, cacheKey: 'k', signal };
  return { text: await writeReply(llm, [], options), asked };
}

const words = (chars: number) => 'word '.repeat(Math.ceil(chars / 5)).slice(0, chars);

describe('an answer by text', () => {
  test('is sent as it is while it fits, without the blanks around it', async () => {
    const longest = `${words(MAX_TEXT_CHARS - 1)}.`;
    expect((await reply([' Until six.\n'])).text).toBe('Until six.');
    expect((await reply([longest])).text).toBe(longest);
    expect((await reply([])).text).toBe('');
  });

  test.each(['.', '!', '?'])(
    'that is too long ends with the last sentence that fits (%s)',
    async (end) => {
      const first = `${words(1000)}on${end}`;
      const { text } = await reply([`${first} ${words(1000)}`]);
      expect(text).toBe(first);
    },
  );

  test('whose last sentence is far from the end is cut after a word', async () => {
    const { text } = await reply([`Yes. ${words(2000)}`]);
    expect(text.length).toBeLessThanOrEqual(MAX_TEXT_CHARS);
    expect(text.length).toBeGreaterThan(MAX_TEXT_CHARS - 10);
    expect(text).toMatch(/ word…$/);
  });

  test('without any blank is cut where it has to be', async () => {
    const { text } = await reply(['a'.repeat(3000)]);
    expect(text.length).toBeLessThanOrEqual(MAX_TEXT_CHARS);
    expect(text).toMatch(/^a{1500,}…$/);
  });

  test('the model is not listened to beyond what can be sent', async () => {
    const { asked } = await reply(Array.from({ length: 10 }, () => words(1000)));
    expect(asked).toBe(2);
  });
});
