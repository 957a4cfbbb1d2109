import { boundedMemo } from '../../lib/bounded-memo.ts';
import type { Language } from '../language/language.ts';
import { type Expectation, expectedValue } from './dictation.ts';
import { asksYesNo } from './endpointing.ts';

/** The kind of answer that the assistant's last words ask for. */
export interface LastQuestion {
  readonly expectation: Expectation | undefined;
  readonly askedYesNo: boolean;
}

const REMEMBERED_QUESTIONS = 256;
const known = new WeakMap<Language, (text: string) => LastQuestion>();

/** Remembered, because it is needed at every word of the caller while the assistant's words stay the same. */
export function lastQuestion(assistantText: string, language: Language): LastQuestion {
  let read = known.get(language);
  if (!read) {
    read = boundedMemo(REMEMBERED_QUESTIONS, (text) => ({
      expectation: expectedValue(text, language),
      askedYesNo: asksYesNo(text, language),
    }));
    known.set(language, read);
  }
  return read(assistantText);
}
