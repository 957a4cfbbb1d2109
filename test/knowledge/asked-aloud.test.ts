import { afterAll, beforeAll, expect, test } from 'vitest';
import { listAskable } from '../../src/knowledge/askable.ts';
import { toCitedPassage } from '../../src/knowledge/cited-passage.ts';
import { KnowledgeSearch } from '../../src/knowledge/search/knowledge-search.ts';
import { decideReply } from '../../src/providers/offline/llm/reply.ts';
import { createPatientStt, hear } from '../support/hear.ts';
import { withDatabase } from '../support/postgres.ts';
import { spoken } from '../support/spoken.ts';
import { TestTrainer } from '../support/training.ts';

const HANDBOOK = `# Delivery

Parcels leave our warehouse within two days. A delivery costs four euros.

# Cancellation fee

A cancellation fee of ten pounds is charged on the last day before a trip.

# Guarantee

The guarantee on a bicycle covers the frame for five years. Brakes and tyres are not part of it.`;

const ASKED = [
  ['What is the cancellation fee?', /^what is/i, /cancellation fee of ten pounds/],
  ['Can you tell me about the guarantee?', /guarantee\.$/i, /covers the frame for five years/],
  ['How much does a delivery cost?', /^how much does/i, /delivery costs four euros/],
] as const;

withDatabase('a document that is asked aloud', ({ db, newTeam }) => {
  const stt = createPatientStt();
  let trainer: TestTrainer;
  let questions: readonly Int16Array[];
  beforeAll(async () => {
    trainer = await TestTrainer.open(db());
    questions = await spoken(...ASKED.map(([question]) => question));
  });
  afterAll(async () => {
    await stt.close();
    await trainer.close();
  });

  test('is heard in questions of several forms, and answers with its passage', {
    timeout: 60_000,
  }, async () => {
    const teamId = await newTeam();
    const file = { name: 'handbook.md', format: 'md', content: HANDBOOK } as const;
    const id = await trainer.createBase(teamId, [await trainer.keep(teamId, file)]);
    await trainer.train(teamId, id);
    const bases = { teamId, knowledgeBaseIds: [id] };
    const askable = await listAskable(db(), { ...bases, limit: 500 });
    for (const [index, [, form, passage]] of ASKED.entries()) {
      const query = await hear(stt, questions[index] as Int16Array, askable);
      expect(query).toMatch(form);
      const hits = await new KnowledgeSearch(db()).search({ ...bases, query, limit: 4 });
      const { text } = decideReply({
        messages: [
          { role: 'user', content: query },
          {
            role: 'assistant',
            content: '',
            toolCalls: new Map([['call', 'knowledgeBase']]),
          },
          {
            role: 'tool',
            content: JSON.stringify({ results: hits.map(toCitedPassage) }),
            toolCallId: 'call',
          },
        ],
        tools: ['knowledgeBase'],
        mayCall: true,
      });
      expect(text).toMatch(passage);
    }
  });
});
