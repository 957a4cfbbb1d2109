import { expect, test } from 'vitest';
import { ANSWER_SCORE } from '../../src/contract/knowledge-base.ts';
import { fusePassages } from '../../src/knowledge/search/fuse-passages.ts';
import { KnowledgeSearch } from '../../src/knowledge/search/knowledge-search.ts';
import {
  cosineWithPacked,
  packVector,
  signBits,
} from '../../src/knowledge/search/packed-vector.ts';
import { QuestionVectors } from '../../src/knowledge/search/question-vectors.ts';
import { ProviderError } from '../../src/lib/errors.ts';
import type { Embedder } from '../../src/ports/embedder.ts';
import { getKnowledgeBase } from '../../src/store/knowledge-bases.ts';
import { queueKnowledgeBase } from '../../src/store/knowledge-training.ts';
import { withDatabase } from '../support/postgres.ts';
import { TestTrainer } from '../support/training.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };
const MEANINGS = [/car|vehicle|automobile/i, /physician|doctor|ill/i, /bread|bakery|loaf/i];

/** Knows three meanings, whatever the words for them. */
class ScriptedEmbedder implements Embedder {
  readonly provider = 'scripted';
  readonly model = 'three-meanings';
  failing = false;
  asked = 0;

  async embed(texts: readonly string[]): Promise<readonly Float32Array[]> {
    this.asked += texts.length;
    if (this.failing)
      throw new ProviderError({
        class: 'invalid',
        provider: 'scripted',
        code: 'http_404',
        message: 'scripted has no embeddings',
      });
    return texts.map((text) => {
      const values = MEANINGS.map((meaning) => (meaning.test(text) ? 1 : -0.1));
      const length = Math.hypot(...values);
      return Float32Array.from(values, (value) => value / length);
    });
  }
}

test('a packed vector is next to the same to compare', () => {
  const a = Float32Array.from({ length: 64 }, (_, i) => Math.sin(i * 7));
  const b = Float32Array.from({ length: 64 }, (_, i) => Math.sin(i * 7 + 0.5));
  const dot = a.reduce((sum, value, i) => sum + value * (b[i] as number), 0);
  const exact = dot / (Math.hypot(...a) * Math.hypot(...b));
  expect(cosineWithPacked(a, packVector(b))).toBeCloseTo(exact, 2);
  expect(cosineWithPacked(a, packVector(new Float32Array(64)))).toBe(0);
  expect(cosineWithPacked(a, packVector(new Float32Array(32)))).toBe(0);
  expect(signBits(packVector(a))).toEqual(signBits(a));
});

const at = (number: number) => ({ segmentId: 's', number });
const evidence = (share: number) => ({
  ...{ coverage: share, together: share, headed: 0, adjacent: share, information: share },
});

test('what both lists have comes before what one has, and scores fall along the list', () => {
  const fused = fusePassages(
    [
      { ...at(1), score: 9, evidence: evidence(0.4) },
      { ...at(2), score: 8, evidence: evidence(1) },
    ],
    [
      { ...at(3), similarity: 0.9 },
      { ...at(2), similarity: 0.5 },
    ],
  );
  expect(fused[0]?.number).toBe(2);
  const scores = fused.map(({ score }) => score);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  expect(Math.max(...scores)).toBeLessThanOrEqual(1);
});

test('a passage that words are sure of stays first, whatever the vectors say', () => {
  const byWords = [
    { ...at(1), score: 9, evidence: evidence(1) },
    { ...at(2), score: 3, evidence: evidence(0.2) },
  ];
  const byMeaning = [
    { ...at(2), similarity: 0.9 },
    { ...at(3), similarity: 0.8 },
  ];
  const [first, second] = fusePassages(byWords, byMeaning);
  expect([first?.number, second?.number]).toEqual([1, 2]);
  expect(first?.score).toBeGreaterThanOrEqual(ANSWER_SCORE);
  const unsure = byWords.map((found) => ({ ...found, evidence: evidence(0.2) }));
  expect(fusePassages(unsure, byMeaning)[0]?.number).toBe(2);
});

test('the score of the first passage is its own, not that of one after it', () => {
  const byWords = [1, 2, 3].map((number) => ({
    ...at(number),
    score: 5,
    evidence: evidence(0.2),
  }));
  const byMeaning = [
    { ...at(4), similarity: 0.9 },
    { ...at(1), similarity: 0.2 },
  ];
  const [first, second] = fusePassages(byWords, byMeaning);
  expect([first?.number, second?.number]).toEqual([1, 4]);
  expect(first?.score).toBeLessThan(ANSWER_SCORE);
});

withDatabase('search by meaning', ({ db, newTeam }) => {
  const CONTENT =
    '# Garage\n\nYour vehicle is washed on Mondays.\n\n# Health\n\nThe physician sees you at noon.\n\n# Food\n\nThe bakery has every loaf.';

  const trained = async (embedder: ScriptedEmbedder) => {
    const trainer = await TestTrainer.open(db(), { embedder });
    const teamId = await newTeam();
    const file = { name: 'house.md', format: 'md', content: CONTENT } as const;
    const id = await trainer.createBase(teamId, [await trainer.keep(teamId, file)]);
    await trainer.train(teamId, id);
    return { trainer, teamId, id };
  };
  const first = async (teamId: string, id: string, query: string, vectors?: QuestionVectors) => {
    const vector = await vectors?.find(query);
    const params = { teamId, knowledgeBaseIds: [id], query, limit: 3, vector };
    const [hit] = await new KnowledgeSearch(db()).search(params);
    return hit?.kind === 'passage' ? hit.passage.text : undefined;
  };

  test('finds what is meant in other words', async () => {
    const embedder = new ScriptedEmbedder();
    const { trainer, teamId, id } = await trained(embedder);
    const semantic = new QuestionVectors({ embedder, log });
    expect(await first(teamId, id, 'automobile cleaning')).toBeUndefined();
    expect(await first(teamId, id, 'automobile cleaning', semantic)).toContain('vehicle');
    expect(await first(teamId, id, 'I need a doctor', semantic)).toContain('physician');
    const before = embedder.asked;
    await first(teamId, id, 'I need a doctor', semantic);
    expect(embedder.asked).toBe(before);
    await trainer.close();
  });

  test('finds the same text in several files once', async () => {
    const embedder = new ScriptedEmbedder();
    const { trainer, teamId, id } = await trained(embedder);
    const fileIds = [];
    for (const name of ['a.md', 'b.md', 'c.md'])
      fileIds.push(await trainer.keep(teamId, { name, format: 'md', content: CONTENT }));
    const copies = await trainer.createBase(teamId, fileIds);
    await trainer.train(teamId, copies);
    const vector = await new QuestionVectors({ embedder, log }).find('automobile cleaning');
    const hits = await new KnowledgeSearch(db()).search({
      ...{ teamId, knowledgeBaseIds: [id, copies] },
      ...{ query: 'automobile cleaning', limit: 3, vector },
    });
    const texts = hits.map((hit) => hit.kind === 'passage' && hit.passage.text);
    expect(texts).toHaveLength(3);
    expect(new Set(texts).size).toBe(3);
    expect(texts[0]).toContain('vehicle');
    await trainer.close();
  });

  test('goes on by words when the vendor fails, in training and in search, and says so', async () => {
    const embedder = new ScriptedEmbedder();
    embedder.failing = true;
    const { trainer, teamId, id } = await trained(embedder);
    expect(await getKnowledgeBase(db(), { teamId, id })).toMatchObject({
      status: 'trained',
      statusReason: 'Trained for search by words only: scripted has no embeddings',
    });
    const semantic = new QuestionVectors({ embedder, log });
    expect(await first(teamId, id, 'when is the bakery open', semantic)).toContain('bakery');
    // Once it is well again, the next training gives the passages their vectors.
    embedder.failing = false;
    await queueKnowledgeBase(db(), { teamId, id });
    await trainer.train(teamId, id);
    expect((await getKnowledgeBase(db(), { teamId, id })).statusReason).toBeNull();
    embedder.failing = true;
    const asked = embedder.asked;
    expect(await first(teamId, id, 'automobile', semantic)).toBeUndefined();
    expect(await first(teamId, id, 'physician', semantic)).toContain('physician');
    // A vendor that failed is left alone for a while.
    expect(embedder.asked).toBe(asked);
    embedder.failing = false;
    const fresh = new QuestionVectors({ embedder, log });
    expect(await first(teamId, id, 'automobile', fresh)).toContain('vehicle');
    await trainer.close();
  });
});
