import { english } from './english.ts';
import { french } from './french.ts';
import type { Language } from './language.ts';

const LANGUAGES: readonly Language[] = [english, french];

/** The first of the wanted languages (BCP 47 tags) that the recogniser knows; English when none is named. */
export function findLanguage(tags: readonly string[]): Language | undefined {
  if (tags.length === 0) return english;
  for (const tag of tags) {
    const primary = tag.toLowerCase().split('-')[0];
    const found = LANGUAGES.find((language) => language.tag === primary);
    if (found) return found;
  }
  return undefined;
}

/** Tags of what the recogniser knows. */
export const languageTags: readonly string[] = LANGUAGES.map((language) => language.tag);
