/**
 * Guesses a word's pronunciation from its spelling: phones separated by spaces; undefined when nothing is pronounced.
 */
export type LetterToSound = (word: string) => string | undefined;

interface Rule {
  readonly pattern: RegExp;
  readonly letters: number;
  readonly phones: string;
}

/** The context signs of the rules, as regular expressions. */
const SIGNS: Readonly<Record<string, string>> = {
  '#': '[aeiouy]+',
  ':': '[bcdfghjklmnpqrstvwxz]*',
  '^': '[bcdfghjklmnpqrstvwxz]',
  '+': '[eiy]',
  '.': '[bdgjlmnrvwz]',
  '%': '(?:e|es|er|ed|ing|ely)_',
};

/**
 * Parses a table of rules, one per line: `left[letters]right=PHONES`. At each letter the first matching rule applies.
 * In the contexts: `#` vowels, `:` any consonants, `^` one consonant, `+` e, i or y, `.` a voiced consonant, `%` a
 * suffix (e, es, er, ed, ing, ely) at the end, `_` the edge of the word.
 */
export function createLetterToSound(table: string): LetterToSound {
  const rules = new Map<string, Rule[]>();
  for (const line of table.trim().split('\n')) {
    const parts = /^(.*)\[(.+)\](.*)=(.*)$/.exec(line);
    if (!parts) throw new SyntaxError(`not a letter-to-sound rule: ${line}`);
    const [, left, letters, right, phones] = parts as unknown as [string, ...string[]] as string[];
    const first = (letters as string).charAt(0);
    const forLetter = rules.get(first) ?? [];
    rules.set(first, forLetter);
    forLetter.push({
      pattern: new RegExp(
        `(?<=${context(left as string)})${letters}(?=${context(right as string)})`,
        'y',
      ),
      letters: (letters as string).length,
      phones: phones as string,
    });
  }
  return (word) => sound(rules, word);
}

function context(text: string): string {
  return [...text].map((sign) => SIGNS[sign] ?? sign).join('');
}

function sound(rules: ReadonlyMap<string, readonly Rule[]>, word: string): string | undefined {
  const letters = word
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^a-z']/g, '');
  const padded = `_${letters}_`;
  const phones: string[] = [];
  let at = 1;
  while (at < padded.length - 1) {
    const rule = rules.get(padded.charAt(at))?.find(({ pattern }) => {
      pattern.lastIndex = at;
      return pattern.test(padded);
    });
    if (rule?.phones) phones.push(rule.phones);
    at += rule?.letters ?? 1;
  }
  return phones.length === 0 ? undefined : phones.join(' ');
}
