// Letters that Unicode does not take apart.
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

/** A text in ASCII, as far as it can be: accents off, typographic marks plain; currency signs and `°` stay. */
export function foldText(text: string): string {
  return text
    .replace(/[^\x20-\x7e]/gu, (char) => LETTERS[char] ?? MARKS[char] ?? char)
    .normalize('NFKD')
    .replace(/[^\x20-\x7e€£¥°×÷]/gu, '');
}
