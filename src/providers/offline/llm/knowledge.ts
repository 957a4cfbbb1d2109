import type { Language } from './language.ts';
import { wordsOf } from './words.ts';

/** One entry of a `knowledgeBase` tool result: an FAQ entry, or a piece of a document. */
export interface KnowledgeResult {
  readonly question: string;
  readonly answer: string;
  /** What a piece of a document is about: the heading it stands under; empty if there is none that can be said. */
  readonly topic: string;
  /** 0…1. */
  readonly score: number;
}

// From this score on, a result is taken as the answer.
const GOOD_SCORE = 0.5;
// From this score on, the responder asks whether the result was meant.
const FAIR_SCORE = 0.28;
const MAX_EXCERPT_CHARS = 300;

// Words that say nothing about the topic of a question.
const EMPTY_WORDS: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: new Set(
    'a an the is are was do does did can could will would i you we my your our me us it this that of to in on at for from with by and or also tell know about please what which who when where why how have has there be get any'.split(
      ' ',
    ),
  ),
  fr: new Set(
    'un une le la les l des de du d est sont a ai as avez je tu vous nous mon votre vos me il elle ce cette que qui quoi quel quelle quels quelles quand ou comment pourquoi et aussi dans en au aux pour avec par sur dire savoir plait'.split(
      ' ',
    ),
  ),
  de: new Set(
    'ein eine einen der die das den dem des ist sind war ich du sie wir mein meine ihr ihre mir mich uns es dies was wer wann wo warum wie welche und oder auch von zu in im an am auf fur mit bei kann konnen mochte bitte sagen wissen gibt haben hat'.split(
      ' ',
    ),
  ),
  es: new Set(
    'un una el la los las lo de del es son era yo tu usted nosotros mi su sus me nos esto este que quien cual cuales cuando donde como por para con en a al y o tambien puede puedo decir saber favor hay tiene tienen'.split(
      ' ',
    ),
  ),
};

/** The topic words of a text, in approximate base forms. */
export function contentWords(text: string, language: Language): Set<string> {
  const empty = EMPTY_WORDS[language];
  const stems = wordsOf(text)
    .filter((word) => !empty.has(word))
    // Enough to match "opening" with "open" and "hours" with "hour".
    .map((word) => (word.length > 4 ? word.replace(/(?:ings?|es|s|en|e)$/, '') : word));
  return new Set(stems);
}

/** The first sentences of a text that are short enough for a spoken answer. */
function excerpt(text: string): string {
  const plain = text.replace(/\s+/g, ' ').trim();
  if (plain.length <= MAX_EXCERPT_CHARS) return plain;
  const cut = plain.slice(0, MAX_EXCERPT_CHARS);
  const sentenceEnd = Math.max(cut.lastIndexOf('. '), cut.lastIndexOf('! '), cut.lastIndexOf('? '));
  return sentenceEnd > 0 ? cut.slice(0, sentenceEnd + 1) : `${cut.slice(0, cut.lastIndexOf(' '))}…`;
}

function toResult(value: unknown): KnowledgeResult[] {
  if (typeof value !== 'object' || value === null) return [];
  const entry = value as Readonly<Record<string, unknown>>;
  const answer =
    typeof entry.answer === 'string'
      ? entry.answer.trim()
      : typeof entry.text === 'string'
        ? excerpt(entry.text)
        : '';
  const score = typeof entry.score === 'number' ? entry.score : 0;
  const question = typeof entry.question === 'string' ? entry.question.trim() : '';
  const topic = typeof entry.heading === 'string' ? topicOf(entry.heading) : '';
  return answer === '' ? [] : [{ question, answer, topic, score }];
}

const MAX_TOPIC_WORDS = 8;

/** The lowest of the headings without its number, if it can be said. */
function topicOf(headings: string): string {
  const topic = (headings.split(' > ').at(-1) ?? '').replace(/^[\d.\s]+/, '').trim();
  const isSpeakable = /^[\p{L}\p{M}\s'’,&?-]+$/u.test(topic);
  return isSpeakable && topic.split(/\s+/).length <= MAX_TOPIC_WORDS ? topic : '';
}

/** Parses a tool result, best first; undefined when the lookup failed. */
export function parseKnowledge(content: string): readonly KnowledgeResult[] | undefined {
  try {
    const { results } = JSON.parse(content) as { results?: unknown };
    if (!Array.isArray(results)) return undefined;
    return results.flatMap(toResult).sort((a, b) => b.score - a.score);
  } catch {
    return undefined;
  }
}

/** The knowledge base's answer to an utterance. */
export type Finding =
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'maybe'; readonly question: string }
  /** What can be asked instead: questions, or else topics. */
  | { readonly kind: 'nothing'; readonly questions: readonly string[] }
  | { readonly kind: 'nothing'; readonly topics: readonly string[] };

const MAX_OFFERS = 2;

/** A second result for the part of an utterance that the best result does not cover. */
function secondAnswer(
  asked: string,
  best: KnowledgeResult,
  others: readonly KnowledgeResult[],
  language: Language,
): KnowledgeResult | undefined {
  const covered = contentWords(best.question, language);
  const open = [...contentWords(asked, language)].filter((word) => !covered.has(word));
  if (open.length === 0) return undefined;
  return others.find((other) => {
    if (other.score < GOOD_SCORE / 2 || other.answer === best.answer) return false;
    const words = contentWords(other.question, language);
    const shared = open.filter((word) => words.has(word)).length;
    // The result must concern the uncovered part, and mostly that part.
    return shared > 0 && shared >= words.size / 2;
  });
}

function inOrderAsked(
  asked: string,
  results: readonly KnowledgeResult[],
  language: Language,
): KnowledgeResult[] {
  const order = [...contentWords(asked, language)];
  const position = ({ question }: KnowledgeResult): number => {
    const words = contentWords(question, language);
    const at = order.findIndex((word) => words.has(word));
    return at < 0 ? order.length : at;
  };
  return results.toSorted((a, b) => position(a) - position(b));
}

/** Decides what to say about the results; `asked` is the question in the caller's words. */
export function findAnswer(
  asked: string,
  results: readonly KnowledgeResult[],
  language: Language,
): Finding {
  const [best, ...others] = results;
  const questions = results.map((result) => result.question).filter((question) => question !== '');
  if (!best || best.score < GOOD_SCORE) {
    if (best && best.score >= FAIR_SCORE && best.question !== '')
      return { kind: 'maybe', question: best.question };
    if (questions.length > 0) return { kind: 'nothing', questions: questions.slice(0, MAX_OFFERS) };
    const topics = results.map((result) => result.topic).filter((topic) => topic !== '');
    return { kind: 'nothing', topics: [...new Set(topics)].slice(0, MAX_OFFERS) };
  }
  const second = secondAnswer(asked, best, others, language);
  const both = second ? inOrderAsked(asked, [best, second], language) : [best];
  return { kind: 'answer', text: both.map((result) => result.answer).join(' ') };
}
