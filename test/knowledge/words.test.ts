import { describe, expect, test } from 'vitest';
import {
  buildIndexBlock,
  parseIndexBlock,
  serializeIndexBlock,
} from '../../src/knowledge/indexing/index-block.ts';
import {
  documentLanguage,
  questionLanguage,
} from '../../src/knowledge/language/detect-language.ts';
import { stemOf, termsOf } from '../../src/knowledge/language/stems.ts';
import { SearchIndex } from '../../src/knowledge/search/search-index.ts';
import { searchWords } from '../../src/knowledge/search/search-words.ts';

describe('languages', () => {
  test('a list of company names has none, and counts as English', () => {
    const names =
      'name,city\nSociété Générale,Paris\nCrédit Agricole,Lyon\nLa Poste,Nantes\nBanque de France,Lille\nPeugeot,Sochaux\nÉlectricité de Strasbourg,Strasbourg\nCompagnie des Alpes,Chamonix';
    expect(documentLanguage(names)).toBe('en');
  });

  test.each([
    [
      'de',
      'Die Werkstatt ist von Dienstag bis Samstag geöffnet. Am Montag bleibt sie geschlossen.',
    ],
    ['fr', "L'atelier est ouvert du mardi au samedi. Le lundi, il reste fermé toute la journée."],
    [
      'it',
      "L'officina è aperta dal martedì al sabato. Il lunedì rimane chiusa per tutto il giorno.",
    ],
    ['en', 'The workshop is open from Tuesday to Saturday. On Mondays it stays closed.'],
  ])('a text in %s is known', (code, text) => {
    expect(documentLanguage(text)).toBe(code);
  });

  test.each([
    ['en', 'Where can I collect my order?'],
    ['de', 'Was kostet das?'],
    ['fr', 'Quels sont vos horaires ?'],
    ['es', '¿Cuánto cuesta el envío?'],
    ['nl', 'Hoe laat gaat de winkel open?'],
  ])('a question in %s is known beside English documents', (code, question) => {
    expect(questionLanguage(question, new Set(['en']))).toBe(code);
  });

  test('Snowball keeps apart what is apart', () => {
    for (const [a, b] of [
      ['quarter', 'quart'],
      ['number', 'numb'],
      ['former', 'form'],
    ] as const)
      expect(stemOf(a, 'en')).not.toBe(stemOf(b, 'en'));
    expect(stemOf('configuration', 'en')).toBe(stemOf('configured', 'en'));
    expect(stemOf('téléphones', 'fr')).toBe(stemOf('telephone', 'fr'));
    expect(termsOf("L'heure d'été", 'fr')).toEqual(['heur', 'ete']);
  });
});

const passages = (texts: readonly string[]) =>
  texts.map((text, number) => ({ number, text, headings: [], title: '' }));

describe('the index', () => {
  test('a block reads as it was written', () => {
    const block = buildIndexBlock([
      {
        number: 7,
        text: 'Häuser, Gärten und 300 Bäume in der Stadt',
        headings: ['A', 'B'],
        title: 'T',
      },
      { number: 8, text: '', headings: [] },
    ]);
    expect(parseIndexBlock(serializeIndexBlock(block))).toEqual(block);
    const none = buildIndexBlock([]);
    expect(parseIndexBlock(serializeIndexBlock(none))).toEqual(none);
    expect(() => parseIndexBlock(serializeIndexBlock(block).subarray(0, -1))).toThrow();
  });

  const index = new SearchIndex([
    {
      id: 'a',
      blocks: [
        buildIndexBlock(
          passages([
            'The warranty of a bicycle lasts for two years and covers the frame.',
            'The receipt is needed for every return. Returns are free for thirty days.',
            'The physician sees patients in the morning. Bring your insurance card.',
            'The knight rode through the night to the castle on the hill.',
          ]),
        ),
      ],
    },
  ]);
  const first = (question: string) => searchWords(question, [index], 3)[0]?.passage;

  test.each([
    ['how long is the warrenty', 0],
    ['waranty of a bicycle', 0],
    ['do i need the reciept', 1],
    ['what does the phisician want', 2],
    ['insurrance crad', 2],
    ['who rode to the kastle', 3],
  ])('%s: typed or heard wrongly, and found', (question, passage) => {
    expect(first(question)).toBe(passage);
  });

  test('a question of nothing but words of grammar is looked up by these', () => {
    expect(searchWords('', [index], 3)).toEqual([]);
    expect(searchWords('zzz qqq', [index], 3)).toEqual([]);
    expect(searchWords('the', [index], 3)).toEqual([]);
  });
});
