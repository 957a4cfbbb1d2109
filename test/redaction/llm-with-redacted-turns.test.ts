import { expect, test } from 'vitest';
import { RedactionSchema } from '../../src/contract/redaction.ts';
import type { Llm, LlmMessage } from '../../src/ports/llm.ts';
import { analyseTexts } from '../../src/redaction/analyse-texts.ts';
import { CallRedactor } from '../../src/redaction/call-redactor.ts';
import { withRedactedTurns } from '../../src/redaction/llm-with-redacted-turns.ts';

/** What the model gets of these messages. */
async function sent(messages: readonly LlmMessage[]): Promise<readonly string[]> {
  const redactor = new CallRedactor({
    settings: RedactionSchema.parse({ kinds: ['card', 'phone', 'name'], model: true }),
    languages: ['en-US'],
    analyse: async (task) => analyseTexts(task),
    onWithheld: (error) => {
      throw error;
    },
  });
  let got: readonly LlmMessage[] = [];
  const llm: Llm = {
    provider: 'test',
    async *stream(request) {
      got = request.messages;
      yield { type: 'text', text: 'All right.' };
    },
  };
  const { signal } = new AbortController();
  for await (const _ of withRedactedTurns(llm, redactor).stream({ messages, signal }));
  return got.map(({ content }) => content);
}

const CARD = '4111 1111 1111 1111';

test('earlier turns are masked; the words to be answered and what the owner wrote are not', async () => {
  expect(
    await sent([
      { role: 'system', content: 'Our number is 415 555 2671.' },
      { role: 'user', content: `my card is ${CARD}` },
      { role: 'assistant', content: `You said ${CARD}.` },
      { role: 'system', content: 'Whisper of a supervisor: offer 415 555 2671.' },
      { role: 'user', content: `no, it is ${CARD}` },
    ]),
  ).toEqual([
    'Our number is 415 555 2671.',
    'my card is [card]',
    'You said [card].',
    'Whisper of a supervisor: offer 415 555 2671.',
    `no, it is ${CARD}`,
  ]);
});

test('what a person says who has taken the call over is masked, after the caller’s last words as well', async () => {
  const spoken = (text: string): LlmMessage => ({
    role: 'system',
    content: `Bo said to the caller: ${text}`,
    isSpoken: true,
  });
  expect(
    await sent([
      { role: 'system', content: 'You help.' },
      spoken(`So your card is ${CARD}?`),
      { role: 'user', content: 'Yes.' },
      spoken('I call you back on 415 555 2671.'),
    ]),
  ).toEqual([
    'You help.',
    'Bo said to the caller: So your card is [card]?',
    'Yes.',
    'Bo said to the caller: I call you back on [phone].',
  ]);
});
