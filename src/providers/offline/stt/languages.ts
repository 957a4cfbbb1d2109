import { english } from './english.ts';
import { french } from './french.ts';
import type { Language } from './language.ts';

const LANGUAGES: readonly Language[] = [english, french];

/** The first requested language (BCP 47 tags) that the recogniser supports; English when none is requested. */
export function findLanguage(tags: readonly string[]): Language | undefined {
  if (tags.length === 0) return english;
  for (const tag of tags) {
    const primary = tag.toLowerCase().split('-')[0];
    const found = LANGUAGES.find((language) => language.tag === primary);
    if (found) return found;
  }
  return undefined;
}

/** Tags of the supported languages. */
export const languageTags: readonly string[] = LANGUAGES.map((language) => language.tag);
