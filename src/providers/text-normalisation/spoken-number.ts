import { toCardinal as german } from 'n2words/de-DE';
import { toCardinal as english, toOrdinal as englishOrdinal } from 'n2words/en-US';
import { toCardinal as spanish } from 'n2words/es-ES';
import { toCardinal as french } from 'n2words/fr-FR';

/** How one language writes and speaks numbers. */
interface NumberLanguage {
  readonly cardinal: (number: string) => string;
  /** The separator of thousands, and of decimals. */
  readonly grouping: string;
  readonly decimal: string;
  readonly point: string;
  readonly plus: string;
  /** Spoken clock time: for example 9:00, 9:05 and 14:30. */
  readonly clock: (hours: string, minutes: string, minute: number) => string;
  /** Spoken year, or another bare four-digit number, where it is not read as a cardinal. */
  readonly year?: (number: number, cardinal: (n: number) => string) => string | undefined;
  /** The form before a counted noun: "ein Euro", not "eins Euro". */
  readonly counting?: (words: string) => string;
}

function englishYear(year: number, cardinal: (n: number) => string): string | undefined {
  if (year < 1100 || year > 2099 || (year >= 2000 && year < 2010)) return undefined;
  const [century, rest] = [Math.floor(year / 100), year % 100];
  if (rest === 0) return `${cardinal(century)} hundred`;
  return `${cardinal(century)} ${rest < 10 ? 'oh ' : ''}${cardinal(rest)}`;
}

function germanYear(year: number, cardinal: (n: number) => string): string | undefined {
  if (year < 1100 || year > 1999) return undefined;
  const rest = year % 100;
  return `${cardinal(Math.floor(year / 100))}hundert${rest === 0 ? '' : cardinal(rest)}`;
}

const LANGUAGES: Readonly<Record<string, NumberLanguage>> = {
  en: {
    cardinal: english,
    grouping: ',',
    decimal: '.',
    point: 'point',
    plus: 'plus',
    clock: (hours, minutes, minute) =>
      minute === 0 ? `${hours} o'clock` : `${hours} ${minute < 10 ? 'oh ' : ''}${minutes}`,
    year: englishYear,
  },
  fr: {
    cardinal: french,
    grouping: '.',
    decimal: ',',
    point: 'virgule',
    plus: 'plus',
    clock: (hours, minutes, minute) =>
      `${hours.replace(/un$/, 'une')} ${hours === 'un' ? 'heure' : 'heures'}${minute === 0 ? '' : ` ${minutes}`}`,
  },
  de: {
    cardinal: german,
    grouping: '.',
    decimal: ',',
    point: 'Komma',
    plus: 'plus',
    clock: (hours, minutes, minute) =>
      `${hours.replace(/^eins$/, 'ein')} Uhr${minute === 0 ? '' : ` ${minutes}`}`,
    year: germanYear,
    counting: (words) => words.replace(/eins$/, 'ein'),
  },
  es: {
    cardinal: spanish,
    grouping: '.',
    decimal: ',',
    point: 'coma',
    plus: 'más',
    clock: (hours, minutes, minute) =>
      `${hours.replace(/uno$/, 'una')}${minute === 0 ? ' en punto' : ` y ${minutes}`}`,
    counting: (words) => words.replace(/veintiuno$/, 'veintiún').replace(/uno$/, 'un'),
  },
};

/** A phone or account number, which is not read as an amount. */
const CODE = /^\+?\(?\d[\d().-]*$/;
const MIN_CODE_DIGITS = 7;
const ISO_DATE = /^\d{4}-\d{2}-\d{2}$/;
const CLOCK = /^([01]?\d|2[0-3])[:h]([0-5]\d)?$/;
const ENGLISH_ORDINAL = /^(\d{1,6})(?:st|nd|rd|th)$/;
const MAX_DIGITS = 12;

/** The spoken form of a written number that is a whole word; undefined when the word is not a known number. */
export function spokenNumber(written: string, language: string): string | undefined {
  const tables = LANGUAGES[language];
  if (!tables || !/\d/.test(written)) return undefined;
  const clock = CLOCK.exec(written);
  // A bare "9h" is French.
  if (clock && (clock[2] !== undefined || language === 'fr')) return clockWords(clock, tables);
  const ordinal = language === 'en' ? ENGLISH_ORDINAL.exec(written)?.[1] : undefined;
  if (ordinal) return englishOrdinal(Number(ordinal));
  const plain = plainNumber(written, tables);
  if (plain === undefined) return isCode(written) ? codeWords(written, tables) : undefined;
  if (/^0\d/.test(plain) || (plain.length >= MIN_CODE_DIGITS && plain === written))
    return codeWords(written, tables);
  const say = (n: number): string => tables.cardinal(String(n));
  const year = /^\d{4}$/.test(written) ? tables.year?.(Number(written), say) : undefined;
  return year ?? decimalWords(plain, tables);
}

/** The spoken form of an amount with its unit: the main unit, and the hundredths if any. */
export function spokenAmount(
  written: string,
  [one, many]: readonly [string, string],
  language: string,
): string | undefined {
  const tables = LANGUAGES[language];
  const plain = tables && plainNumber(written, tables);
  if (!tables || plain === undefined) return undefined;
  const [units = '', cents = ''] = plain.split('.');
  const whole = (tables.counting ?? ((words) => words))(tables.cardinal(units));
  const unit = Number(units) === 1 ? one : many;
  if (cents.length > 2) return `${decimalWords(plain, tables)} ${many}`;
  const rest = Number(cents.padEnd(2, '0'));
  return `${whole} ${unit}${rest > 0 ? ` ${tables.cardinal(String(rest))}` : ''}`;
}

/** Decimals are read digit by digit: 3.14 is not "three point fourteen". */
function decimalWords(plain: string, { cardinal, point }: NumberLanguage): string {
  const [whole = '', decimals] = plain.split('.');
  if (decimals === undefined) return cardinal(whole);
  return [cardinal(whole), point, ...[...decimals].map((digit) => cardinal(digit))].join(' ');
}

/** Removes grouping and uses a point for decimals; undefined when the text is not a single number. */
function plainNumber(written: string, { grouping, decimal }: NumberLanguage): string | undefined {
  const thousands = `\\d{1,3}(?:[${grouping}\\u00a0\\u202f]\\d{3})+`;
  const pattern = new RegExp(`^([-−]?)(\\d+|${thousands})(?:[${decimal}](\\d+))?$`);
  const [, sign, whole, decimals] = pattern.exec(written) ?? [];
  const digits = whole?.replace(/\D/g, '');
  if (digits === undefined || digits.length > MAX_DIGITS) return undefined;
  return `${sign ? '-' : ''}${digits}${decimals ? `.${decimals}` : ''}`;
}

function isCode(written: string): boolean {
  if (ISO_DATE.test(written)) return false;
  const digits = written.replace(/\D/g, '').length;
  return CODE.test(written) && (digits >= MIN_CODE_DIGITS || /^\(\d+\)$/.test(written));
}

function codeWords(written: string, { cardinal, plus }: NumberLanguage): string {
  return [...written]
    .flatMap((sign) => (/\d/.test(sign) ? cardinal(sign) : sign === '+' ? plus : []))
    .join(' ');
}

function clockWords([, hours = '0', minutes]: RegExpExecArray, tables: NumberLanguage): string {
  const minute = Number(minutes ?? 0);
  const say = (n: number): string => tables.cardinal(String(n));
  return tables.clock(say(Number(hours)), say(minute), minute);
}
