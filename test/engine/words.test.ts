import { describe, expect, test } from 'vitest';
import { languageOf } from '../../src/engine/language/language.ts';
import {
  beginsWithStopPhrase,
  contentWords,
  PhraseSet,
  sameWords,
  wordsOf,
} from '../../src/engine/language/words.ts';

const english = languageOf(['en-GB']);

describe('words', () => {
  test('are folded and bare of punctuation', () => {
    expect(wordsOf('It’s 3.5 p.m. — OK?')).toEqual(["it's", '3.5', 'p.m', 'ok']);
    expect(wordsOf('¡Qué día!')).toEqual(['qué', 'día']);
  });

  test('may yet become phrases while they are the beginning of one', () => {
    const set = new PhraseSet(['yeah', 'i see', 'makes sense to me']);
    expect(
      ['', 'i', 'yeah i', 'makes', 'makes sense'].map((t) => set.mayCover(wordsOf(t))),
    ).toEqual([true, true, true, true, true]);
    expect(['we', 'yeah we', 'i see you'].map((t) => set.mayCover(wordsOf(t)))).toEqual([
      false,
      false,
      false,
    ]);
  });

  test('match phrases whole, the longest first', () => {
    const set = new PhraseSet(['got it', 'got']);
    expect(set.remove(['i', 'got', 'it'])).toEqual(['i']);
    expect(set.covers(['got', 'it', 'got'])).toBe(true);
    expect(set.covers([])).toBe(false);
    expect(new PhraseSet(['and']).endsWith(['sand'])).toBe(false);
  });

  test('are matched the longest first, in whatever order they are listed', () => {
    const listed = ['no', 'no problem', 'no problem at all'];
    for (const phrases of [listed, listed.toReversed()])
      expect(new PhraseSet(phrases).matchAt(['no', 'problem', 'at', 'all'], 0)).toBe(4);
  });

  test('[C4] two texts may say the same in other clothes', () => {
    expect(sameWords('Um, book it', 'book it.', english.fillers)).toBe(true);
    expect(sameWords('book it', 'book it now', english.fillers)).toBe(false);
  });
});

test('[B1] a phrase that is a backchannel as well as a stop phrase stops', () => {
  const both = new PhraseSet(['hold on']);
  const lists = { backchannels: both, fillers: new PhraseSet([]), stopPhrases: both };
  expect(beginsWithStopPhrase('hold on a second', lists)).toBe(true);
});

describe('content words', () => {
  test.each(['yeah', 'Mm-hm.', 'uh huh, right', 'I see', 'OK, got it', 'um'])(
    '[B15] %s is no content',
    (text) => {
      expect(contentWords(text, english)).toEqual([]);
    },
  );

  test('[B3] what is left counts', () => {
    expect(contentWords('yeah but tomorrow', english)).toEqual(['but', 'tomorrow']);
  });

  test('a hint always counts', () => {
    expect(contentWords('sure', english, new Set(['sure']))).toEqual(['sure']);
  });
});

describe('stop phrases', () => {
  test.each(['Stop.', 'no', 'wait, not that one', 'um hold on', 'ok stop', 'actually I meant'])(
    '[B1] %s takes the floor',
    (text) => {
      expect(beginsWithStopPhrase(text, english)).toBe(true);
    },
  );

  test.each(['no problem', 'do not stop', 'nobody', ''])('[B1] %s does not', (text) => {
    expect(beginsWithStopPhrase(text, english)).toBe(false);
  });

  test('[B1] in other languages', () => {
    expect(beginsWithStopPhrase('Moment mal', languageOf(['de-DE']))).toBe(true);
    expect(beginsWithStopPhrase('attendez', languageOf(['fr']))).toBe(true);
    expect(beginsWithStopPhrase('espere un momento', languageOf(['es-MX']))).toBe(true);
  });
});
