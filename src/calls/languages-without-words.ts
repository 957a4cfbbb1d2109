import { KNOWN_LANGUAGES } from '../engine/language/language.ts';

const names = new Intl.DisplayNames('en', { type: 'language' });
const nameOf = (code: string) => names.of(code) ?? code;

/** What to tell whoever chooses languages (tags with commas between them) of which turn-taking knows no words. */
export function languagesWithoutWords(languages: string): readonly string[] {
  const codes = languages.split(',').map((tag) => tag.trim().split('-')[0]?.toLowerCase() ?? '');
  const unknown = [...new Set(codes)].filter((code) => !KNOWN_LANGUAGES.includes(code));
  const known = KNOWN_LANGUAGES.map(nameOf).join(', ');
  return unknown.map(
    (code) =>
      `Turn-taking knows no words of ${nameOf(code)}: it goes by voice, silence and punctuation alone, and stock lines are in English. It knows those of ${known}.`,
  );
}
