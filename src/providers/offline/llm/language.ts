import { wordsOf } from './words.ts';

export type Language = 'en' | 'fr' | 'de' | 'es';

// Frequent words that do not exist in the other three languages.
const TELLTALES: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: new Set(
    "the is are you your what how where when do does can and of to for with have my this it i'm hello thanks please yes".split(
      ' ',
    ),
  ),
  fr: new Set(
    "le les des est vous votre vos quel quelle quels quelles comment ou quand et pour avec je mon bonjour merci oui puis-je c'est qu'est au du une sont ete".split(
      ' ',
    ),
  ),
  de: new Set(
    'der die das ist sind sie ihr ihre ihnen was wie wo wann und fur mit ich mein kann konnen haben hallo danke bitte ja nicht ein eine wir'.split(
      ' ',
    ),
  ),
  es: new Set(
    'el los las es son usted su sus que cual cuales como donde cuando y para con yo mi puedo tiene tienen hola gracias si una buenos buenas ustedes'.split(
      ' ',
    ),
  ),
};

const LANGUAGES = Object.keys(TELLTALES) as Language[];

function fromTag(tag: unknown): Language | undefined {
  const primary = typeof tag === 'string' ? tag.toLowerCase().split(/[-_]/)[0] : undefined;
  return LANGUAGES.find((language) => language === primary);
}

function byVote(text: string): Language | undefined {
  const votes = new Map<Language, number>();
  for (const word of wordsOf(text)) {
    for (const language of LANGUAGES)
      if (TELLTALES[language].has(word)) votes.set(language, (votes.get(language) ?? 0) + 1);
  }
  const [first, second] = [...votes].sort((a, b) => b[1] - a[1]);
  return first && first[1] > (second?.[1] ?? 0) ? first[0] : undefined;
}

/**
 * The language to answer in: the hint if there is one (a tag, or `Language: xx` in the system prompt), else the
 * language of the first text that identifies one.
 */
export function detectLanguage(hint: unknown, system: string, texts: readonly string[]): Language {
  const stated = /\blanguage\s*[:=]\s*"?([a-z]{2})\b/i.exec(system)?.[1];
  const hinted = fromTag(hint) ?? fromTag(stated);
  if (hinted) return hinted;
  for (const text of [...texts, system]) {
    const voted = byVote(text);
    if (voted) return voted;
  }
  return 'en';
}
