import { boundedMemo } from '../../lib/bounded-memo.ts';
import type { Language } from '../language/language.ts';
import { type Expectation, expectedValue } from './dictation.ts';
import { asksYesNo } from './endpointing.ts';

/** What the assistant's last words make the caller answer. */
export interface LastQuestion {
  readonly expectation: Expectation | undefined;
  readonly askedYesNo: boolean;
}

const REMEMBERED_QUESTIONS = 256;
const known = new WeakMap<Language, (text: string) => LastQuestion>();

/** The words stay the same for as long as the caller speaks, and are asked for at every word. */
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
