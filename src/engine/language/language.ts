import { german } from './languages/de.ts';
import { english } from './languages/en.ts';
import { spanish } from './languages/es.ts';
import { french } from './languages/fr.ts';
import { hindi } from './languages/hi.ts';
import { italian } from './languages/it.ts';
import type { LanguageData, StockLines } from './languages/language-data.ts';
import { dutch } from './languages/nl.ts';
import { polish } from './languages/pl.ts';
import { portuguese } from './languages/pt.ts';
import { swedish } from './languages/sv.ts';
import { PhraseSet } from './words.ts';

/** The word lists of one language, ready to match. */
export interface Language {
  readonly tag: string;
  readonly supported: boolean;
  readonly backchannels: PhraseSet;
  readonly stopPhrases: PhraseSet;
  /** Words that refuse, contradict or ask for something else; no backchannel has them. */
  readonly refusals: PhraseSet;
  readonly hesitations: PhraseSet;
  readonly timeouts: PhraseSet;
  /** Discourse markers. */
  readonly markers: PhraseSet;
  /** Hesitations and discourse markers. */
  readonly fillers: PhraseSet;
  /** Words that rarely end a thought: conjunctions, articles, prepositions, possessives. */
  readonly openEnders: PhraseSet;
  /** Those that end no sentence. */
  readonly strictlyOpen: PhraseSet;
  readonly digits: PhraseSet;
  readonly numbers: PhraseSet;
  readonly greetings: PhraseSet;
  /** What answering machines say, and what people say who put the assistant on hold. */
  readonly machinePhrases: PhraseSet;
  readonly holdPhrases: PhraseSet;
  readonly shortAnswers: PhraseSet;
  readonly questionStarts: PhraseSet;
  /** Openings of questions that open no statement. */
  readonly interrogatives: PhraseSet;
  readonly yesNoStarts: PhraseSet;
  readonly announcing: PhraseSet;
  readonly data: LanguageData;
}

const DATA: readonly LanguageData[] = [
  english,
  french,
  german,
  spanish,
  portuguese,
  italian,
  dutch,
  hindi,
  polish,
  swedish,
];

/** The languages whose words the rules know, by their ISO 639-1 codes. */
export const KNOWN_LANGUAGES: readonly string[] = DATA.map(({ tag }) => tag);

function build(data: LanguageData, supported: boolean): Language {
  const asked = new Set(data.yesNoStarts);
  const mayClose = new Set(data.mayClose);
  return {
    tag: data.tag,
    supported,
    backchannels: new PhraseSet(data.backchannels),
    stopPhrases: new PhraseSet(data.stopPhrases),
    refusals: new PhraseSet(data.refusals),
    hesitations: new PhraseSet(data.hesitations),
    timeouts: new PhraseSet(data.timeouts),
    markers: new PhraseSet(data.markers),
    fillers: new PhraseSet([...data.hesitations, ...data.markers]),
    openEnders: new PhraseSet(data.openEnders),
    strictlyOpen: new PhraseSet(data.openEnders.filter((phrase) => !mayClose.has(phrase))),
    digits: new PhraseSet(data.digits),
    numbers: new PhraseSet([...data.numbers, ...data.digits]),
    greetings: new PhraseSet(data.greetings),
    machinePhrases: new PhraseSet(data.machinePhrases),
    holdPhrases: new PhraseSet(data.holdPhrases),
    shortAnswers: new PhraseSet(data.shortAnswers),
    yesNoStarts: new PhraseSet(data.yesNoStarts),
    interrogatives: new PhraseSet(data.questionStarts.filter((word) => !asked.has(word))),
    questionStarts: new PhraseSet(data.questionStarts),
    announcing: new PhraseSet(data.announcing),
    data,
  };
}

const LANGUAGES = new Map(DATA.map((data) => [data.tag, build(data, true)]));
const UNKNOWN = build(english, false);

/**
 * The language of a call: the first of its tags that is known. Otherwise it is English with `supported` false, and
 * the predictor does not judge the words.
 */
export function languageOf(tags: readonly string[]): Language {
  for (const tag of tags) {
    const known = LANGUAGES.get(tag.toLowerCase().split('-')[0] ?? '');
    if (known) return known;
  }
  return UNKNOWN;
}

/** Stock lines, for when neither the assistant's settings nor the model provides words. */
export function stockLinesOf(tags: readonly string[]): StockLines {
  return languageOf(tags).data.lines;
}
