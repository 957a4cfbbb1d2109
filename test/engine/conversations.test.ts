import { expect, test } from 'vitest';
import { wordsOf } from '../../src/engine/language/words.ts';
import { findDifferences, replayJournal } from '../../src/engine/machine/replay.ts';
import { runs, testSeed } from '../support/effort.ts';
import fc from '../support/properties.ts';
import { conversation, converse } from '../support/random-conversation.ts';

const RUNS = runs({ usual: 80, long: 5_000 });

test(`in ${RUNS} conversations of all sorts the call keeps its promises`, () => {
  fc.assert(
    fc.property(conversation, (said) => {
      const call = converse(said);

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
