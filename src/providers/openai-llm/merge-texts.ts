import type { LlmPart } from '../../ports/llm.ts';

/**
 * Merges consecutive text parts: a model's tokens often arrive several at once, and every part passes through all
 * filters of a reply. Texts before an error are still delivered.
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
