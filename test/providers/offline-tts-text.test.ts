import { describe, expect, test } from 'vitest';
import { clauseText, toClauses } from '../../src/providers/offline/tts/clauses.ts';
import { toSpokenWords } from '../../src/providers/offline/tts/spoken-text.ts';
import fc from '../support/properties.ts';

function said(text: string): string {
  return toSpokenWords(text)
    .map((word) => word.spoken)
    .filter((spoken) => spoken !== '')
    .join(' ');
}

describe('what is said for what is written', () => {
  test.each([
    ['Hello there!', 'hello there'],
    ['It’s naïve — isn’t it?', "it's naive isn't it"],
    ['Grüße aus Łódź, café Ångström', 'grusse aus lodz cafe angstrom'],
    // Numbers
    [
      '0, 7, 13, 40, 42, 100, 417, 1000',
      'zero seven thirteen forty forty two one hundred four hundred seventeen one thousand',
    ],
    [
      '1,234,567 items',
      'one million two hundred thirty four thousand five hundred sixty seven items',
    ],
    ['3.05 and -4', 'three point zero five and minus four'],
    ['007', 'zero zero seven'],
    [
      'in 1984, 1905, 1900 and 2026',
      'in nineteen eighty four nineteen oh five nineteen hundred and twenty twenty six',
    ],
    ['since 2005', 'since two thousand five'],
    [
      'the 1st, 2nd, 3rd, 12th, 20th and 31st',
      'the first second third twelfth twentieth and thirty first',
    ],
    ['version 1.2.3', 'version one point two point three'],
    ['1/2 or 3/4, 24/7', 'one half or three quarters twenty four seven'],
    ['9-17 or 9–5', 'nine to seventeen or nine to five'],
    // Money
    [
      '$3.50 $1 €20 20€ £0.99 $1,200',
      'three dollars and fifty cents one dollar twenty euros twenty euros ninety nine pence one thousand two hundred dollars',
    ],
    ['$2 million, $5k', 'two million dollars five thousand dollars'],
    // Time and dates
    [
      'at 9:30, 9:00, 9:05 and 14:00',
      "at nine thirty nine o'clock nine oh five and fourteen hundred",
    ],
    ['9am 9:30pm 9 a.m. to 5 p.m.', 'nine ay em nine thirty pea em nine ay em to five pea em'],
    ['on 2026-11-21', 'on november twenty first twenty twenty six'],
    ['Mon. 3 Sept.', 'monday three september'],
    // Phones and codes
    ['555-0100', 'five five five, zero one zero zero'],
    ['+1 415 555 0100.', 'plus one, four one five, five five five, zero one zero zero'],
    ['(415) 555-0100', 'four hundred fifteen five five five, zero one zero zero'],
    ['0123456789', 'zero one two three four five six seven eight nine'],
    ['0664/1234567', 'zero six six four, one two three four five six seven'],
    ['12.50 of 10-17', 'twelve point five zero of ten to seventeen'],
    ['room 12, 14 and 16', 'room twelve fourteen and sixteen'],
    // Units and signs
    [
      '5 km, 20°C, 10kg, 25%, 3 min.',
      'five kilometers twenty degrees celsius ten kilograms twenty five percent three minutes',
    ],
    ['R&D + sales = fun', 'r and d plus sales equals fun'],
    ['and/or', 'and or'],
    ['#5', 'five'],
    // Abbreviations
    ['Dr. Smith of 5 Main St. and St. Mary', 'doctor smith of five main street and saint mary'],
    ['No. 5, e.g. this, etc.', 'number five for example this et cetera'],
    ['I said no.', 'i said no'],
    ['The sun. We sat. In the U.S. too', 'the sun we sat in the u s too'],
    ['The FAQ, an SMS, NASA and a PDF', 'the f ay q an s m s nasa and a p d f'],
    // Addresses
    ['mail jo.doe@example.com', 'mail jo dot doe at example dot com'],
    ['see https://www.example.com/help/ now', 'see example dot com slash help now'],
    ['harbour-hotel.at', 'harbour dash hotel dot at'],
    // Marks that are not said
    ['**Bold** and `code` _it_ # - *', 'bold and code it'],
    ['[our site](https://x.example) "quoted" (aside)', 'our site quoted aside'],
    ['Well … 🎉 done', 'well done'],
    ['你好', ''],
    ['', ''],
  ])('%j', (text, expected) => {
    expect(said(text)).toBe(expected);
  });

  test('written words are kept as they stand', () => {
    const text = '  Dr. “Ångström”,\n$3.50 — 🎉 (ok)!  ';
    expect(toSpokenWords(text).map((word) => word.written)).toEqual(text.trim().split(/\s+/));
  });

  test('whatever is written, only words a voice knows are said', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
        const words = toSpokenWords(text);
        expect(words.map((word) => word.written)).toEqual(text.match(/\S+/g) ?? []);
        for (const word of words) expect(word.spoken).toMatch(/^[a-z' ,]*$/);
      }),
      { numRuns: 500 },
    );
  });
});

describe('clauses', () => {
  const clauses = (text: string) => toClauses(toSpokenWords(text));

  test('sentences are spoken one by one, with the tone of their end', () => {
    const parts = clauses('Dr. Smith is here. Is that all? Yes, it is!');
    expect(parts.map(clauseText)).toEqual(['doctor smith is here.', 'is that all?', 'yes, it is.']);
    expect(parts.map((part) => part.gapMs)).toEqual([320, 320, 320]);
  });

  test('a long beginning is cut at a comma, else before a joint, so that sound comes soon', () => {
    const comma = clauses(
      'Breakfast is served in the garden room, from seven in the morning until half past ten on every day of the week.',
    );
    expect(clauseText(comma[0] as (typeof comma)[0])).toBe(
      'breakfast is served in the garden room,',
    );
    const joint = clauses(
      'We can send you the confirmation by electronic mail and you may print it at home whenever you like to do so.',
    );
    expect(clauseText(joint[0] as (typeof joint)[0])).toMatch(/electronic mail$/);
    for (const parts of [comma, joint]) {
      expect(clauseText(parts[0] as (typeof comma)[0]).length).toBeLessThan(75);
    }
  });

  test('a short sentence is left whole', () => {
    expect(clauses('We are open from nine, every day, until five.')).toHaveLength(1);
  });

  test('no word is lost or moved, and none too long comes together', () => {
    const word = fc.constantFrom(
      'yes',
      'and',
      'hello,',
      'Dr.',
      'done.',
      'why?',
      '—',
      'x'.repeat(90),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 60 }), (words) => {
        const parts = clauses(words.join(' '));
        expect(parts.flatMap((part) => part.words.map((w) => w.written))).toEqual(words);
        for (const part of parts)
          expect(part.words.length === 1 || clauseText(part).length < 200).toBe(true);
      }),
    );
  });
});
