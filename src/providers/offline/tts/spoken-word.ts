import {
  digitWords,
  numberWords,
  ordinalWords,
  wholeNumberWords,
  yearWords,
} from './number-words.ts';
import {
  ADDRESS_SIGNS,
  CURRENCIES,
  type Currency,
  MONTHS,
  SIGNS,
  SPELLED,
  UNITS,
} from './spoken-tables.ts';

// Nothing longer is a number, an amount or an address that a listener could follow.
const MAX_RULE_CHARS = 120;
const VOWEL = /[aeiouy]/i;

/** Letter by letter, by their names. "a" alone would be read as the article. */
export function letterWords(letters: string): string {
  return [...letters.toLowerCase()].map((letter) => (letter === 'a' ? 'ay' : letter)).join(' ');
}

function amount(symbol: string, digits: string): string {
  const { one, many, cents } = CURRENCIES[symbol] as Currency;
  const [whole = '0', fraction] = digits.replaceAll(',', '').split('.');
  const major = `${wholeNumberWords(whole)} ${whole === '1' ? one : many}`;
  if (!fraction || Number(fraction) === 0) return major;
  if (fraction.length > 2) return `${numberWords(digits)} ${many}`;
  const minor = `${wholeNumberWords(String(Number(fraction.padEnd(2, '0'))))} ${cents}`;
  return Number(whole) === 0 ? minor : `${major} and ${minor}`;
}

function clock(hours: string, minutes: string): string {
  const spokenHours = wholeNumberWords(String(Number(hours)));
  if (minutes === '00')
    return Number(hours) > 12 ? `${spokenHours} hundred` : `${spokenHours} o'clock`;
  const oh = minutes.startsWith('0') ? 'oh ' : '';
  return `${spokenHours} ${oh}${wholeNumberWords(String(Number(minutes)))}`;
}

function half(letter: string): string {
  return letter.toLowerCase() === 'a' ? 'ay em' : 'pea em';
}

/** An address as a person would dictate it. */
function address(text: string): string {
  const parts = text
    .replace(/^[a-z]+:\/\//i, '')
    .replace(/^www\./i, '')
    .replace(/\/$/, '')
    .split(/([@./?=&_:#+~-])/);
  return parts
    .flatMap((part) => (part === '' ? [] : [ADDRESS_SIGNS.get(part) ?? plain(part)]))
    .join(' ');
}

type Rule = readonly [pattern: RegExp, speak: (match: RegExpExecArray) => string];

// The first rule that matches the whole word wins.
const RULES: readonly Rule[] = [
  [/^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/, ([all]) => address(all)],
  [/^(?:https?:\/\/|www\.)\S+$/i, ([all]) => address(all)],
  [
    /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|net|io|eu|de|fr|es|at|ch|uk|gov|edu|info)(?:\/\S*)?$/i,
    ([all]) => address(all),
  ],
  [/^([$€£¥])(\d[\d,]*(?:\.\d+)?)$/, (m) => amount(m[1] as string, m[2] as string)],
  [/^(\d[\d,]*(?:\.\d+)?)([€£¥$])$/, (m) => amount(m[2] as string, m[1] as string)],
  [
    /^([$€£¥])(\d[\d,]*(?:\.\d+)?)([kmb])$/i,
    (m) => {
      const scale = { k: 'thousand', m: 'million', b: 'billion' }[(m[3] as string).toLowerCase()];
      return `${numberWords(m[2] as string)} ${scale} ${CURRENCIES[m[1] as string]?.many}`;
    },
  ],
  [
    /^(\d{4})-(\d\d)-(\d\d)$/,
    (m) => {
      const month = MONTHS[Number(m[2]) - 1];
      return month
        ? `${month} ${ordinalWords(String(Number(m[3])))} ${yearWords(m[1] as string)}`
        : digitWords(m[0].replaceAll('-', ''));
    },
  ],
  [/^(\d{1,2}):(\d\d)(?::\d\d)?$/, (m) => clock(m[1] as string, m[2] as string)],
  [
    /^(\d{1,2}):(\d\d)\s*([ap])\.?m\.?$/i,
    (m) =>
      `${m[2] === '00' ? wholeNumberWords(m[1] as string) : clock(m[1] as string, m[2] as string)} ${half(m[3] as string)}`,
  ],
  [
    /^(\d{1,2})([ap])\.?m\.?$/i,
    (m) => `${wholeNumberWords(m[1] as string)} ${half(m[2] as string)}`,
  ],
  [
    // A phone number: seven digits or more in groups.
    /^(?=(?:\D*\d){7})\+?\(?\d+\)?(?:(?:[-./]|(?<=\)))\(?\d+\)?)+$/,
    ([all]) => {
      const groups = all.match(/\d+/g) ?? [];
      return `${all.startsWith('+') ? 'plus ' : ''}${groups.map(digitWords).join(', ')}`;
    },
  ],
  [
    /^\+?\d{7,}$/,
    ([all]) => `${all.startsWith('+') ? 'plus ' : ''}${digitWords(all.replace('+', ''))}`,
  ],
  [/^(\d+)(?:st|nd|rd|th)$/i, (m) => ordinalWords(m[1] as string)],
  [/^(\d[\d,]*(?:\.\d+)?)%$/, (m) => `${numberWords(m[1] as string)} percent`],
  [
    /^([+-])(\d[\d,]*(?:\.\d+)?)(.*)$/,
    (m) => `${m[1] === '-' ? 'minus' : 'plus'} ${spokenWord(`${m[2]}${m[3]}`)}`,
  ],
  [/^(1[1-9]|20)\d\d$/, ([all]) => yearWords(all)],
  [/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/, ([all]) => numberWords(all)],
  [/^\d+(?:\.\d+)?$/, ([all]) => numberWords(all)],
  [/^\d+(?:\.\d+){2,}$/, ([all]) => all.split('.').map(wholeNumberWords).join(' point ')],
  [/^1\/2$/, () => 'one half'],
  [/^1\/4$/, () => 'one quarter'],
  [/^3\/4$/, () => 'three quarters'],
  [/^24\/7$/, () => 'twenty four seven'],
  [
    /^(\S+)-(\S+)$/,
    (m) => {
      const range = /\d/.test(m[1] as string) && /^[$€£]?\d/.test(m[2] as string);
      return `${spokenWord(m[1] as string)} ${range ? 'to ' : ''}${spokenWord(m[2] as string)}`;
    },
  ],
  [
    /^(\d[\d,]*(?:\.\d+)?)(°?[a-z][a-z/]*|°)$/i,
    (m) => {
      const unit = UNITS.get((m[2] as string).toLowerCase());
      return `${numberWords(m[1] as string)} ${unit ?? plain(m[2] as string)}`;
    },
  ],
];

function isSpelled(word: string): boolean {
  if (!/^[A-Z]{2,5}s?$/.test(word)) return false;
  const letters = word.toLowerCase();
  return SPELLED.has(letters) || !VOWEL.test(word);
}

/** The fallback when no rule matches: letters, numbers and signs are spoken one by one. */
function plain(word: string): string {
  if (isSpelled(word)) return letterWords(word.replace(/s$/, ''));
  const pieces = word.match(/\d+|[A-Za-z]+(?:'[A-Za-z]+)*|[&+=@%#°×÷€£¥$]/g) ?? [];
  return pieces
    .map((piece) => {
      if (/^\d/.test(piece)) return wholeNumberWords(piece);
      const sign = SIGNS.get(piece);
      if (sign) return sign;
      // An unpronounceably long word is split.
      return (
        piece
          .toLowerCase()
          .match(/.{1,40}/g)
          ?.join(' ') ?? ''
      );
    })
    .join(' ');
}

/** The spoken form of one written word, without the punctuation around it; empty when it is not spoken. */
export function spokenWord(word: string): string {
  if (word.length > MAX_RULE_CHARS) return plain(word);
  for (const [pattern, speak] of RULES) {
    const match = pattern.exec(word);
    if (match) return speak(match);
  }
  return plain(word);
}
