import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wordsOf } from '../../src/engine/language/words.ts';
import { findDifferences, replayJournal } from '../../src/engine/machine/replay.ts';
import type { Saying } from '../../src/simulation/utterance.ts';
import { CallHarness } from '../support/call-harness.ts';
import { runs, testSeed } from '../support/effort.ts';

const RUNS = runs({ usual: 80, long: 5_000 });

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

const scene = fc.record({
  acts: fc.array(act, { minLength: 1, maxLength: 8 }),
  answers: fc.array(answer, { minLength: 1, maxLength: 4 }),
  modelMs: fc.integer({ min: 20, max: 3000 }),
  voiceMs: fc.integer({ min: 20, max: 800 }),
  wordTimes: fc.boolean(),
  numberOfWords: fc.constantFrom(0, 0, 2),
  protectedWelcome: fc.boolean(),
  drafts: fc.boolean(),
});

test(`in ${RUNS} conversations of all sorts the call keeps its promises`, () => {
  fc.assert(
    fc.property(scene, ({ acts, answers, numberOfWords, protectedWelcome, drafts, ...world }) => {
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

      // Nothing is stuck: the last reply was said, and nothing is held or owed.
      expect(call.call.view).toMatchObject({ user: 'silent', assistant: 'idle' });

      // The record holds heard words of the assistant only, and never more than sounded.
      const heardMs = call.farEnd.heard.reduce((sum, { from, to }) => sum + to - from, 0);
      const recorded = call.messages.filter(({ role }) => role === 'assistant');
      const words = recorded.flatMap(({ text }) => wordsOf(text));
      const spoken = new Set(call.of('tts.start').flatMap(({ text }) => wordsOf(text)));
      expect(words.filter((word) => !spoken.has(word))).toEqual([]);
      expect(words.length * 300).toBeLessThanOrEqual(heardMs + recorded.length * 300 + 300);

      // A turn of the caller has at most one answer that was heard; one of which next to nothing was
      // heard may be taken back for words that came late.
      const sounded = call
        .of('turn.metrics')
        .map(({ at: when, metrics: { turn } }) => ({ when, turn }));
      const answered = sounded.filter(
        ({ when }) =>
          !call.of('play.clear').some((clear) => clear.at >= when && clear.at <= when + 300),
      );
      expect(new Set(answered.map(({ turn }) => turn)).size).toBe(answered.length);

      // And all of it can be told again.
      expect(findDifferences(replayJournal(call.journal))).toEqual([]);
    }),
    { numRuns: RUNS, seed: testSeed(11) },
  );
}, 600_000);
