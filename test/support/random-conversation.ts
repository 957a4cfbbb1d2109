import type { Saying } from '../../src/simulation/utterance.ts';
import { CallHarness } from './call-harness.ts';
import fc from './properties.ts';

const speech = fc.constantFrom(
  'Is it open?',
  'I want to book a table',
  'for two people.',
  'yeah',
  'um',
  'stop',
  'no wait',
  'four one five',
  'Tell me about the rooms you have on the ground floor please.',
  '',
);

const answer = fc.constantFrom(
  ['Yes.'],
  ['We are open from nine to six.', 'On Sunday we are closed.'],
  [
    'One moment.',
    'Here is a very long answer that goes on about the many things there are to say.',
  ],
);

interface Act {
  readonly gapMs: number;
  readonly text: string;
  readonly how: Saying;
}

const act: fc.Arbitrary<Act> = fc.record({
  gapMs: fc.integer({ min: -2500, max: 4000 }),
  text: speech,
  how: fc.record({
    finalMs: fc.integer({ min: 20, max: 1500 }),
    interims: fc.boolean(),
    vad: fc.boolean(),
  }),
});

/** What is said in a conversation of any sort, and how fast the world is. */
export const conversation = fc.record({
  acts: fc.array(act, { minLength: 1, maxLength: 8 }),
  answers: fc.array(answer, { minLength: 1, maxLength: 4 }),
  modelMs: fc.integer({ min: 20, max: 3000 }),
  voiceMs: fc.integer({ min: 20, max: 800 }),
  wordTimes: fc.boolean(),
  numberOfWords: fc.constantFrom(0, 0, 2),
  protectedWelcome: fc.boolean(),
  drafts: fc.boolean(),
});

type Conversation = typeof conversation extends fc.Arbitrary<infer Value> ? Value : never;

/** Lets a call live until everything was said. */
export function converse({
  acts,
  answers,
  numberOfWords,
  protectedWelcome,
  drafts,
  ...world
}: Conversation): CallHarness {
  const call = new CallHarness({
    ...world,
    model: (_text, n) => ({ pieces: answers[n % answers.length] as readonly string[] }),
    settings: {
      drafts,
      idle: { timeoutMs: 600_000, maxMessages: 1, messages: ['Still there?'] },
      stopSpeaking: { numberOfWords, voiceMs: 200 },
      welcome: {
        message: 'Hello and welcome to our house.',
        mode: 'assistant-speaks-first',
        interruptible: !protectedWelcome,
      },
    },
  }).answer();
  let at = 1000;
  for (const { gapMs, text, how } of acts) {
    at = Math.max(200, at + gapMs);
    at = call.says(at, text, text === '' ? { ms: 400 } : how);
  }
  call.runTo(at + 25_000);
  return call;
}
