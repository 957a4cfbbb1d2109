import { contentWords } from './knowledge.ts';
import type { Language } from './language.ts';

/** A tool that the responder may call by itself: it needs no values that would have to be taken out of a sentence. */
export interface DescribedTool {
  readonly name: string;
  readonly description: string;
}

/** From this share of the words that question and description have in common, the description is the question. */
const NEARLY_EQUAL = 0.6;

/** What a description says of its tool, and no caller does: "looks up", "returns". */
const TELLING: Readonly<Record<Language, string>> = {
  en: 'looks up gets returns gives finds checks shows fetches retrieves provides tells says reads lists look return give find check show fetch retrieve provide say read list',
  fr: 'cherche donne trouve affiche indique renvoie consulte dit lit liste',
  de: 'sucht gibt findet zeigt liefert nennt sagt liest',
  es: 'busca da encuentra muestra devuelve indica consulta dice lee lista',
};

/** The tool whose description says nearly what was asked; undefined when none does, or two do equally. */
export function findTool(
  asked: string,
  tools: readonly DescribedTool[],
  language: Language,
): string | undefined {
  const words = contentWords(asked, language);
  const telling = contentWords(TELLING[language], language);
  const subject = (part: string) =>
    new Set([...contentWords(part, language)].filter((word) => !telling.has(word)));
  const [best, second] = tools
    .map(({ name, description }) => ({
      name,
      score: Math.max(
        ...description.split(/[.!?\n]+/).map((part) => overlap(words, subject(part))),
      ),
    }))
    .toSorted((a, b) => b.score - a.score);
  if (!best || best.score < NEARLY_EQUAL || best.score === second?.score) return undefined;
  return best.name;
}

/** The words in common over all words (Jaccard), 0 to 1. */
function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const all = new Set([...a, ...b]).size;
  return all === 0 ? 0 : [...a].filter((word) => b.has(word)).length / all;
}

const MAX_FIELDS = 6;
const SAID_WHOLE = ['answer', 'message', 'text', 'result'];

/** A tool's answer as something to say: its text, or its plain fields by name; empty when it failed or says nothing. */
export function sayResult(content: string): string {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    return content.trim();
  }
  if (typeof value !== 'object' || value === null) return value === null ? '' : String(value);
  const fields = Object.entries(value).filter(
    (field): field is [string, string | number | boolean] =>
      ['string', 'number', 'boolean'].includes(typeof field[1]),
  );
  if (fields.some(([name]) => name === 'error')) return '';
  const whole = SAID_WHOLE.map((name) => fields.find((field) => field[0] === name)?.[1]).find(
    (text) => typeof text === 'string' && text !== '',
  );
  if (whole !== undefined) return String(whole);
  return fields
    .slice(0, MAX_FIELDS)
    .map(([name, text]) => `${name.replace(/[_-]+|(?<=\p{Ll})(?=\p{Lu})/gu, ' ')}: ${text}.`)
    .join(' ');
}
