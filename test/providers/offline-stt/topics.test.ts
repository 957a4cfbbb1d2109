import { afterAll, describe, expect, test } from 'vitest';
import { askableOfTools } from '../../../src/calls/askable-tools.ts';
import { decideReply } from '../../../src/providers/offline/llm/reply.ts';
import { createOfflineStt } from '../../../src/providers/offline/stt/adapter.ts';
import { spoken } from '../../support/spoken.ts';

const stt = createOfflineStt({ maxThreads: 1, slotsPerThread: 1 });
afterAll(() => stt.close());

async function hear(pcm: Int16Array, topics: readonly string[]): Promise<string> {
  const heard = Promise.withResolvers<string>();
  const stream = await stt.open({
    sampleRateHz: 8000,
    languages: ['en-US'],
    hints: [],
    phrases: ['Do you have a restaurant?'],
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

// A recogniser's deadline passes where other tests take all processors.
describe('questions about topics', { timeout: 60_000, retry: 2 }, () => {
  test('"what is the" and "when is the" are told apart', async () => {
    const topics = ['cancellation fee', 'delivery', 'summer sale', 'museum tour', 'opening hours'];
    const asked = topics.flatMap((topic) => [`What is the ${topic}?`, `When is the ${topic}?`]);
    const heard: string[] = [];
    for (const pcm of await spoken(...asked)) heard.push(await hear(pcm, topics));
    expect(heard).toEqual(asked);
  });

  test('a tool is called that is asked for in words near its description', async () => {
    const status = {
      name: 'orderStatus',
      description: 'Tells the status of the last order. Only for customers.',
    };
    const weather = { name: 'weather', description: 'Looks up the weather in Oslo.' };
    const configs = [status, weather].map((described) => ({
      function: {
        ...described,
        parameters: {
          ...{ type: 'object' as const, properties: {} },
          ...{ required: [], additionalProperties: false },
        },
        strict: false,
      },
    }));
    const { topics } = askableOfTools(configs);
    const asked = [
      ['What is the status of my last order?', 'orderStatus'],
      ['How is the weather in Oslo?', 'weather'],
    ] as const;
    const questions = await spoken(...asked.map(([question]) => question));
    for (const [index, [question, name]] of asked.entries()) {
      const content = await hear(questions[index] as Int16Array, topics);
      expect(content.toLowerCase()).toBe(question.toLowerCase());
      const { toolCall } = decideReply({
        messages: [{ role: 'user', content }],
        tools: [status.name, weather.name],
        described: [status, weather],
        mayCall: true,
      });
      expect(toolCall).toEqual({ name, arguments: {} });
    }
  });
});
