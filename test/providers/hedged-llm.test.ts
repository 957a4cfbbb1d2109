import { describe, expect, test } from 'vitest';
import { ProviderError } from '../../src/lib/errors.ts';
import type { Failover } from '../../src/ports/failover.ts';
import type { Llm, LlmPart, LlmRequest } from '../../src/ports/llm.ts';
import type { FailureClass } from '../../src/ports/provider-failure.ts';
import { createHedgedLlm } from '../../src/providers/decorators/hedged-llm.ts';
import { collect } from '../support/collect.ts';
import { ManualClock } from '../support/manual-clock.ts';

interface Answer {
  readonly afterMs: number;
  readonly fails?: FailureClass;
}

/** Answers each request as it is told for its turn; the last row goes on. */
class FakeModel implements Llm {
  readonly provider = 'fake';
  readonly requests: LlmRequest[] = [];
  readonly ended: number[] = [];
  readonly #clock: ManualClock;
  answers: Answer[];

  constructor(clock: ManualClock, answers: Answer[]) {
    this.#clock = clock;
    this.answers = answers;
  }

  async *stream(request: LlmRequest): AsyncGenerator<LlmPart, void, undefined> {
    const number = this.requests.push(request);
    const { afterMs, fails } = (
      this.answers.length > 1 ? this.answers.shift() : this.answers[0]
    ) as Answer;
    try {
      await new Promise<void>((resolve, reject) => {
        const timer = this.#clock.setTimeout(resolve, afterMs);
        request.signal.addEventListener('abort', () => {
          this.#clock.clearTimeout(timer);
          reject(new DOMException('aborted', 'AbortError'));
        });
      });
      if (fails)
        throw new ProviderError({ class: fails, provider: 'fake', code: `${number}`, message: '' });
      yield { type: 'text', text: `answer ${number}` };
      yield { type: 'finish', reason: 'stop' };
    } finally {
      this.ended.push(number);
    }
  }
}

async function bench(answers: Answer[], learnt = true) {
  const clock = new ManualClock();
  const model = new FakeModel(clock, [{ afterMs: 400 }]);
  const llm = createHedgedLlm(model, { clock, minSamples: 20 });
  const ask = async (signal = new AbortController().signal) => {
    const parts = await collect(llm.stream({ messages: [], signal }));
    return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  };
  if (learnt) {
    for (let n = 0; n < 20; n++) {
      const asking = ask();
      await clock.advance(400);
      await asking;
    }
  }
  model.requests.length = 0;
  model.ended.length = 0;
  model.answers = answers;
  return { clock, model, llm, ask };
}

describe('hedge', () => {
  test('a model as quick as ever is asked once', async () => {
    const { clock, model, ask } = await bench([{ afterMs: 399 }]);
    const asking = ask();
    await clock.advance(2000);
    expect(await asking).toBe('answer 1');
    expect(model.requests).toHaveLength(1);
    expect(clock.nextDueAt()).toBeUndefined();
  });

  test('slower than its p95, it is asked again; the quicker is heard, the other aborted', async () => {
    const { clock, model, ask } = await bench([{ afterMs: 9000 }, { afterMs: 100 }]);
    const asking = ask();
    await clock.advance(399);
    expect(model.requests).toHaveLength(1);
    await clock.advance(101);
    expect(await asking).toBe('answer 2');
    expect(model.ended.toSorted()).toEqual([1, 2]);
    expect(clock.nextDueAt()).toBeUndefined();
  });

  test('one that failed and was asked again is a fail-over; one that was merely late is none', async () => {
    const { clock, llm, model } = await bench([
      { afterMs: 50, fails: 'network' },
      { afterMs: 100 },
    ]);
    const told: Failover[] = [];
    const { signal } = new AbortController();
    const ask = () =>
      collect(llm.stream({ messages: [], signal, onFailover: (it) => told.push(it) }));
    let asking = ask();
    await clock.advance(200);
    await asking;
    const change = { vendor: 'fake', successor: 'fake', error: { code: '1' }, delayMs: 50 };
    expect(told).toMatchObject([change]);
    model.answers = [{ afterMs: 9000 }, { afterMs: 100 }];
    asking = ask();
    await clock.advance(1000);
    await asking;
    expect(told).toHaveLength(1);
  });

  test('the first may still be the quicker', async () => {
    const { clock, model, ask } = await bench([{ afterMs: 450 }, { afterMs: 5000 }]);
    const asking = ask();
    await clock.advance(450);
    expect(await asking).toBe('answer 1');
    expect(model.requests).toHaveLength(2);
    expect(model.ended.toSorted()).toEqual([1, 2]);
  });

  test('without measurements nobody is impatient', async () => {
    const { clock, model, ask } = await bench([{ afterMs: 9000 }], false);
    const asking = ask();
    await clock.advance(9000);
    expect(await asking).toBe('answer 1');
    expect(model.requests).toHaveLength(1);
  });

  test('an abort ends both', async () => {
    const { clock, model, ask } = await bench([{ afterMs: 9000 }]);
    const controller = new AbortController();
    const asking = ask(controller.signal).catch((e: Error) => e);
    await clock.advance(1000);
    expect(model.requests).toHaveLength(2);
    controller.abort();
    expect(await asking).toMatchObject({ name: 'AbortError' });
    expect(model.ended).toHaveLength(2);
    expect(clock.nextDueAt()).toBeUndefined();
  });
});

describe('failover', () => {
  test('a failure that may pass is asked again at once', async () => {
    const { clock, ask } = await bench([{ afterMs: 10, fails: 'network' }, { afterMs: 100 }]);
    const asking = ask();
    await clock.advance(110);
    expect(await asking).toBe('answer 2');
  });

  test.each<FailureClass>(['auth', 'quota', 'rate', 'invalid'])(
    'one of class %s is not',
    async (fails) => {
      const { clock, model, ask } = await bench([{ afterMs: 10, fails }]);
      const asking = ask().catch((e: unknown) => e);
      await clock.advance(10);
      expect(await asking).toMatchObject({ class: fails });
      expect(model.requests).toHaveLength(1);
    },
  );

  test('two failures are the first one’s, and there is no third attempt', async () => {
    const { clock, model, ask } = await bench([{ afterMs: 10, fails: 'network' }]);
    const asking = ask().catch((e: unknown) => e);
    await clock.advance(1000);
    expect(await asking).toMatchObject({ code: '1' });
    expect(model.requests).toHaveLength(2);
  });
});
