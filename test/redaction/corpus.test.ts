import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { corpus, score } from './corpus.ts';

const all = corpus();
const hidden = all.filter((sentence) => sentence.hidden);

/** As a recogniser writes that knows neither capitals nor commas. */
const bare = hidden.map((sentence) => ({
  ...sentence,
  text: sentence.text.toLowerCase().replaceAll(/[.,?!:;](?=\s|$)/g, ' '),
}));

/** Shares of planted values found, and of findings that are right. */
const FLOORS = { recall: 0.9, precision: 0.95 };
const BARE_FLOORS: Readonly<Record<string, number>> = { name: 0.8, address: 0.75 };

test('there are 500 sentences, of which about half are hidden', () => {
  expect(all).toHaveLength(500);
  expect(hidden.length).toBeGreaterThan(230);
  expect(all.filter(({ planted }) => !planted)).toHaveLength(100);
});

for (const [kind, of] of score(hidden))
  test(`hidden sentences: ${kind} is found, and nothing else is taken for it`, () => {
    expect(of.planted).toBeGreaterThanOrEqual(15);
    expect(of.found / of.planted).toBeGreaterThanOrEqual(FLOORS.recall);
    expect(of.right / of.reported).toBeGreaterThanOrEqual(FLOORS.precision);
  });

for (const [kind, of] of score(bare))
  test(`hidden sentences without capitals and commas: ${kind}`, () => {
    expect(of.found / of.planted).toBeGreaterThanOrEqual(BARE_FLOORS[kind] ?? FLOORS.recall);
    expect(of.right / of.reported).toBeGreaterThanOrEqual(FLOORS.precision);
  });

test('the figures of the documentation are those of this run', async () => {
  const page = await readFile(new URL('../../docs/redaction.md', import.meta.url), 'utf8');
  const row = (name: string, of: typeof hidden) =>
    `| ${[name, ...[...score(of).values()].map(({ found, planted }) => `${found}/${planted}`)].join(' | ')} |`;
  expect(page).toContain(row('recall', hidden));
  expect(page).toContain(row('the same without capitals and commas', bare));
});
