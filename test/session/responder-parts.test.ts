import { expect, test } from 'vitest';
import type { CallEvent } from '../../src/engine/machine/events.ts';
import { ProviderError } from '../../src/lib/errors.ts';
import type { Llm, LlmPart, LlmRequest, LlmUsage } from '../../src/ports/llm.ts';
import { Responder } from '../../src/session/outbound/responder.ts';
import { ManualClock } from '../support/manual-clock.ts';

const usage: LlmUsage = { inputTokens: 10, outputTokens: 5 } as LlmUsage;
const text = (words: string): LlmPart => ({ type: 'text', text: words });
const finish: LlmPart = { type: 'finish', reason: 'stop', usage };
const call = (id: string): LlmPart => ({
  type: 'tool-call',
  call: { id, name: 'book', arguments: '{}' },
});

/** A part, a pause in ms, or an error; after the last of them the model hangs, unless it ended. */
type Step = LlmPart | number | Error | 'ends';

const BEGIN = 5000;

function setUp(steps: readonly Step[], problem?: string | Promise<string>) {
  const clock = new ManualClock(BEGIN);
  const events: { readonly at: number; readonly event: CallEvent }[] = [];
  const requests: LlmRequest[] = [];
  const counted: unknown[] = [];
  const unexpected: unknown[] = [];
  const llm: Llm = {
    provider: 'scripted',
    async *stream(request) {
      requests.push(request);
      for (const step of steps) {
        if (step instanceof Error) throw step;
        if (step === 'ends') return;
        if (typeof step === 'number')
          await new Promise<void>((resolve) => void clock.setTimeout(resolve, step));
        else yield step;
      }
      if (steps.at(-1) !== finish) await new Promise(() => undefined);
    },
  };
  const responder = new Responder({
    clock,
    llm,
    options: { temperature: 0.3 },
    // A word is a piece, so that every piece shows.
    createSplitter() {
      let rest = '';
      return {
        push(more) {
          const words = (rest + more).split(' ');
          rest = words.pop() ?? '';
          return words;
        },
        flush() {
          const last = rest === '' ? [] : [rest];
          rest = '';
          return last;
        },
      };
    },
    checkTool: async () => problem,
    emit: (event) => void events.push({ at: clock.now() - BEGIN, event }),
    onUsage: (genId, used) => counted.push(['used', genId, used]),
    onWaste: (genId, used) => counted.push(['wasted', genId, used]),
    onUnexpected: (error) => unexpected.push(error),
  });
  const start = (options: { speculative?: boolean; tools?: boolean } = {}) =>
    responder.start({
      ...{ type: 'llm.start', genId: 4, turn: 1, messages: [{ role: 'user', content: 'Hi' }] },
      tools: options.tools ? [{ name: 'book', description: '', parameters: {} }] : [],
      toolChoice: 'auto',
      speculative: options.speculative ?? false,
    });
  const said = () => events.map(({ event }) => event);
  return { clock, events, requests, counted, unexpected, responder, start, said };
}

test('text is said piece by piece, and the rest of it at the end', async () => {
  const { clock, start, said, counted, requests } = setUp([text('We are op'), text('en.'), finish]);
  start();
  await clock.advance(10);
  expect(said()).toEqual([
    { type: 'llm.text', genId: 4, text: 'We' },
    { type: 'llm.text', genId: 4, text: 'are' },
    { type: 'llm.text', genId: 4, text: 'open.' },
    { type: 'llm.done', genId: 4, reason: 'stop' },
  ]);
  expect(counted).toEqual([['used', 4, usage]]);
  expect(requests[0]).toMatchObject({ temperature: 0.3, messages: [{ content: 'Hi' }] });
  expect(requests[0]).not.toHaveProperty('tools');
  expect(clock.nextDueAt()).toBeUndefined();
});

test.each([undefined, 'a date is missing'])(
  'what stands before a tool call is said first; its problem: %s',
  async (problem) => {
    const { clock, start, said, requests } = setUp(
      [text('One moment'), call('t1'), finish],
      problem,
    );
    start({ tools: true });
    await clock.advance(10);
    expect(said().slice(0, 2)).toMatchObject([{ text: 'One' }, { text: 'moment' }]);
    expect(said()[2]).toEqual({
      ...{ type: 'llm.toolCall', genId: 4, toolCallId: 't1', name: 'book', arguments: '{}' },
      ...(problem ? { problem } : {}),
    });
    expect(requests[0]).toMatchObject({ tools: [{ name: 'book' }], toolChoice: 'auto' });
  },
);

test('the usage of a draft counts when it becomes the reply, and is waste if it is dropped', async () => {
  const adopted = setUp([text('Yes.'), finish]);
  adopted.start({ speculative: true });
  await adopted.clock.advance(10);
  expect(adopted.counted).toEqual([]);
  adopted.responder.adopt(4);
  adopted.responder.adopt(4);
  adopted.responder.cancel(4);
  expect(adopted.counted).toEqual([['used', 4, usage]]);

  const dropped = setUp([text('Yes.'), finish]);
  dropped.start({ speculative: true });
  await dropped.clock.advance(10);
  dropped.responder.cancel(4);
  dropped.responder.cancel(4);
  expect(dropped.counted).toEqual([['wasted', 4, usage]]);

  const early = setUp([text('Yes.'), 500, finish]);
  early.start({ speculative: true });
  await early.clock.advance(10);
  early.responder.adopt(4);
  expect(early.counted).toEqual([]);
  await early.clock.advance(1000);
  expect(early.counted).toEqual([['used', 4, usage]]);

  const unknown = setUp([text('Yes.'), 500, finish]);
  unknown.start({ speculative: true });
  await unknown.clock.advance(10);
  unknown.responder.close();
  expect(unknown.counted).toEqual([['wasted', 4, undefined]]);
});

test('a reply that is cancelled ends without another word', async () => {
  const { clock, start, said, responder, requests, unexpected } = setUp([
    ...[text('One '), 500, text('two '), finish],
  ]);
  start();
  await clock.advance(10);
  responder.cancel(4);
  await clock.advance(20_000);
  expect(said()).toMatchObject([{ text: 'One' }]);
  expect(requests[0]?.signal.aborted).toBe(true);
  expect(unexpected).toEqual([]);
  expect(clock.nextDueAt()).toBeUndefined();
});

test('closing cancels the replies that are under way', async () => {
  const { clock, start, responder, requests } = setUp([text('One '), 500, finish]);
  start();
  await clock.advance(10);
  responder.close();
  expect(requests[0]?.signal.aborted).toBe(true);
});

test('[A5] a model that stops in the middle has failed after ten seconds', async () => {
  const { clock, start, events, unexpected } = setUp([text('One '), 9999, text('two ')]);
  start();
  await clock.advance(19_998);
  expect(events.some(({ event }) => event.type === 'llm.error')).toBe(false);
  await clock.advance(1);
  expect(events.at(-1)).toEqual({
    at: 19_999,
    event: {
      type: 'llm.error',
      genId: 4,
      error: {
        code: 'timeout',
        message: 'scripted: the model stopped answering',
        provider: 'scripted',
        retryable: true,
      },
    },
  });
  expect(unexpected).toHaveLength(1);
});

test('a model that gives nothing at all has failed after ten seconds too', async () => {
  const { clock, start, said } = setUp([]);
  start();
  await clock.advance(9999);
  expect(said()).toEqual([]);
  await clock.advance(1);
  expect(said()).toMatchObject([{ type: 'llm.error', error: { code: 'timeout' } }]);
});

test('an answer that breaks off is a failure, and so is one that the vendor refuses', async () => {
  const broken = setUp([text('One '), 'ends']);
  broken.start();
  await broken.clock.advance(10);
  expect(broken.said().at(-1)).toEqual({
    type: 'llm.error',
    genId: 4,
    error: {
      code: 'ended_early',
      message: "scripted: the model's answer broke off",
      provider: 'scripted',
      retryable: false,
    },
  });
  const error = new ProviderError({ class: 'rate', provider: 'x', code: 'http_429', message: 'x' });
  const refused = setUp([error]);
  refused.start();
  await refused.clock.advance(10);
  expect(refused.said()).toMatchObject([{ type: 'llm.error', error: { code: 'http_429' } }]);
  expect(refused.unexpected).toEqual([error]);
});

test('of what comes at once, four pieces are said, and the others later; what comes in its time waits for nobody', async () => {
  const atOnce = setUp([text('a b c d e f g h i '), finish]);
  atOnce.start();
  await atOnce.clock.advance(0);
  expect(atOnce.events.filter(({ at }) => at === 0)).toHaveLength(4);
  await atOnce.clock.advance(1);
  expect(atOnce.events.filter(({ at }) => at === 1)).toHaveLength(4);

  const inTime = setUp([text('a b c d '), 99, text('e '), 1, text('f '), finish]);
  inTime.start();
  await inTime.clock.advance(500);
  const times = inTime.events.map(({ at }) => at);
  // The fifth within a tenth of a second waits for its turn.
  expect(times).toEqual([0, 0, 0, 0, 100, 101, 101]);

  const slow = setUp([text('a b c d '), 100, text('e f g h '), 100, text('i '), finish]);
  slow.start();
  await slow.clock.advance(500);
  expect(slow.events.map(({ at }) => at)).toEqual([0, 0, 0, 0, 100, 100, 100, 100, 200, 200]);
});

test('long pieces fill a turn as well', async () => {
  const long = 'x'.repeat(250);
  const { clock, start, events } = setUp([text(`${long} ${long} ${long} `), finish]);
  start();
  await clock.advance(0);
  expect(events.filter(({ at }) => at === 0)).toHaveLength(2);
  await clock.advance(5);
  expect(events).toHaveLength(4);
});

test('the bound of a turn is 500 characters, in the first as in those after it', async () => {
  const most = 'x'.repeat(499);
  const { clock, start, events } = setUp([text(`${most} y ${most} y z `), finish]);
  start();
  await clock.advance(10);
  expect(events.map(({ at }) => at)).toEqual([0, 0, 1, 1, 2, 2]);
});

test('a reply that is cancelled while it waits for its turn says no more', async () => {
  const { clock, start, said, responder, unexpected } = setUp([text('a b c d e f '), finish]);
  start();
  await clock.advance(0);
  responder.cancel(4);
  await clock.advance(100);
  expect(said()).toHaveLength(4);
  expect(unexpected).toEqual([]);
});

test('a tool call that is checked while the reply is cancelled is not made', async () => {
  const checked = Promise.withResolvers<string>();
  const { clock, start, said, responder } = setUp([call('t1'), finish], checked.promise);
  start({ tools: true });
  await clock.advance(10);
  responder.cancel(4);
  checked.resolve('a date is missing');
  await clock.advance(10);
  expect(said()).toEqual([]);
});

test('a request that was answered is not cancelled any more', async () => {
  const { clock, start, responder, requests } = setUp([text('One '), finish]);
  start();
  await clock.advance(10);
  responder.cancel(4);
  responder.close();
  expect(requests[0]?.signal.aborted).toBe(false);
});

test.each([
  ['19,999 characters', [text('x'.repeat(19_999))], 'stop'],
  ['20,000 characters', [text('x'.repeat(20_000))], 'length'],
  ['499 pieces', [text('x '.repeat(499))], 'stop'],
  ['500 pieces', [text('x '.repeat(500))], 'length'],
  ['64 tool calls', Array.from({ length: 64 }, (_, i) => call(`t${i}`)), 'stop'],
  ['65 tool calls', Array.from({ length: 65 }, (_, i) => call(`t${i}`)), 'length'],
])(
  '[A2] a reply of %s ends with the reason of its model, or of its bound',
  async (_what, parts, reason) => {
    const { clock, start, said } = setUp([...parts, finish]);
    start({ tools: true });
    await clock.advance(500);
    expect(said().at(-1)).toEqual({ type: 'llm.done', genId: 4, reason });
  },
);
