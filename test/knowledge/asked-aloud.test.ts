import { afterAll, beforeAll, expect, test } from 'vitest';
import { listAskable } from '../../src/knowledge/askable.ts';
import { toCitedPassage } from '../../src/knowledge/cited-passage.ts';
import { KnowledgeSearch } from '../../src/knowledge/search/knowledge-search.ts';
import { decideReply } from '../../src/providers/offline/llm/reply.ts';
import { createOfflineStt } from '../../src/providers/offline/stt/adapter.ts';
import { ManualClock } from '../support/manual-clock.ts';
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
  // Time stands still: no deadline passes on a busy machine.
  const stt = createOfflineStt({ clock: new ManualClock(), maxThreads: 1, slotsPerThread: 1 });
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

  async function hear(pcm: Int16Array, knowledgeBaseId: string, teamId: string): Promise<string> {
    const { sentences, topics } = await listAskable(db(), {
      teamId,
      knowledgeBaseIds: [knowledgeBaseId],
      limit: 500,
    });
    const heard = Promise.withResolvers<string>();
    const stream = await stt.open({
      sampleRateHz: 8000,
      languages: ['en-US'],
      hints: [],
      phrases: sentences,
      topics,
      signal: new AbortController().signal,
      onEvent: (event) => {
        if (event.type === 'final') heard.resolve(event.text);
        else if (event.type === 'error') heard.reject(new Error(event.error.message));
      },
    });
    stream.speechStarted();
    for (let i = 0; i < pcm.length; i += 160) stream.write(pcm.subarray(i, i + 160));
    stream.speechEnded();
    return heard.promise.finally(() => stream.close());
  }

  test('is heard in questions of several forms, and answers with its passage', {
    timeout: 60_000,
  }, async () => {
    const teamId = await newTeam();
    const file = { name: 'handbook.md', format: 'md', content: HANDBOOK } as const;
    const id = await trainer.createBase(teamId, [await trainer.keep(teamId, file)]);
    await trainer.train(teamId, id);
    for (const [index, [, form, passage]] of ASKED.entries()) {
      const query = await hear(questions[index] as Int16Array, id, teamId);
      expect(query).toMatch(form);
      const hits = await new KnowledgeSearch(db()).search({
        teamId,
        knowledgeBaseIds: [id],
        query,
        limit: 4,
      });
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
