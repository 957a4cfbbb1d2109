import { expect, test } from 'vitest';
import { listAskable } from '../../src/knowledge/askable.ts';
import type { FaqHit } from '../../src/knowledge/search/knowledge-hit.ts';
import { KnowledgeSearch } from '../../src/knowledge/search/knowledge-search.ts';
import { insertFaqEntries, updateFaqEntries } from '../../src/store/faq-entries.ts';
import { createKnowledgeBase } from '../../src/store/knowledge-bases.ts';
import { withDatabase } from '../support/postgres.ts';
import { BICYCLE_SHOP } from './bicycle-shop.ts';

withDatabase('knowledge search', ({ db, newTeam }) => {
  const newBase = async (
    teamId: string,
    entries: readonly { readonly question: string; readonly answer: string }[],
  ) => {
    const { id } = await createKnowledgeBase(db(), { teamId, title: 'FAQ' });
    const stored = await insertFaqEntries(db(), {
      teamId,
      knowledgeBaseId: id,
      entries: entries.map(({ question, answer }) => ({ question, answer })),
    });
    return { id, entries: stored };
  };
  const search = (teamId: string, knowledgeBaseIds: readonly string[], query: string) =>
    new KnowledgeSearch(db()).search({
      teamId,
      knowledgeBaseIds,
      query,
      limit: 5,
    }) as Promise<readonly FaqHit[]>;

  test('every way to ask finds its entry first, with a score that says so', async () => {
    const teamId = await newTeam();
    const { id } = await newBase(teamId, BICYCLE_SHOP);
    const missed: string[] = [];
    for (const { question, askedAs } of BICYCLE_SHOP) {
      for (const query of askedAs) {
        const [hit] = await search(teamId, [id], query);
        if (hit?.question !== question || hit.score < 0.4)
          missed.push(`${query} -> ${hit?.question}`);
      }
    }
    expect(missed).toEqual([]);
  });

  test('a hit carries the entry and where it is from', async () => {
    const teamId = await newTeam();
    const { id, entries } = await newBase(teamId, [{ question: 'Is it safe?', answer: 'Very.' }]);
    expect(await search(teamId, [id], 'is it safe')).toEqual([
      {
        kind: 'faq',
        id: entries[0]?.id,
        knowledgeBaseId: id,
        question: 'Is it safe?',
        answer: 'Very.',
        category: '',
        score: 1,
      },
    ]);
  });

  test.each([
    ['Wie sind die Öffnungszeiten?', 'öffnungszeit'],
    ['WIE SIND DIE ÖFFNUNGSZEITEN?', 'wie sind die offnungszeiten'],
    ['Где вы находитесь?', 'где вы находитесь'],
    ['КАКАЯ ЦЕНА?', 'цена'],
    ['ΤΙ ΏΡΑ ΑΝΟΊΓΕΤΕ;', 'τι ώρα ανοίγετε'],
    ['営業時間は何時ですか', '営業時間'],
    ['¿Cuánto cuesta el envío?', 'cuanto cuesta envio'],
    ['Do you have a café?', 'cafe'],
    ["What's a driver's licence for?", 'drivers licence'],
    ['How do I check-in?', 'how do i check in'],
    ['Do you have a website?', 'do you have a web site'],
  ])('%s is found by: %s', async (question, query) => {
    const teamId = await newTeam();
    const { id } = await newBase(teamId, [
      { question: 'Something else entirely?', answer: 'No.' },
      { question, answer: 'Yes.' },
    ]);
    const [hit] = await search(teamId, [id], query);
    expect(hit?.question).toBe(question);
    expect(hit?.score).toBeGreaterThan(0.5);
  });

  test('another team, and a knowledge base that was not named, give nothing', async () => {
    const [teamId, other] = [await newTeam(), await newTeam()];
    const named = await newBase(teamId, [{ question: 'Is it safe?', answer: 'Very.' }]);
    const unnamed = await newBase(teamId, [{ question: 'Is it safe?', answer: 'Hidden.' }]);
    expect(await search(other, [named.id, unnamed.id], 'is it safe')).toEqual([]);
    expect((await search(teamId, [named.id], 'is it safe')).map(({ answer }) => answer)).toEqual([
      'Very.',
    ]);
    expect(await search(teamId, [], 'is it safe')).toEqual([]);
  });

  test.each([
    '',
    '   ',
    '?!',
    "'",
    "'':*|!",
    'a & b | !c <-> (d):*',
    'nul\0',
    '\ud800',
    'x'.repeat(9_999),
  ])('odd text is searched without harm: %j', async (query) => {
    const teamId = await newTeam();
    const { id } = await newBase(teamId, [{ question: query, answer: "it's & '" }]);
    await expect(search(teamId, [id], query)).resolves.toBeInstanceOf(Array);
  });

  test('a changed entry is found by its new words only', async () => {
    const teamId = await newTeam();
    const { id, entries } = await newBase(teamId, [{ question: 'Is it safe?', answer: 'Very.' }]);
    await updateFaqEntries(db(), {
      teamId,
      knowledgeBaseId: id,
      entries: [{ id: entries[0]?.id ?? '', question: 'Do you sell helmets?' }],
    });
    expect(await search(teamId, [id], 'is it safe')).toEqual([]);
    expect((await search(teamId, [id], 'helmets'))[0]?.answer).toBe('Very.');
  });

  test('the right one of ten thousand entries that all match is found', async () => {
    const teamId = await newTeam();
    const kinds = ['opening hours', 'phone number', 'parking', 'manager', 'delivery time'];
    const { id } = await newBase(
      teamId,
      Array.from({ length: 10_000 }, (_, i) => ({
        question: `What is the ${kinds[i % kinds.length]} of store number ${i}?`,
        answer: `For store ${i} it is the usual, as on the sign of the store.`,
      })),
    );
    const [hit] = await search(teamId, [id], 'what is the opening hours of store number 4005');
    expect(hit?.question).toBe('What is the opening hours of store number 4005?');
  });

  test('what can be asked is every question once, in order, up to the limit', async () => {
    const teamId = await newTeam();
    const a = await newBase(teamId, [
      { question: 'B?', answer: '' },
      { question: 'A?', answer: '' },
    ]);
    const b = await newBase(teamId, [
      { question: 'A?', answer: '' },
      { question: 'C?', answer: '' },
    ]);
    const askable = (limit: number) =>
      listAskable(db(), { teamId, knowledgeBaseIds: [a.id, b.id], limit });
    expect((await askable(100)).sentences).toEqual(['B?', 'A?', 'C?']);
    expect((await askable(2)).sentences).toEqual(['B?', 'A?']);
    expect(await listAskable(db(), { teamId, knowledgeBaseIds: [], limit: 5 })).toEqual({
      sentences: [],
      topics: [],
    });
  });
});
