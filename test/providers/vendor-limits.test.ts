import { describe, expect, test } from 'vitest';
import { ProviderError } from '../../src/lib/errors.ts';
import type { LlmRequest } from '../../src/ports/llm.ts';
import type { SttOptions } from '../../src/ports/stt.ts';
import type { Tts } from '../../src/ports/tts.ts';
import { createLimitedLlm } from '../../src/providers/decorators/limited-llm.ts';
import { createLimitedStt } from '../../src/providers/decorators/limited-stt.ts';
import { llmOfTeam, sttOfTeam, ttsOfTeam } from '../../src/providers/decorators/of-team.ts';
import { TurnQueue } from '../../src/providers/decorators/turn-queue.ts';
import { VendorQueues } from '../../src/providers/vendor-queues.ts';
import { collect } from '../support/collect.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { ScriptedLlm } from '../support/scripted-llm.ts';
import { ScriptedStt } from '../support/scripted-stt.ts';

function hearing(signal = new AbortController().signal): SttOptions {
  const onEvent = () => undefined;
  return { sampleRateHz: 16_000, languages: [], hints: [], phrases: [], onEvent, signal };
}

describe('recognisers at once', () => {
  function limited(concurrency = 1) {
    const clock = new ManualClock();
    const raw = new ScriptedStt();
    const queue = new TurnQueue('scripted', { concurrency, maxWaiting: 4 });
    return { clock, raw, stt: createLimitedStt(raw, queue, clock) };
  }

  test('a caller waits for a stream to be free, and gets it', async () => {
    const { clock, raw, stt } = limited();
    const first = await stt.open(hearing());
    const second = stt.open(hearing());
    await clock.advance(1000);
    expect(raw.streams).toHaveLength(1);
    first.close();
    first.close();
    (await second).close();
    expect(raw.streams).toHaveLength(2);
  });

  test('one who would wait too long is told, so that another recogniser can take over', async () => {
    const { clock, stt } = limited();
    await stt.open(hearing());
    const second = stt.open(hearing()).catch((error: unknown) => error);
    await clock.advance(3000);
    expect(await second).toMatchObject({ class: 'rate', code: 'no_stream_free', retryable: true });
  });

  test.each(['abort', 'error', 'failure to open'])('%s gives the stream back', async (how) => {
    const { raw, stt } = limited();
    const controller = new AbortController();
    const error = new ProviderError({ class: 'network', provider: 's', code: 'x', message: 'm' });
    if (how === 'failure to open') raw.failures = [error];
    const opened = await stt.open(hearing(controller.signal)).catch(() => undefined);
    if (how === 'abort') controller.abort();
    if (how === 'error') raw.streams[0]?.options.onEvent({ type: 'error', error });
    expect(opened === undefined).toBe(how === 'failure to open');
    (await stt.open(hearing())).close();
  });
});

test('no more answers of a model at once than allowed', async () => {
  const clock = new ManualClock();
  const raw = new ScriptedLlm(clock, [{ hangs: true }, { text: ['two'] }]);
  const llm = createLimitedLlm(raw, new TurnQueue('scripted', { concurrency: 1, maxWaiting: 1 }));
  const controller = new AbortController();
  const ask = (signal = new AbortController().signal): LlmRequest => ({ messages: [], signal });
  // An abort gives the place up even where the vendor's stream does not notice it.
  void llm.stream(ask(controller.signal))[Symbol.asyncIterator]().next();
  await clock.advance(10);
  const second = collect(llm.stream(ask()));
  await clock.advance(10);
  expect(raw.requests).toHaveLength(1);
  await expect(collect(llm.stream(ask()))).rejects.toMatchObject({ code: 'too_many_waiting' });
  controller.abort();
  await clock.advance(10);
  expect(await second).toContainEqual({ type: 'text', text: 'two' });
});

describe('how many', () => {
  test('the operator says, or the smallest plan; all calls share one queue a vendor', async () => {
    const queues = new VendorQueues({ DEEPGRAM: { apiKey: 'k', concurrency: 1 } });
    const queue = queues.of('stt', 'deepgram-flux', 'deepgram');
    expect(queues.of('stt', 'deepgram-flux', 'deepgram')).toBe(queue);
    expect(queues.of('stt', 'deepgram', 'deepgram')).not.toBe(queue);
    expect(queues.create('llm', 'custom-llm')).not.toBe(queues.create('llm', 'custom-llm'));
    const { signal } = new AbortController();
    const release = await queue.take('ada', signal);
    const waiting = [queue.take('ada', signal), queue.take('ada', signal)];
    await expect(queue.take('ada', signal)).rejects.toThrow(/2 requests of this team waiting/);
    release();
    (await waiting[0])?.();
    (await waiting[1])?.();
  });
});

describe('teams at one vendor', () => {
  const { signal } = new AbortController();

  /** Takes lines, and counts those it got. */
  function asking(queue: TurnQueue, team: string, count: number) {
    const held: (() => void)[] = [];
    const takes = Array.from({ length: count }, () =>
      queue.take(team, signal).then((release) => held.push(release)),
    );
    return { held, takes };
  }

  test('a team alone has every line', async () => {
    const clock = new ManualClock();
    const queue = new TurnQueue('scripted', { concurrency: 8, maxWaiting: 16 });
    const eve = asking(queue, 'eve', 12);
    await clock.advance(0);
    expect(eve.held).toHaveLength(8);
  });

  test('a line that comes free goes to the other team, until it has its quarter', async () => {
    const clock = new ManualClock();
    const queue = new TurnQueue('scripted', { concurrency: 8, maxWaiting: 16 });
    const eve = asking(queue, 'eve', 20);
    await clock.advance(0);
    const ada = asking(queue, 'ada', 3);
    await clock.advance(0);
    expect(ada.held).toHaveLength(0);
    for (const release of eve.held.splice(0, 2)) release();
    await clock.advance(0);
    expect([eve.held.length, ada.held.length]).toEqual([6, 2]);
    // What ada gives back waits for others than eve, who holds her share.
    ada.held[0]?.();
    await clock.advance(0);
    expect([eve.held.length, ada.held.length]).toEqual([6, 3]);
    ada.held[1]?.();
    await clock.advance(0);
    expect(eve.held).toHaveLength(6);
  });

  test('one whose queue is full is refused; the other one waits and is served', async () => {
    const clock = new ManualClock();
    const queue = new TurnQueue('scripted', { concurrency: 1, maxWaiting: 1 });
    const eve = asking(queue, 'eve', 2);
    await clock.advance(0);
    await expect(queue.take('eve', signal)).rejects.toMatchObject({ code: 'too_many_waiting' });
    const ada = asking(queue, 'ada', 1);
    eve.held[0]?.();
    await clock.advance(0);
    eve.held[1]?.();
    await clock.advance(0);
    expect(ada.held).toHaveLength(1);
  });

  test('callers, questions and utterances of an assistant carry its team', async () => {
    const clock = new ManualClock();
    const teams: (string | undefined)[] = [];
    const stt = new ScriptedStt();
    const llm = new ScriptedLlm(clock, [{ text: ['yes'] }]);
    const tts: Tts = {
      provider: 'scripted',
      async *synthesize({ team }) {
        teams.push(team);
        yield* [];
      },
    };
    await sttOfTeam(stt, 'ada').open(hearing());
    await collect(llmOfTeam(llm, 'ada').stream({ messages: [], signal }));
    await collect(ttsOfTeam(tts, 'ada').synthesize({ text: 'x', sampleRateHz: 8000, signal }));
    teams.push(stt.streams[0]?.options.team, llm.requests[0]?.team);
    expect(teams).toEqual(['ada', 'ada', 'ada']);
  });
});
