import { canonicalWords } from './canonical-words.ts';
import type { Grammar, Sentence } from './grammar.ts';
import type { Language } from './language.ts';

/** Writes recognised words in the way their phrases are written. */
export interface Transcriber {
  /** `complete`: the words are a whole sentence; otherwise the start of one, as far as it was recognised. */
  write(words: readonly string[], complete: boolean): Written;
}

export interface Written {
  readonly text: string;
  /** `start`: the words do not form a sentence yet. */
  readonly kind: 'sentence' | 'number' | 'start';
}

/** From this many single digits in a row on, they are written as one number. */
const SHORTEST_DIGIT_RUN = 3;

export function createTranscriber(grammar: Grammar, language: Language): Transcriber {
  const questions = byWords(grammar.questions);
  const sayings = byWords(grammar.sayings);
  const openers = [language.greetings, language.fillers, language.asks].map((kind) =>
    spokenAs(kind, language),
  );
  const closings = spokenAs(language.closings, language);
  const beforeTopic = spokenAs([...language.beforeTopic.keys()], language);
  const articles = spokenAs(language.articles, language);
  const withAnyArticle = (words: readonly string[]) =>
    words.map((word, at) => (at > 0 && articles.has(word) ? '<article>' : word)).join(' ');
  const topics = new Map(
    grammar.topics.map((topic) => [withAnyArticle(topic.words), topic] as const).toReversed(),
  );
  const afterTopic = spokenAs(language.afterTopic, language);

  function writeNumbers(words: readonly string[]): string | undefined {
    const digits = words.map((word) => language.digits.get(word));
    if (digits.length >= SHORTEST_DIGIT_RUN && !digits.includes(undefined)) return digits.join('');
    const known = words.every(
      (word) => language.digits.has(word) || language.numberWords.includes(word),
    );
    return known ? words.join(' ') : undefined;
  }

  /** The parts before a question, and how many words they take. */
  function readOpeners(words: readonly string[]): { written: string[]; taken: number } {
    const written: string[] = [];
    let taken = 0;
    for (const kind of openers) {
      const found = longestPrefix(kind, words.slice(taken));
      if (!found) continue;
      written.push(found.written);
      taken += found.taken;
    }
    return { written, taken };
  }

  /** A topic as it is written, with the articles that were said. */
  function writeTopic(words: readonly string[]): readonly string[] | undefined {
    const topic = topics.get(withAnyArticle(words));
    const said = words.slice(1).filter((word) => articles.has(word));
    return topic?.written.map((word, at) =>
      at > 0 && articles.has(word.toLowerCase()) ? (said.shift() ?? word) : word,
    );
  }

  /** A question of any form about a topic. */
  function writeAbout(words: readonly string[]): string | undefined {
    const before = longestPrefix(beforeTopic, words);
    if (!before) return undefined;
    const article = longestPrefix(articles, words.slice(before.taken));
    const last = afterTopic.get(words.at(-1) ?? '');
    for (const from of article ? [before.taken + article.taken, before.taken] : [before.taken])
      for (const to of last ? [-1, words.length] : [words.length]) {
        const topic = writeTopic(words.slice(from, to));
        if (!topic) continue;
        const parts = [
          before.written,
          ...(article && from > before.taken ? [article.written] : []),
          ...topic,
          ...(last && to < 0 ? [last] : []),
        ];
        const first = before.written.split(' ', 1)[0]?.toLowerCase() ?? '';
        return `${parts.join(' ')}${language.interrogatives.has(first) ? '?' : '.'}`;
      }
    return undefined;
  }

  function writeQuestion(words: readonly string[]): string | undefined {
    const { written, taken } = readOpeners(words);
    const rest = words.slice(taken);
    for (let end = rest.length; end > 0; end--) {
      const asked = rest.slice(0, end);
      const sentence = questions.get(asked.join(' '))?.written.join(' ') ?? writeAbout(asked);
      if (!sentence) continue;
      const closing = end === rest.length ? '' : closings.get(rest.slice(end).join(' '));
      if (closing === undefined) continue;
      return withClosing(withOpeners(written, sentence, language), closing);
    }
    return undefined;
  }

  function writeStart(words: readonly string[]): string {
    const { written, taken } = readOpeners(words);
    const rest = words.slice(taken);
    if (rest.length === 0) return written.join(', ');
    const key = `${rest.join(' ')} `;
    const sentence = grammar.questions.find((candidate) =>
      `${candidate.words.join(' ')} `.startsWith(key),
    );
    if (!sentence) return words.join(' ');
    const whole = sentence.ends.findLastIndex((end) => end <= rest.length);
    const heard = sentence.written.slice(0, whole + 1).join(' ');
    return withOpeners(
      written,
      rest.length < sentence.words.length ? open(heard) : heard,
      language,
    );
  }

  return {
    write(recognised, complete) {
      const words = canonicalWords(recognised, language);
      const key = words.join(' ');
      const whole = sayings.get(key)?.written.join(' ') ?? writeQuestion(words);
      // What looks like a sentence may still continue.
      if (whole !== undefined) return { text: complete ? whole : open(whole), kind: 'sentence' };
      const number = writeNumbers(words);
      if (number !== undefined) return { text: number, kind: 'number' };
      return { text: writeStart(words), kind: 'start' };
    },
  };
}

function byWords(sentences: readonly Sentence[]): Map<string, Sentence> {
  // Of several sentences with the same words, the first wins.
  return new Map(sentences.map((s) => [s.words.join(' '), s] as const).toReversed());
}

function spokenAs(texts: readonly string[], language: Language): Map<string, string> {
  return new Map(
    texts.map((text) => {
      const words = text.toLowerCase().split(/[ -]/);
      return [canonicalWords(words, language).join(' '), text];
    }),
  );
}

function longestPrefix(
  kind: ReadonlyMap<string, string>,
  words: readonly string[],
): { written: string; taken: number } | undefined {
  for (let taken = Math.min(words.length, 6); taken > 0; taken--) {
    const written = kind.get(words.slice(0, taken).join(' '));
    if (written !== undefined) return { written, taken };
  }
  return undefined;
}

function withOpeners(openers: readonly string[], sentence: string, language: Language): string {
  if (openers.length === 0) return sentence;
  const first = sentence.split(/[\s']/, 1)[0] as string;
  const inside = language.lowerable.has(first.toLowerCase())
    ? sentence.charAt(0).toLowerCase() + sentence.slice(1)
    : sentence;
  const [head, ...others] = openers as [string, ...string[]];
  const said = [head, ...others.map((opener) => opener.charAt(0).toLowerCase() + opener.slice(1))];
  // "Can you tell me what…" takes no comma, "Hello, what…" does.
  const joint = language.runningOn.has(openers.at(-1) as string) ? ' ' : ', ';
  return `${said.join(', ')}${joint}${inside}`;
}

function withClosing(sentence: string, closing: string): string {
  if (closing === '') return sentence;
  const end = /(?<![.?!…])[.?!…]+$/.exec(sentence)?.[0] ?? '';
  return `${sentence.slice(0, sentence.length - end.length)}, ${closing}${end}`;
}

function open(text: string): string {
  return text.replace(/(?<![.?!…,;:])[.?!…,;:]+$/, '');
}
