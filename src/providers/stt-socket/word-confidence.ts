import { asNumber, type JsonObject } from '../../lib/json-frame.ts';

/** The mean of what a vendor says of each word, 0–1; 1 where it says nothing. */
export function wordConfidence(words: readonly JsonObject[]): number {
  const sure = words.flatMap((word) => asNumber(word.confidence) ?? []);
  return sure.length > 0 ? sure.reduce((sum, one) => sum + one, 0) / sure.length : 1;
}
