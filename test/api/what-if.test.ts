import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PricesSchema } from '../../src/contract/prices.ts';
import { newCallId } from '../../src/lib/ids.ts';
import type { JournalLine } from '../../src/ports/journal.ts';
import type { Llm, LlmMessage } from '../../src/ports/llm.ts';
import type { VendorMeter } from '../../src/ports/vendor-meter.ts';
import { appendCallEvents } from '../../src/store/call-events.ts';
import { createCall, updateCall } from '../../src/store/calls.ts';
import { startTestApi, type TestApi, type TestClient } from '../support/api.ts';
import { callSnapshot } from '../support/call-snapshot.ts';
import { withDatabase } from '../support/postgres.ts';
import { recordedConversation } from '../support/recorded-conversation.ts';

const PATH = '/calls/v1/conversations';

withDatabase('what-if', ({ db, newTeam }) => {
  let api: TestApi;
  let ada: TestClient;
  let eve: TestClient;
  beforeAll(async () => {
    api = await startTestApi(db(), {
      modelOf: (assistant, _team, meter) => metered(assistant.assistantModel, meter),
      prices: PricesSchema.parse({
        currency: 'EUR',
        llm: { 'openai/dear': { inputPerMillion: 1000, outputPerMillion: 1000 } },
      }),
    });
    ada = await api.client(await newTeam());
    eve = await api.client(await newTeam());
  });
  afterAll(() => api.close());

  const record = async (
    lines: readonly JournalLine[] = recordedConversation(),
    { ended = true, assistantId = 'ada' } = {},
  ): Promise<string> => {
    const id = newCallId('web');
    const { teamId } = ada;
    const startAt = new Date('2026-01-31T08:00:00.000Z');
    const fields = { id, teamId, assistantId, startAt, snapshot: callSnapshot } as const;
    await createCall(db(), { ...fields, callType: 'web', direction: 'inbound' });
    if (ended)
      await updateCall(db(), {
        ...{ teamId, id },
        change: { status: 'finished', endAt: new Date('2026-01-31T08:01:00.000Z') },
      });
    await appendCallEvents(db(), { teamId, callId: id, lines });
    return id;
  };
  const asked: (readonly LlmMessage[])[] = [];
  const model: Llm = {
    provider: 'scripted',
    async *stream({ messages }) {
      asked.push(messages);
      const said = messages.findLast(({ role }) => role === 'user')?.content;
      if (said?.includes('Thank')) throw new Error('out of words');
      yield { type: 'text', text: 'At nine. Anything else?' };
      yield { type: 'finish', reason: 'stop' };
    },
  };
  /** The same, as a vendor counts: each request has 100 tokens. */
  const metered = (name: string, meter: VendorMeter | undefined): Llm => ({
    provider: 'openai',
    async *stream(request) {
      yield* model.stream(request);
      const usage = { inputTokens: 80, outputTokens: 20 };
      meter?.finished({ kind: 'llm', vendor: 'openai', model: name }, 'ok', usage);
    },
  });
  const slower = { assistant: { startSpeakingOptions: { waitSeconds: 1.5 } } };

  test('a call with another wait: every answer later, nothing said or stored', async () => {
    const id = await record();
    const { status, body } = await ada.post(`${PATH}/${id}/what-if`, slower);
    expect(status).toBe(200);
    expect(body).toMatchObject({ divergence: { what: 'play.start' }, notReplayed: [], notes: [] });
    expect(body.turns.map(({ certainty }: { certainty: string }) => certainty)).toEqual([
      'exact',
      'simulated',
      'simulated',
      'simulated',
    ]);
    expect(body.turns[1].replayed.answerMs).toBe(1500);
    expect(body.turns[1].replayed.assistant).toBe(body.turns[1].recorded.assistant);
    expect(body.replayed.turns).toBe(body.recorded.turns);
    const again = await ada.post(`${PATH}/${id}/what-if`, slower);
    expect(again.text).toBe((await ada.post(`${PATH}/${id}/what-if`, slower)).text);
    expect((await ada.get(`${PATH}/${id}/transcript`)).body.messages).toEqual([]);
  });

  test('a call that was priced shows what it would have cost', async () => {
    const id = await record();
    const line = { vendor: 'some', amount: 0.01 };
    const kinds = ['llm', 'tts', 'stt'].map((kind) => ({ kind, ...line }));
    const cost = { currency: 'EUR', total: 0.03, lines: kinds, unpriced: [] };
    await updateCall(db(), { teamId: ada.teamId, id, change: { cost } });
    const same = await ada.post(`${PATH}/${id}/what-if`, {});
    expect(same.body.cost).toEqual({ currency: 'EUR', recorded: 0.03, replayed: 0.03 });
    const longer = { assistant: { welcomeMessage: 'Hello there, and welcome to the table desk.' } };
    const { body } = await ada.post(`${PATH}/${id}/what-if`, longer);
    expect(body.cost.replayed).toBeGreaterThan(0.03);
  });

  test('what a replay cannot show is named', async () => {
    const id = await record();
    const { body } = await ada.post(`${PATH}/${id}/what-if`, {
      assistant: { name: 'Grace', assistantTemperature: 0.1 },
    });
    expect(body).toMatchObject({
      divergence: null,
      notReplayed: ['name', 'assistantTemperature'],
    });
  });

  test('a model that is asked what it was not asked, in its own words', async () => {
    const hangsUpEarly = recordedConversation().filter(({ at }) => at < 6000);
    const id = await record(hangsUpEarly);
    const change = { assistant: { assistantSystemPrompt: 'Be brief.' }, askModel: true };
    const { body } = await ada.post(`${PATH}/${id}/what-if`, change);
    expect(body.turns[1]).toMatchObject({
      certainty: 'simulated',
      replayed: {
        user: 'When do you open?',
        assistant: expect.stringMatching(/^At nine\. Anything else\?/),
      },
    });
    expect(asked[0]?.[0]?.content).toContain('Be brief.');
    const broken = await ada.post(`${PATH}/${await record()}/what-if`, change);
    expect(broken).toMatchObject({
      status: 502,
      body: { message: 'The model did not answer: out of words' },
    });
  });

  describe('a vendor’s model', () => {
    const assistant = {
      assistantSystemPrompt: 'Be brief.',
      assistantProvider: 'openai',
      assistantModel: 'dear',
    };
    // Two questions; without the thanks.
    const early = recordedConversation().filter(({ at }) => at < 14_000);

    test('is estimated before, and asked for nothing by that', async () => {
      const id = await record(early);
      const before = asked.length;
      const { status, body } = await ada.post(`${PATH}/${id}/what-if/estimate`, { assistant });
      expect(status).toBe(200);
      expect(body).toMatchObject({ vendors: ['openai/dear'], cost: { currency: 'EUR' } });
      expect(body.requests).toBeGreaterThan(1);
      // 60 tokens of each answer, and what it is asked with, at a thousandth each.
      const tokens = body.inputTokens + body.outputTokens;
      expect(body.outputTokens).toBe(60 * body.requests);
      expect(body.cost.total).toBeCloseTo(tokens / 1000, 6);
      expect(asked.length).toBe(before);
      const nothing = await ada.post(`${PATH}/${id}/what-if/estimate`, {});
      expect(nothing.body).toMatchObject({ requests: 0, vendors: [] });
      const free = { assistant: { ...assistant, assistantProvider: 'offline' } };
      expect((await ada.post(`${PATH}/${id}/what-if/estimate`, free)).body.vendors).toEqual([]);
      const own = { assistantProvider: 'custom-llm', assistantLLMUrl: 'http://127.0.0.1:9/v1' };
      const unnamed = { assistant: { assistantSystemPrompt: 'Be brief.', ...own } };
      expect((await ada.post(`${PATH}/${id}/what-if/estimate`, unnamed)).body.vendors).toEqual([
        'custom-llm',
      ]);
      expect((await eve.post(`${PATH}/${id}/what-if/estimate`, { assistant })).status).toBe(404);
    });

    test('is asked within a budget only', async () => {
      const id = await record(early);
      const before = asked.length;
      const { status, body } = await ada.post(`${PATH}/${id}/what-if`, {
        assistant,
        askModel: true,
      });
      expect(status).toBe(400);
      expect(JSON.stringify(body)).toMatch(
        /budget: is required: the replay asks openai\/dear some \d times, about [\d.]+ EUR/,
      );
      const cheap = { ...assistant, assistantModel: 'unpriced' };
      const unpriced = { assistant: cheap, askModel: true, budget: { cost: 1 } };
      expect((await ada.post(`${PATH}/${id}/what-if`, unpriced)).text).toContain(
        'budget.tokens: is required: no price of openai/unpriced is configured',
      );
      expect(asked.length).toBe(before);
    });

    test('is asked no more when that is spent: the rest is unknown, and the result says so', async () => {
      const id = await record(early);
      const replay = async (budget: object) => {
        const change = { assistant, askModel: true, budget };
        return (await ada.post(`${PATH}/${id}/what-if`, change)).body;
      };
      const certainties = ({ turns }: { turns: readonly { certainty: string }[] }) =>
        turns.map(({ certainty }) => certainty);
      const all = await replay({ cost: 5 });
      expect(all.asked.requests).toBeGreaterThan(1);
      expect(all.asked).toEqual({
        requests: all.asked.requests,
        tokens: 100 * all.asked.requests,
        cost: expect.objectContaining({ total: all.asked.requests / 10 }),
      });
      expect(certainties(all)).not.toContain('unknown');
      const spent = await replay({ cost: 0.05 });
      expect(spent.asked).toMatchObject({
        ...{ requests: 1, tokens: 100, cost: { total: 0.1, currency: 'EUR' } },
        stopped: 'the budget of the replay is spent',
      });
      expect(certainties(spent)).toContain('unknown');
    });
  });

  test('a tool that fails', async () => {
    const id = await record();
    const { body } = await ada.post(`${PATH}/${id}/what-if`, {
      tools: { look_up: { error: 'closed' } },
    });
    expect(body.divergence.what).toBe('tool');
    expect(body.turns[2].replayed.tools).toMatchObject([{ outcome: 'error', text: 'closed' }]);
  });

  test.each([
    [
      { assistant: { startSpeakingOptions: { waitSecond: 1 } } },
      'assistant.startSpeakingOptions.waitSecond: unknown field',
    ],
    [
      { assistant: { startSpeakingOptions: { waitSeconds: 99 } } },
      'assistant.startSpeakingOptions.waitSeconds',
    ],
    [{ assistant: { endCallMessage: 'Bye.' } }, 'assistant.endCallMessage: is allowed only when'],
    [{ caller: 'shouts' }, 'caller: must be one of speaks-on, waits, repeats'],
    [{ tools: { look_up: {} } }, 'tools.look_up'],
  ])('%j is refused by the name of its field', async (change, fault) => {
    const { status, body } = await ada.post(`${PATH}/${await record()}/what-if`, change);
    expect(status).toBe(400);
    expect(JSON.stringify(body).replaceAll('","message":"', ': ')).toContain(fault);
  });

  test('a version of an assistant, by number or label, with a change of its own', async () => {
    const waiting = (waitSeconds: number) => ({ startSpeakingOptions: { waitSeconds } });
    const made = await ada.post('/assistants/v1/assistants', { name: 'Ada', ...waiting(1) });
    const assistantId = made.body._id as string;
    const versions = `/assistants/v1/assistants/${assistantId}/versions`;
    const draft = await ada.post(versions, { changes: waiting(1.5) });
    expect(draft.body.version).toBe(2);
    await ada.put(`/assistants/v1/assistants/${assistantId}/labels/next`, { version: 2 });
    const id = await record();
    const answerMs = async (change: object) =>
      (await ada.post(`${PATH}/${id}/what-if`, change)).body.turns[1].replayed.answerMs;
    expect(await answerMs({ instead: { assistantId } })).toBe(1000);
    expect(await answerMs({ instead: { assistantId, assistantVersion: '2' } })).toBe(1500);
    const instead = { assistantId, assistantVersion: 'next' };
    expect(await answerMs({ instead })).toBe(1500);
    expect(await answerMs({ instead, assistant: waiting(2) })).toBe(2000);
    const many = await ada.post(`${PATH}/what-if`, { instead, limit: 1 });
    expect(many.body.replayed.gapP50Ms).toBe(1500);
    const unknown = { instead: { assistantId, assistantVersion: 'gone' } };
    expect(await ada.post(`${PATH}/${id}/what-if`, unknown)).toMatchObject({
      status: 404,
      body: { message: 'The assistant has no such version!' },
    });
    expect((await eve.post(`${PATH}/what-if`, { instead })).status).toBe(404);
  });

  test('calls that are live, redacted or of another team', async () => {
    const live = await record([], { ended: false });
    expect(await ada.post(`${PATH}/${live}/what-if`, {})).toMatchObject({
      status: 409,
      body: { message: 'the call has not ended' },
    });
    const [head, ...rest] = recordedConversation();
    const redacted = { ...(head as JournalLine), data: { ...head?.data, redacted: 'sealed' } };
    expect(
      await ada.post(`${PATH}/${await record([redacted, ...rest])}/what-if`, {}),
    ).toMatchObject({
      status: 409,
      body: { message: 'the journal is redacted: replay its originals, which an admin can read' },
    });
    expect((await eve.post(`${PATH}/${await record()}/what-if`, {})).status).toBe(404);
  });

  test('many calls come to figures together, within the team and the limit', async () => {
    const ids = [];
    for (let n = 0; n < 3; n++)
      ids.push(await record(recordedConversation(), { assistantId: 'table' }));
    await record([], { assistantId: 'table' });
    const filter = { ...slower, assistantId: 'table' };
    const { body } = await ada.post(`${PATH}/what-if`, filter);
    expect(body.calls.map(({ same }: { same: boolean }) => same)).toEqual([false, false, false]);
    expect(body.skipped).toMatchObject([{ reason: expect.stringContaining('call.created') }]);
    expect(body.recorded).toMatchObject({ turns: 9, cutIns: 0 });
    expect(body.replayed).toMatchObject({ turns: 9, gapP50Ms: 1500, cutIns: 0 });
    expect(body.recorded.gapP50Ms).toBeLessThan(1500);
    const two = await ada.post(`${PATH}/what-if`, { ...filter, limit: 2 });
    expect(two.body.remaining).toBe(2);
    expect((await eve.post(`${PATH}/what-if`, filter)).body).toMatchObject({
      calls: [],
      remaining: 0,
    });
  });
});
