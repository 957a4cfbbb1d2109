// Letters without a Unicode decomposition.
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'Th',
  ı: 'i',
  ŋ: 'ng',
  ħ: 'h',
  ŧ: 't',
};
const MARKS: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  ʼ: "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '«': '"',
  '»': '"',
  '–': '-',
  '—': '-',
  '−': '-',
  '‐': '-',
  '‑': '-',
  '…': '...',
  '·': ' ',
  '•': ' ',
  '¿': '',
  '¡': '',
};

/** Converts a text to ASCII as far as possible: no accents, plain punctuation; currency signs and `°` stay. */
export function foldText(text: string): string {
  return text
    .replace(/[^\x20-\x7e]/gu, (char) => LETTERS[char] ?? MARKS[char] ?? char)
    .normalize('NFKD')
    .replace(/[^\x20-\x7e€£¥°×÷]/gu, '');
}
