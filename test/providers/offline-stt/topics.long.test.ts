import { describe, expect, test } from 'vitest';
import { askableOfTools } from '../../../src/calls/askable-tools.ts';
import { decideReply } from '../../../src/providers/offline/llm/reply.ts';
import { readDictionary } from '../../../src/providers/offline/stt/dictionary.ts';
import { english } from '../../../src/providers/offline/stt/english.ts';
import { buildGrammar } from '../../../src/providers/offline/stt/grammar.ts';
import { PhraseDecoder } from '../../../src/providers/offline/stt/phrase-decoder.ts';
import { createPronounce } from '../../../src/providers/offline/stt/pronounce.ts';
import { loadSoundSwallower } from '../../../src/providers/offline/stt/soundswallower-module.ts';
import { createTranscriber } from '../../../src/providers/offline/stt/transcript.ts';
import { spoken } from '../../support/spoken.ts';

/** What is heard of each recording, in the order given: without a thread, and so without a deadline. */
async function hearAll(
  recordings: readonly Int16Array[],
  topics: readonly string[],
): Promise<readonly string[]> {
  const lookUp = readDictionary(english.model);
  const grammar = buildGrammar({
    language: english,
    phrases: ['Do you have a restaurant?'],
    topics,
    hints: [],
    pronounce: createPronounce(lookUp, english),
    knows: (word) => lookUp(word).length > 0,
  });
  const transcriber = createTranscriber(grammar, english);
  const decoder = await PhraseDecoder.create(await loadSoundSwallower(), english);
  await decoder.use(grammar);
  const heard = recordings.map((pcm) => {
    decoder.start();
    decoder.write(pcm);
    const hypothesis = decoder.finish();
    return hypothesis ? transcriber.write(hypothesis.words, true).text : '';
  });
  decoder.delete();
  return heard;
}

describe('questions about topics', () => {
  test('"what is the" and "when is the" are told apart', async () => {
    const topics = ['cancellation fee', 'delivery', 'summer sale', 'museum tour', 'opening hours'];
    // One decoder hears them all, and gets used to the voice.
    const asked = topics.flatMap((topic) => [`What is the ${topic}?`, `When is the ${topic}?`]);
    expect(await hearAll(await spoken(...asked), topics)).toEqual(asked);
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
    const heard = await hearAll(await spoken(...asked.map(([question]) => question)), topics);
    for (const [index, [question, name]] of asked.entries()) {
      const content = heard[index] ?? '';
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
