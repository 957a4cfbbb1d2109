import { throwIfAborted } from '../../lib/abort.ts';
import { foldedWords } from '../../lib/folded-words.ts';
import type { Embedder } from '../../ports/embedder.ts';

const DIMENSIONS = 512;
const GRAM_CHARS = 3;
/** A word counts as much as all its pieces, which tolerate another ending or a slip. */
const WORD_WEIGHT = 1;
const GRAM_WEIGHT = 1;

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++)
    value = Math.imul(value ^ text.charCodeAt(i), 0x01000193) >>> 0;
  // The low bits of neighbours are too much alike.
  value ^= value >>> 15;
  return Math.imul(value, 0x2c1b3c6d) >>> 0;
}

function add(vector: Float32Array, feature: string, weight: number): void {
  const bits = hash(feature);
  // A sign of its own lets collisions cancel rather than add up.
  const sign = bits & 0x8000_0000 ? -1 : 1;
  const at = bits % DIMENSIONS;
  vector[at] = (vector[at] as number) + sign * weight;
}

function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  for (const word of foldedWords(text)) {
    // Long words are rarer, and rarer words tell more.
    const weight = Math.min(1, word.length / 6);
    add(vector, word, WORD_WEIGHT * weight);
    const edged = `^${word}$`;
    const grams = Math.max(1, edged.length - GRAM_CHARS + 1);
    for (let i = 0; i < grams; i++)
      add(vector, `#${edged.slice(i, i + GRAM_CHARS)}`, (GRAM_WEIGHT * weight) / Math.sqrt(grams));
  }
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}

/**
 * Vectors without a model or a network: hashed words and pieces of words. They find texts that share
 * words, in any inflection or slightly misspelt; they know no synonyms. A text without words is all zeros.
 */
export function createHashedEmbedder(): Embedder {
  return {
    provider: 'offline',
    model: `hashed-${DIMENSIONS}-1`,
    async embed(texts, signal) {
      throwIfAborted(signal);
      return texts.map(vectorOf);
    },
  };
}
