import { NumberReader } from '../number-words.ts';
import { fold } from '../tokens.ts';
import { german } from './de.ts';
import { english } from './en.ts';
import { spanish } from './es.ts';
import { french } from './fr.ts';
import type { Cue, RedactionWords } from './language-words.ts';
import { PhraseSet } from './phrase-set.ts';

/** A language's words, ready for lookups. */
export interface RedactionLanguage {
  readonly words: RedactionWords;
  readonly numbers: NumberReader;
  readonly repeats: ReadonlyMap<string, number>;
  readonly fillers: ReadonlySet<string>;
  readonly plus: ReadonlySet<string>;
  readonly magnitudes: ReadonlySet<string>;
  readonly units: PhraseSet;
  readonly cues: Readonly<Record<Cue, PhraseSet>>;
  readonly birth: PhraseSet;
  readonly months: ReadonlySet<string>;
  readonly datePrepositions: ReadonlySet<string>;
  readonly at: PhraseSet;
  readonly dot: PhraseSet;
  readonly signs: PhraseSet;
  readonly emailCues: PhraseSet;
  readonly nameCues: PhraseSet;
  readonly weakNameCues: PhraseSet;
  readonly honorifics: ReadonlySet<string>;
  readonly sureHonorifics: ReadonlySet<string>;
  readonly notNames: ReadonlySet<string>;
  readonly nameParticles: ReadonlySet<string>;
  readonly addressCues: PhraseSet;
  readonly streetBefore: PhraseSet;
  readonly streetAfter: ReadonlySet<string>;
  readonly addressWithin: ReadonlySet<string>;
  readonly health: PhraseSet;
}

const WORDS: Readonly<Record<string, RedactionWords>> = {
  en: english,
  es: spanish,
  fr: french,
  de: german,
};

const ready = new Map<string, RedactionLanguage>();

/** The words of a language tag's language; English where there are none. */
export function redactionLanguage(tag: string): RedactionLanguage {
  const primary = tag.trim().toLowerCase().split('-')[0] ?? '';
  const code = Object.hasOwn(WORDS, primary) ? primary : 'en';
  const known = ready.get(code);
  if (known) return known;
  const made = prepare(WORDS[code] as RedactionWords);
  ready.set(code, made);
  return made;
}

const set = (words: readonly string[]): ReadonlySet<string> => new Set(words.map(fold));
const phrases = (words: readonly string[]): PhraseSet => new PhraseSet(words);

function prepare(words: RedactionWords): RedactionLanguage {
  const { cues, email, address } = words;
  return {
    words,
    numbers: new NumberReader(words),
    repeats: new Map(Object.entries(words.repeats)),
    fillers: set(words.fillers),
    plus: set(words.plus),
    magnitudes: set(words.magnitudes),
    units: phrases(words.units),
    cues: {
      card: phrases(cues.card),
      'security-code': phrases(cues['security-code']),
      'bank-account': phrases(cues['bank-account']),
      'identity-number': phrases(cues['identity-number']),
      phone: phrases(cues.phone),
      other: phrases(cues.other),
    },
    birth: phrases(words.birth),
    months: set(words.months),
    datePrepositions: set(words.datePrepositions),
    at: phrases(email.at),
    dot: phrases(email.dot),
    signs: phrases(email.signs),
    emailCues: phrases(email.cues),
    nameCues: phrases(words.nameCues),
    weakNameCues: phrases(words.weakNameCues),
    honorifics: set(words.honorifics),
    sureHonorifics: set(words.sureHonorifics),
    notNames: set(words.notNames),
    nameParticles: set(words.nameParticles),
    addressCues: phrases(address.cues),
    streetBefore: phrases(address.before),
    streetAfter: set(address.after),
    addressWithin: set(address.within),
    health: phrases(words.health),
  };
}
