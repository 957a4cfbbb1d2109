import type { LlmPart } from '../../ports/llm.ts';

/**
 * The parts with texts that follow each other as one: a model's words often come several at once, and each part
 * goes through all that watches over a reply. What came before an error is not lost.
 */
export function* mergeTexts(parts: Iterable<LlmPart>): Generator<LlmPart, void, undefined> {
  let text = '';
  const take = (): LlmPart[] => {
    const taken: LlmPart[] = text === '' ? [] : [{ type: 'text', text }];
    text = '';
    return taken;
  };
  try {
    for (const part of parts) {
      if (part.type === 'text') {
        text += part.text;
        continue;
      }
      yield* take();
      yield part;
    }
  } catch (error) {
    yield* take();
    throw error;
  }
  yield* take();
}
