import { expect, test } from 'vitest';
import { buildIndexBlock } from '../../src/knowledge/indexing/index-block.ts';
import { confidences } from '../../src/knowledge/search/confidence.ts';
import { SearchIndex } from '../../src/knowledge/search/search-index.ts';
import { searchWords } from '../../src/knowledge/search/search-words.ts';

const indexOf = (...sources: readonly (readonly string[])[]) =>
  new SearchIndex(
    sources.map((texts, i) => ({
      id: `s${i}`,
      blocks: [
        buildIndexBlock(texts.map((text, number) => ({ number, text, headings: [] as string[] }))),
      ],
    })),
  );
const found = (question: string, index: SearchIndex) => searchWords(question, [index], 10);

const ENGLISH = [
  'The museum is open every day of the week, and it is free for children who come with us.',
  'You can park your car at the station, which is not far from the house, and walk from there.',
  'The Velodrom system keeps a bicycle for you until the evening, and it is the one that we use.',
];
const FRENCH = [
  'Le système Velodrom garde un vélo pour vous jusqu’au soir, et c’est celui que nous utilisons.',
  'Vous pouvez laisser la voiture à la gare, qui n’est pas loin de la maison, et venir à pied.',
];

test('of two languages that share a name, the caller gets the passage that he understands', () => {
  const index = indexOf(FRENCH, ENGLISH);
  const [english] = found('What is the Velodrom system that you use?', index);
  expect(english && index.locate(english.passage)).toEqual({ segmentId: 's1', number: 2 });
  const [french] = found('Qu’est-ce que c’est que le système Velodrom ?', index);
  expect(french && index.locate(french.passage)).toEqual({ segmentId: 's0', number: 0 });
  // What is there in another language only is found all the same.
  expect(found('What is the Velodrom system?', indexOf(FRENCH))).not.toEqual([]);
});

test('the same text in two files is one passage, which is as certain as if it were there once', () => {
  const once = found('Where can I park my car?', indexOf(ENGLISH));
  const twice = found('Where can I park my car?', indexOf(ENGLISH, ENGLISH));
  expect(twice).toHaveLength(once.length);
  expect(confidences(twice)[0]).toBeGreaterThan((confidences(once)[0] ?? 0) - 0.15);
});

test('"how much" is a word of grammar', () => {
  const prices = indexOf(['A delivery costs four euros.', 'A much longer tour costs nine euros.']);
  const [hit] = found('How much does a delivery cost?', prices);
  expect(hit).toMatchObject({ passage: 0, evidence: { coverage: 1 } });
});

test('many rare words together are more certain than one common word', () => {
  const index = indexOf(ENGLISH);
  const [certain] = confidences(found('Is the museum open every day of the week?', index));
  const [unsure] = confidences(found('Is there a swimming lake at the house of the king?', index));
  expect(certain).toBeGreaterThan(0.5);
  expect(unsure ?? 0).toBeLessThan(0.5);
});
