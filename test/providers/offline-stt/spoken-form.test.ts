import { describe, expect, test } from 'vitest';
import { english } from '../../../src/providers/offline/stt/english.ts';
import { french } from '../../../src/providers/offline/stt/french.ts';
import { spokenForm } from '../../../src/providers/offline/stt/spoken-form.ts';

const LEXICON = new Set(
  "what's the open hours support is order number i am we at l' heure d'accord rendez vous".split(
    ' ',
  ),
);

function say(text: string, language = english): string {
  return spokenForm(text, language, (word) => LEXICON.has(word))
    .flatMap((token) => token.words)
    .join(' ');
}

describe('English', () => {
  test.each([
    ["What's the number?", "what's the number"],
    ['What’s the “number”…', "what's the number"],
    ['Is 24/7 support open?', 'is twenty four seven support open'],
    ['$15 & 20%', 'fifteen dollars and twenty percent'],
    ['1,250 hours', 'twelve fifty hours'],
    ['in 1999', 'in nineteen ninety nine'],
    ['order 007', 'order zero zero seven'],
    ['We open at 9 am', 'we open at nine a m'],
    ['I am open', 'i am open'],
    ['the VAT number', 'the v a t number'],
    ['OpenHours', 'open hours'],
    ['— ?! —', ''],
  ])('%s', (written, spoken) => {
    expect(say(written)).toBe(spoken);
  });

  test('every written word keeps its own spoken words', () => {
    expect(spokenForm('Open 24/7?', english, () => true)).toEqual([
      { written: 'Open', words: ['open'] },
      { written: '24/7?', words: ['twenty', 'four', 'seven'] },
    ]);
  });
});

test('French: elisions are two words, known ones stay whole', () => {
  expect(say("L'heure ? D'accord, rendez-vous", french)).toBe("l' heure d'accord rendez vous");
});

describe('numbers', () => {
  test.each([
    [0, 'zero', 'zéro'],
    [21, 'twenty one', 'vingt et un'],
    [71, 'seventy one', 'soixante et onze'],
    [80, 'eighty', 'quatre vingt'],
    [99, 'ninety nine', 'quatre vingt dix neuf'],
    [200, 'two hundred', 'deux cent'],
    [1234, 'twelve thirty four', 'mille deux cent trente quatre'],
    [2005, 'two thousand five', 'deux mille cinq'],
    [1_000_001, 'one million one', 'un million un'],
  ])('%i', (value, inEnglish, inFrench) => {
    expect(english.spellNumber(value)).toBe(inEnglish);
    expect(french.spellNumber(value)).toBe(inFrench);
  });
});
