import { describe, expect, test } from 'vitest';
import { readDictionary } from '../../../src/providers/offline/stt/dictionary.ts';
import { english } from '../../../src/providers/offline/stt/english.ts';
import { french } from '../../../src/providers/offline/stt/french.ts';
import { createLetterToSound } from '../../../src/providers/offline/stt/letter-to-sound.ts';
import { createPronounce } from '../../../src/providers/offline/stt/pronounce.ts';
import { inSmallDictionary, smallDictionary } from './small-dictionary.ts';

test('the first rule that fits a letter in its context wins', () => {
  const say = createLetterToSound(
    '_[c]a=K1\n[ch]=CH\n[c]+=S\n[c]=K\n[a]=A\n[e]_=\n[e]=E\n[h]=H\n[t]=T',
  );
  expect(say('cat')).toBe('K1 A T');
  expect(say('acat')).toBe('A K A T');
  expect(say('ache')).toBe('A CH');
  expect(say('ceCe')).toBe('S E S');
  expect(say('123')).toBeUndefined();
});

test('a broken rule is named', () => {
  expect(() => createLetterToSound('[a]=A\nnonsense')).toThrow(/nonsense/);
});

describe.each([
  [english, 0.22],
  [french, 0.16],
] as const)('$tag', (language, allowed) => {
  test('on words of the dictionary, few phones are wrong, and all are phones of the model', () => {
    const lookUp = readDictionary(language.model);
    const phones = new Set(language.phones);
    let wrong = 0;
    let all = 0;
    for (const word of sampleWords(lookUp)) {
      const guessed = language.letterToSound(word)?.split(' ') ?? [];
      expect(guessed.filter((phone) => !phones.has(phone))).toEqual([]);
      const errors = lookUp(word).map((sound) => distance(sound.split(' '), guessed));
      wrong += Math.min(...errors);
      all += (lookUp(word)[0] as string).split(' ').length;
    }
    expect(all).toBeGreaterThan(250);
    expect(wrong / all).toBeLessThan(allowed);
  });
});

describe('pronouncing', () => {
  const pronounce = createPronounce(smallDictionary, english);

  test('the dictionary comes first, then two of its words, then the rules', () => {
    expect(pronounce('bridge')).toEqual(['SOUND-OF-bridge']);
    expect(pronounce('website')).toEqual(['SOUND-OF-web SOUND-OF-site']);
    expect(inSmallDictionary('zendesk')).toBe(false);
    expect(pronounce('zendesk')).toEqual(['Z EH N D EH S K']);
  });

  test('what has no sound is told', () => {
    expect(pronounce('東京')).toBeUndefined();
  });
});

/** Everyday words of both languages: what a rule table must not get wrong. */
function sampleWords(lookUp: (word: string) => readonly string[]): string[] {
  const english =
    'delivery payment customer parking student discount breakfast included reservation cancel appointment password account service quality garden window market doctor machine holiday basket ticket museum library passport insurance battery computer internet engine station village picture factory';
  const french =
    'livraison paiement client parking étudiant réduction petit inclus réservation annuler compte service qualité jardin fenêtre marché docteur machine vacances panier billet musée bibliothèque passeport assurance batterie ordinateur moteur gare village usine boutique ouvert fermé horaire commande retour magasin voiture maison journée semaine bonjour merci jeudi';
  return `${english} ${french}`.split(' ').filter((word) => lookUp(word).length > 0);
}

function distance(a: readonly string[], b: readonly string[]): number {
  let row = b.map((_, j) => j + 1);
  row.unshift(0);
  for (const [i, left] of a.entries()) {
    const next = [i + 1];
    for (const [j, right] of b.entries()) {
      const replaced = (row[j] as number) + (left === right ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] as number) + 1, (next[j] as number) + 1));
    }
    row = next;
  }
  return row.at(-1) as number;
}
