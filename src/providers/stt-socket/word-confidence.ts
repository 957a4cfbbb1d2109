import { asNumber, type JsonObject } from '../../lib/json-frame.ts';

/** The mean confidence of the words, 0–1; 1 when the vendor reports none. */
export function wordConfidence(words: readonly JsonObject[]): number {
  const sure = words.flatMap((word) => asNumber(word.confidence) ?? []);
  return sure.length > 0 ? sure.reduce((sum, one) => sum + one, 0) / sure.length : 1;
}
