import { canonicalWords } from './canonical-words.ts';
import type { Language } from './language.ts';
import type { Pronounce } from './pronounce.ts';
import { type SpokenToken, spokenForm } from './spoken-form.ts';

/** With more phrases the decoder would take longer to load than a caller takes to start (measured: 0.1 s for 1000). */
export const MAX_PHRASES = 1000;
const MAX_WORDS_A_PHRASE = 40;
/** Each costs time: a second of speech takes a core 0.16 s with none, 0.27 s with these, 0.4 s with 400 (measured). */
const MAX_TOPICS = 150;
const MAX_WORDS_A_TOPIC = 6;
/** How much frequencies count beside the sounds; the decoder does not apply its own such weight (`lw`) to grammars. */
const LANGUAGE_WEIGHT = 6.5;
const WEIGHT_DIGITS = 16;

/** One thing the caller may say. */
export interface Sentence {
  /** Written words, with punctuation. */
  readonly written: readonly string[];
  /** For each written word, how many canonical words have ended with it. */
  readonly ends: readonly number[];
  /** Canonical words. */
  readonly words: readonly string[];
}

/** The recogniser's grammar. */
export interface Grammar {
  readonly jsgf: string;
  /** Every word of the grammar, with all its pronunciations. */
  readonly pronunciations: ReadonlyMap<string, readonly string[]>;
  /** Questions that the assistant can answer. */
  readonly questions: readonly Sentence[];
  /** Subjects of questions of any form. */
  readonly topics: readonly Sentence[];
  /** General phrases that any caller may say. */
  readonly sayings: readonly Sentence[];
  /** Words without a known pronunciation; their phrases are left out. */
  readonly unknownWords: readonly string[];
  /** Number of phrases beyond {@link MAX_PHRASES}, or too long. */
  readonly droppedPhrases: number;
}

export interface GrammarOptions {
  readonly language: Language;
  readonly phrases: readonly string[];
  readonly topics?: readonly string[];
  readonly hints: readonly string[];
  readonly pronounce: Pronounce;
  /** True when the dictionary itself has the word. */
  readonly knows: (word: string) => boolean;
}

/** Builds a JSGF grammar of all phrases, with the words people put before and after them, and of general phrases. */
export function buildGrammar(options: GrammarOptions): Grammar {
  const builder = new GrammarBuilder(options);
  const { language, phrases, topics = [], hints } = options;
  const wanted = [...phrases.map((text) => punctuated(text, language)), ...hints];
  for (const text of [...new Set(wanted)].slice(0, MAX_PHRASES)) builder.addQuestion(text);
  for (const text of new Set(topics)) builder.addTopic(text);
  return builder.build(Math.max(0, new Set(wanted).size - MAX_PHRASES));
}

/** Adds the punctuation that a phrase would have in writing: endpointing depends on it. */
function punctuated(text: string, language: Language): string {
  const trimmed = text.trim();
  if (trimmed === '' || /[.?!…。？！]$/.test(trimmed)) return trimmed;
  const first = trimmed.toLowerCase().split(/\s+/)[0] as string;
  return `${trimmed}${language.interrogatives.has(first.split("'")[0] as string) ? '?' : '.'}`;
}

class GrammarBuilder {
  readonly #options: GrammarOptions;
  readonly #pronunciations = new Map<string, readonly string[]>();
  readonly #unknownWords = new Set<string>();
  readonly #questions: Sentence[] = [];
  readonly #topics: Sentence[] = [];
  #droppedPhrases = 0;

  constructor(options: GrammarOptions) {
    this.#options = options;
  }

  addQuestion(text: string): void {
    const sentence = this.#sentence(text);
    if (!sentence) return;
    if (sentence.words.length > MAX_WORDS_A_PHRASE) this.#droppedPhrases++;
    else this.#questions.push(sentence);
  }

  /** A text that is a question itself is no topic. */
  addTopic(text: string): void {
    const { interrogatives } = this.#options.language;
    const words = text.toLowerCase().split(/[\s']+/);
    if (this.#topics.length >= MAX_TOPICS || words.length > MAX_WORDS_A_TOPIC) return;
    if (/[?？]\s*$/.test(text) || interrogatives.has(words[0] ?? '')) return;
    const sentence = this.#sentence(text.replace(/(?<![.!…])[.!…]+$/, ''));
    if (sentence) this.#topics.push(sentence);
  }

  build(alreadyDropped: number): Grammar {
    const { language } = this.#options;
    const sayings = language.sayings.flatMap((text) => this.#sentence(text) ?? []);
    const digits = [...language.digits.keys()];
    // "Oh" means zero only among digits; with other numbers it would be recognised in every pause.
    const numbers = [
      ...new Map(
        [...language.digits].map(([word, digit]) => [digit, word] as const).toReversed(),
      ).values(),
      ...language.numberWords,
    ];
    const kinds = [
      ...(this.#questions.length > 0 ? ['<question>'] : []),
      ...(this.#topics.length > 0 ? ['<about>'] : []),
    ];
    const asked = kinds.length > 1 ? `( /4/ <question> | /1/ <about> )` : kinds.join('');
    const rules = [
      '#JSGF V1.0 UTF-8;',
      'grammar calls;',
      // The assistant's own questions are favoured, by no more than decides between equals: see LANGUAGE_WEIGHT.
      asked.length > 0
        ? 'public <utterance> = /10/ <asked> | /3/ <said> | /1/ <numbers>;'
        : 'public <utterance> = /3/ <said> | /1/ <numbers>;',
      `<asked> = [ <um> ] [ <greeting> ] [ <um> ] [ <filler> ] [ <ask> ] ${asked} [ <closing> ];`,
      `<um> = ${this.#fixed(language.hesitations)};`,
      `<greeting> = ${this.#fixed(language.greetings)};`,
      `<filler> = ${this.#fixed(language.fillers)};`,
      `<ask> = ${this.#fixed(language.asks)};`,
      `<closing> = ${this.#fixed(language.closings)};`,
      `<question> = ${this.#alternatives(this.#questions)};`,
      `<about> = <before> [ <article> ] <topic>${language.afterTopic.length > 0 ? ' [ <after> ]' : ''};`,
      `<before> = ${this.#weighted(language.beforeTopic)};`,
      `<article> = ${this.#fixed(language.articles)};`,
      `<after> = ${this.#fixed(language.afterTopic)};`,
      `<topic> = ${this.#topicWays()};`,
      `<said> = ${this.#alternatives(sayings)};`,
      `<numbers> = ( ${this.#words(digits)} )+ | ( ${this.#words(numbers)} )+;`,
    ];
    const unused = new Set([
      ...(asked.length > 0 ? [] : ['asked']),
      ...(this.#topics.length > 0 ? [] : ['about', 'before', 'article', 'after']),
    ]);
    const isUsed = (rule: string) => !unused.has(/^<(\w+)>/.exec(rule)?.[1] ?? '');
    return {
      jsgf: rules.filter((rule) => !/^<\w+> = ;$/.test(rule) && isUsed(rule)).join('\n'),
      pronunciations: this.#pronunciations,
      questions: this.#questions,
      topics: this.#topics,
      sayings,
      unknownWords: [...this.#unknownWords],
      droppedPhrases: alreadyDropped + this.#droppedPhrases,
    };
  }

  #sentence(text: string): Sentence | undefined {
    const { language, knows } = this.#options;
    const tokens = spokenForm(text, language, knows);
    const spoken = tokens.flatMap((token) => token.words);
    // All words are tried, so every unknown word is reported.
    const sayable = canonicalWords(spoken, language).map((word) => this.#learn(word));
    if (sayable.length === 0 || sayable.includes(false)) return undefined;
    return {
      written: tokens.map((token) => token.written),
      ends: endsOf(tokens, language),
      words: canonicalWords(spoken, language),
    };
  }

  #learn(word: string): boolean {
    if (this.#pronunciations.has(word)) return true;
    const sounds = this.#options.pronounce(word);
    if (sounds) this.#pronunciations.set(word, sounds);
    else this.#unknownWords.add(word);
    return sounds !== undefined;
  }

  #words(words: readonly string[]): string {
    return words.filter((word) => this.#learn(word)).join(' | ');
  }

  #fixed(texts: readonly string[]): string {
    return this.#alternatives(texts.flatMap((text) => this.#sentence(text) ?? []));
  }

  #weighted(texts: ReadonlyMap<string, number>): string {
    const most = Math.max(...texts.values());
    const ways = [...texts].flatMap(([text, often]) => {
      const sentence = this.#sentence(text);
      const weight = ((often / most) ** LANGUAGE_WEIGHT).toFixed(WEIGHT_DIGITS);
      return sentence ? [`/${weight}/ ( ${this.#withContractions(sentence.words)} )`] : [];
    });
    return ways.join(' | ');
  }

  /** Any article may stand for one within a topic: callers say "my last order" for "the last order". */
  #topicWays(): string {
    const articles = new Set(this.#options.language.articles);
    const ways = this.#topics.map(({ words }) =>
      this.#withContractions(words)
        .split(' ')
        .map((word, at) => (at > 0 && articles.has(word) ? '<article>' : word))
        .join(' '),
    );
    return [...new Set(ways)].map((way) => `( ${way} )`).join(' | ');
  }

  #alternatives(sentences: readonly Sentence[]): string {
    const ways = new Set(sentences.map((sentence) => this.#withContractions(sentence.words)));
    return [...ways].map((way) => `( ${way} )`).join(' | ');
  }

  #withContractions(words: readonly string[]): string {
    const parts: string[] = [];
    for (let i = 0; i < words.length; i++) {
      const pair = `${words[i]} ${words[i + 1]}`;
      const short = [...this.#options.language.contractions]
        .filter(([, long]) => long === pair)
        .map(([contraction]) => contraction)
        .filter((contraction) => this.#learn(contraction));
      if (short.length === 0) {
        parts.push(words[i] as string);
        continue;
      }
      parts.push(`( ${[pair, ...short].join(' | ')} )`);
      i++;
    }
    return parts.join(' ');
  }
}

function endsOf(tokens: readonly SpokenToken[], language: Language): number[] {
  let end = 0;
  return tokens.map((token) => {
    end += canonicalWords(token.words, language).length;
    return end;
  });
}
