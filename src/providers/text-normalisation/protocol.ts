import { primaryLanguage } from '../vendor-url.ts';
import { type NormalisationLanguage, SPEAKABLE_LANGUAGES } from './normalisation-tables.ts';
import { spokenAmount, spokenNumber } from './spoken-number.ts';

/** A longer word is left to the voice as it stands: the patterns take the square of its length. */
const MAX_WORD_CHARS = 200;

/** A written word and its spoken form for the vendor. */
export interface NormalisedWord {
  readonly written: string;
  /** May be several words, one, or none. */
  readonly spoken: string;
}

const PICTURE =
  /\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}|\u200d|\ufe0f/gu;
const MARKS_ALONE = /^(?:#{1,6}|[-*+•>|]+|[-=_]{3,}|`{3,}\w*|\|?:?-+:?\|?)$/;
const LINK_END = /\]\([^)\s]*\)/g;
const ADDRESS = /^(?:https?:\/\/|www\.)\S+$|^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/i;
const MONEY = /^([$€£¥])(\d[\d.,]*)$/;
const MONEY_AFTER = /^(\d[\d.,]*)([$€£¥])$/;
const TRAILING = /[.,;:!?…)\]"'»”’]+$/;

/** Splits a text into words with spoken forms: numbers, amounts, addresses and abbreviations in words. */
export function normaliseText(text: string, language: string | undefined): NormalisedWord[] {
  const primary = primaryLanguage(language) ?? 'en';
  const tables = SPEAKABLE_LANGUAGES.get(primary);
  const words = text.match(/\S+/g) ?? [];
  return words.map((written) => ({ written, spoken: spokenOf(written, primary, tables) }));
}

function spokenOf(
  written: string,
  language: string,
  tables: NormalisationLanguage | undefined,
): string {
  if (written.length > MAX_WORD_CHARS) return written;
  const plain = withoutMarks(written);
  if (plain === '' || !tables) return plain;
  const abbreviation = tables.abbreviations[plain.toLowerCase()];
  if (abbreviation !== undefined) return abbreviation;
  const end = TRAILING.exec(plain)?.[0] ?? '';
  const core = plain.slice(0, plain.length - end.length);
  const byCore = tables.abbreviations[`${core.toLowerCase()}.`];
  // "etc.," is the abbreviation plus a comma.
  if (byCore !== undefined && end.startsWith('.') && end.length > 1)
    return `${byCore}${end.slice(1)}`;
  return `${signs(core, language, tables)}${end}`;
}

/** Removes markdown and emoji. */
function withoutMarks(written: string): string {
  if (MARKS_ALONE.test(written)) return '';
  return (
    written
      .replace(LINK_END, '')
      .replace(PICTURE, '')
      .replace(/^[*_~`#[|]+(?=\S)|[*~`|\]]+(?=[.,;:!?…)]*$)/g, '')
      // A trailing underscore is emphasis if there was one before, and is never spoken anyway.
      .replace(/_+(?=[.,;:!?…)]*$)/g, '')
      .replace(/\*\*|__(?=\w)|`/g, '')
  );
}

function signs(core: string, language: string, tables: NormalisationLanguage): string {
  if (core === '&') return tables.and;
  const money = MONEY.exec(core);
  if (money) return amount(money[2] as string, money[1] as string, language, tables);
  const after = MONEY_AFTER.exec(core);
  if (after) return amount(after[1] as string, after[2] as string, language, tables);
  const percent = /^([-+]?\d[\d.,]*)%$/.exec(core);
  if (percent) {
    const number = percent[1] as string;
    return `${spokenNumber(number, language) ?? number} ${tables.percent}`;
  }
  if (ADDRESS.test(core)) return address(core, tables);
  return spokenNumber(core, language) ?? core;
}

function amount(
  number: string,
  sign: string,
  language: string,
  tables: NormalisationLanguage,
): string {
  const names = tables.currencies[sign] as readonly [string, string];
  return spokenAmount(number, names, language) ?? `${number} ${names[1]}`;
}

const MAX_PATH_CHARS = 40;

/** An address in a form that the listener could type: without the scheme, and without a path too long to remember. */
function address(core: string, tables: NormalisationLanguage): string {
  const [host = '', ...path] = core
    .replace(/^https?:\/\//i, '')
    .replace(/^www\./i, '')
    .replace(/[?#].*$/, '')
    .replace(/\/$/, '')
    .split('/');
  const whole = [host, ...path].join('/');
  const said = whole.length <= MAX_PATH_CHARS ? whole : host;
  return said
    .replaceAll('@', ` ${tables.at} `)
    .replaceAll('.', ` ${tables.dot} `)
    .replaceAll('/', ` ${tables.slash} `)
    .replaceAll('_', ` ${tables.underscore} `)
    .replaceAll('-', ` ${tables.dash} `)
    .trim()
    .replace(/\s+/g, ' ');
}
