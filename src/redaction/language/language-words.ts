/** What words say of the number beside them; `other`: one that is nobody's secret, such as an order's. */
export type Cue = 'card' | 'security-code' | 'bank-account' | 'identity-number' | 'phone' | 'other';

/** What the rules of redaction know of a language. Words are folded: lower case, no accents. */
export interface RedactionWords {
  /** The language's cardinals, 0 to 999, as a writer would spell them. */
  readonly cardinal: (n: number) => string;
  /** Other ways to say a number; each is a word or several. */
  readonly otherNumbers: Readonly<Record<string, string>>;
  /** Say how often the next digit comes. */
  readonly repeats: Readonly<Record<string, number>>;
  /** May stand between the digits of one number. */
  readonly fillers: readonly string[];
  readonly plus: readonly string[];
  /** Larger units: a number before one of these is an amount. */
  readonly magnitudes: readonly string[];
  /** Directly after or before a number: what it counts. */
  readonly units: readonly string[];
  /** Countries whose telephone numbers are dictated without a prefix. */
  readonly countries: readonly string[];
  /** Words that say what the next number is. */
  readonly cues: Readonly<Record<Cue, readonly string[]>>;
  readonly birth: readonly string[];
  readonly months: readonly string[];
  /** Between day, month and year. */
  readonly datePrepositions: readonly string[];
  /** Days as ordinals and the words of years, beyond the cardinals. */
  readonly dateNumbers: RegExp;
  readonly email: {
    readonly at: readonly string[];
    readonly dot: readonly string[];
    /** Other characters of an address. */
    readonly signs: readonly string[];
    readonly cues: readonly string[];
  };
  /** Phrases after which a person's own or another's name follows. */
  readonly nameCues: readonly string[];
  /** Those of them that say other things as well: "I am late". */
  readonly weakNameCues: readonly string[];
  readonly honorifics: readonly string[];
  /** Honorifics that are no occupation: a name follows. */
  readonly sureHonorifics: readonly string[];
  /** Words that begin in a capital or follow a cue, and are no name. */
  readonly notNames: readonly string[];
  /** Within a name: "van der", "de la". */
  readonly nameParticles: readonly string[];
  readonly address: {
    /** Phrases after which somebody says where they live. */
    readonly cues: readonly string[];
    /** Before the street's name, as "rue". */
    readonly before: readonly string[];
    /** After the street's name, as "street". */
    readonly after: readonly string[];
    /** End of a word that is a street's name, as "-straße". */
    readonly endings?: RegExp;
    /** Words that may stand within an address. */
    readonly within: readonly string[];
  };
  /** Words of health; an asterisk stands for any ending. */
  readonly health: readonly string[];
}

/** Splits a list that is written with commas. */
export const list = (text: string): readonly string[] =>
  text
    .split(',')
    .map((entry) => entry.trim().replaceAll(/\s+/g, ' '))
    .filter((entry) => entry !== '');
