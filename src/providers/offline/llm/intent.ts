import type { Language } from './language.ts';
import { FILLERS, SMALL_TALK, type SmallTalk } from './small-talk.ts';
import { wordsOf } from './words.ts';

/** The kind of an utterance, as far as it is independent of the topic. */
export type Intent = SmallTalk | 'vague' | 'question';

const LONGEST_PHRASE_WORDS = 6;
// For utterances with several kinds ("no thanks, bye"), the first in this list wins.
const PRECEDENCE: readonly SmallTalk[] = [
  'goodbye',
  'repeat',
  'first',
  'second',
  'no',
  'yes',
  'thanks',
  'greeting',
];

function phraseTable(language: Language): ReadonlyMap<string, SmallTalk> {
  const entries = PRECEDENCE.toReversed().flatMap((intent) =>
    SMALL_TALK[language][intent].map((phrase) => [phrase, intent] as const),
  );
  return new Map(entries);
}

const TABLES: Readonly<Record<Language, ReadonlyMap<string, SmallTalk>>> = {
  en: phraseTable('en'),
  fr: phraseTable('fr'),
  de: phraseTable('de'),
  es: phraseTable('es'),
};

/** The kinds of small talk that make up a whole utterance; undefined when it contains any other word. */
function smallTalkIn(words: readonly string[], language: Language): Set<SmallTalk> | undefined {
  const found = new Set<SmallTalk>();
  const fillers = FILLERS[language];
  for (let at = 0; at < words.length; ) {
    let length = Math.min(LONGEST_PHRASE_WORDS, words.length - at);
    let intent: SmallTalk | undefined;
    for (; length > 0 && !intent; length--)
      intent = TABLES[language].get(words.slice(at, at + length).join(' '));
    if (intent) {
      found.add(intent);
      at += length + 1;
    } else if (fillers.includes(words[at] as string)) {
      at++;
    } else {
      return undefined;
    }
  }
  return found;
}

export function classify(text: string, language: Language): Intent {
  const words = wordsOf(text);
  const found = smallTalkIn(words, language);
  if (found?.size === 0) return 'vague';
  return (found && PRECEDENCE.find((intent) => found.has(intent))) ?? 'question';
}
