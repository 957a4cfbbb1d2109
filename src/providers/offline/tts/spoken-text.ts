import { foldText } from './fold-text.ts';
import { digitWords } from './number-words.ts';
import { ABBREVIATIONS, CAPITAL_ABBREVIATIONS, CURRENCIES, UNITS } from './spoken-tables.ts';
import { letterWords, spokenWord } from './spoken-word.ts';

/** The length of the pause after a word. */
export type Pause = 'none' | 'clause' | 'sentence' | 'question';

/** A word of the text and its spoken form. */
export interface SpokenWord {
  /** Exactly as in the text, punctuation included. */
  readonly written: string;
  /** Lower-case words and commas; empty when the word is not spoken. */
  readonly spoken: string;
  readonly pause: Pause;
}

const CLOSING = `["')\\]}*_]*`;
const SENTENCE_END = new RegExp(`([.!?]+)${CLOSING}$`);
const CLAUSE_END = new RegExp(`[,;:-]${CLOSING}$`);
const SCALE = /^(?:thousand|million|billion)\b/i;

/** Removes markdown, quotes and brackets around a word. */
function unwrap(word: string): string {
  return word
    .replace(/\]\([^)]*\)/, '')
    .replace(/^[#*_`~>]+$/, '')
    .replace(/^[[("'*_`~#>{]+(?=.)/, '')
    .replace(/["'*_`~\])}]+$/, '');
}

interface Token {
  readonly folded: string;
  /** Without quotes, brackets and trailing punctuation. */
  readonly core: string;
  /** With its full stop, if it has one. */
  readonly dotted: string;
}

/** Of a word; nobody says a longer one, and the patterns take the square of its length. */
const MAX_WORD_CHARS = 200;

function toToken(word: string): Token {
  const folded = foldText(word.slice(0, MAX_WORD_CHARS));
  const dotted = unwrap(folded).replace(/[,;:!?]+$/, '');
  return { folded, dotted, core: unwrap(dotted.replace(/[.,;:!?-]+$/, '')) };
}

function pauseAfter({ folded, dotted }: Token, abbreviated: boolean, next?: Token): Pause {
  const end = SENTENCE_END.exec(folded);
  if (!end) return CLAUSE_END.test(folded) ? 'clause' : 'none';
  const nextIsCapital = /^["'(]*[A-Z]/.test(next?.folded ?? '');
  if (abbreviated && next && (isTitle(dotted) || !nextIsCapital)) return 'none';
  return end[1]?.includes('?') ? 'question' : 'sentence';
}

/** Indexes of digit groups that form one long number, as in phone numbers. */
function dictatedGroups(tokens: readonly Token[]): Set<number> {
  const groups = new Set<number>();
  let from = 0;
  for (let i = 0; i <= tokens.length; i++) {
    const core = tokens[i]?.folded.replace(/[,.;:!?]+$/, '') ?? '';
    if (/^\+?\(?\d{1,5}\)?$/.test(core) && tokens[i - 1]?.folded.match(/[,.;:!?]$/) === null)
      continue;
    const isGroup = /^\+?\(?\d{1,5}\)?$/.test(core);
    const run = tokens.slice(from, i).map((token) => token.folded.replace(/\D/g, ''));
    if (run.length > 1 && run.join('').length >= 7) for (let k = from; k < i; k++) groups.add(k);
    from = isGroup ? i : i + 1;
  }
  return groups;
}

function dictated(core: string): string {
  return `${core.startsWith('+') ? 'plus ' : ''}${digitWords(core.replace(/\D/g, ''))}`;
}

/** Splits a text into words with spoken forms, one entry per written word. */
export function toSpokenWords(text: string): SpokenWord[] {
  const written = text.match(/\S+/g) ?? [];
  const tokens = written.map(toToken);
  const groups = dictatedGroups(tokens);
  let currency = '';
  return tokens.map((token, i) => {
    const previous = tokens[i - 1];
    const next = tokens[i + 1];
    const expanded = expandAbbreviation(token.dotted, previous?.core, next?.core);
    const money = /^([$€£¥])(\d[\d,.]*)$/.exec(token.core);
    let spoken = expanded ?? spokenWord(token.core);
    if (groups.has(i)) {
      spoken = `${dictated(token.core)}${groups.has(i + 1) ? ',' : ''}`;
    } else if (money && SCALE.test(next?.core ?? '')) {
      // "$2 million" is two million dollars.
      spoken = spokenWord(money[2] as string);
      currency = CURRENCIES[money[1] as string]?.many ?? '';
    } else if (currency) {
      spoken = `${spoken} ${currency}`;
      currency = '';
    } else if (/^\d[\d,.]*$/.test(previous?.folded ?? '')) {
      spoken = UNITS.get(token.core.toLowerCase()) ?? spoken;
    }
    return {
      written: written[i] as string,
      spoken,
      pause: pauseAfter(token, expanded !== undefined, next),
    };
  });
}

/**
 * The spoken form of an abbreviation in its context; undefined when the word is not one. `word` includes its full
 * stop; the neighbours decide where it could be an ordinary word at the end of a sentence.
 */
function expandAbbreviation(
  word: string,
  previous: string | undefined,
  next: string | undefined,
): string | undefined {
  const lower = word.toLowerCase();
  if (lower === 'no.' || lower === 'nr.') return /^\d/.test(next ?? '') ? 'number' : undefined;
  if (lower === 'st.') return /^[A-Z]/.test(previous ?? '') ? 'street' : 'saint';
  if (/^(?:[a-z]\.){2,}$/.test(lower) && !ABBREVIATIONS.has(lower))
    return letterWords(lower.replaceAll('.', ''));
  if (/^[A-Z]\.$/.test(word) && /^[A-Z]/.test(next ?? '')) return letterWords(word.slice(0, 1));
  return ABBREVIATIONS.get(lower) ?? CAPITAL_ABBREVIATIONS.get(word);
}

/** True where a name always follows, so the next capital letter begins no sentence. */
function isTitle(word: string): boolean {
  return /^(?:mr|mrs|ms|dr|prof|no|nr)\.$/i.test(word) || /^[A-Z]\.$/.test(word);
}
