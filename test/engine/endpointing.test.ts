import { describe, expect, test } from 'vitest';
import { languageOf } from '../../src/engine/language/language.ts';
import { wordsOf } from '../../src/engine/language/words.ts';
import { expectedValue } from '../../src/engine/turn/dictation.ts';
import { asksYesNo, decideWait, type WaitInput } from '../../src/engine/turn/endpointing.ts';

const options: WaitInput['options'] = {
  waitMs: 400,
  smartEndpointing: 'predictor',
  onPunctuationMs: 100,
  onNoPunctuationMs: 1500,
  onNumberMs: 500,
  engineBaseMs: 100,
  engineScaleMs: 1800,
};

interface Case {
  readonly text: string;
  readonly asked?: string;
  readonly p?: number;
  readonly hints?: readonly string[];
  readonly over?: boolean;
  readonly cutInMs?: number;
  readonly language?: string;
  readonly engine?: Pick<WaitInput['options'], 'engineBaseMs' | 'engineScaleMs'>;
}

function decide({
  text,
  asked = '',
  p,
  hints = [],
  over = false,
  cutInMs = 0,
  language = 'en',
  engine,
}: Case) {
  const known = languageOf([language]);
  return decideWait({
    text,
    options: { ...options, ...engine },
    language: known,
    hints: hints.map((hint) => wordsOf(hint)),
    judgedOver: over,
    p,
    heard: false,
    expectation: expectedValue(asked, known),
    askedYesNo: asksYesNo(asked, known),
    cutInMs,
  });
}

const wait = (input: Case) => decide(input).waitMs;

describe('the wait after the end of speech', () => {
  test('[N1] a turn-aware recogniser that judges the turn over is not waited for', () => {
    expect(decide({ text: 'I want to', over: true })).toMatchObject({ waitMs: 0, rule: 'N1' });
  });

  test('[N2] [N5] [N6] [N7] the record names each rule that made the wait longer', () => {
    const rule = (input: Case) => decide(input).rule;
    expect(rule({ text: 'Book a table.', p: 0 })).toBe('N2');
    expect(rule({ text: 'I want to, um', p: 0 })).toBe('N2+N6');
    expect(rule({ text: 'Book a table.', p: 0, cutInMs: 250 })).toBe('N2+N7');
    expect(rule({ text: 'My number is 12', asked: 'What is your number?', p: 0 })).toBe('N2+N5');
  });

  test('[N2] grows linearly with the probability that the caller is not done', () => {
    expect(wait({ text: 'Book a table.', p: 0 })).toBe(100);
    expect(wait({ text: 'Book a table.', p: 0.5 })).toBe(1000);
    expect(wait({ text: 'Book a table.', p: 1 })).toBe(1900);
    const engine = { engineBaseMs: 250, engineScaleMs: 1000 };
    expect(wait({ text: 'Book a table.', p: 0, engine })).toBe(250);
    expect(wait({ text: 'Book a table.', p: 0.5, engine })).toBe(750);
  });

  test.each([
    ['It is room 12.', 500],
    ['twenty', 500],
    ['Zimmer zwölf', 500, 'de'],
  ])('[N3] %s ends in a number', (text, ms, language = 'en') => {
    expect(wait({ text, language })).toBe(ms);
  });

  test.each([
    ['Book a table.', 100],
    ['Really?', 100],
    ['今日は雨です。', 100],
    ['Book a table tonight', 1500],
  ])('[N4] %s by its punctuation', (text, ms) => {
    expect(wait({ text })).toBe(ms);
  });

  test.each([
    ['four one five', "What's your phone number?"],
    ['415 555', 'Could you give me your phone number?'],
    ['4111 1111 1111', 'Please read me your card number.'],
    ['12 34', 'What is the six-digit code?'],
    ['anna dot smith', 'What is your e-mail address?'],
    ['the third of May', 'What is your date of birth?', 0],
    ['zéro six douze', 'Quel est votre numéro de téléphone ?', 1750, 'fr'],
    ['null eins sieben', 'Wie lautet Ihre Telefonnummer?', 1750, 'de'],
    ['seis uno dos', '¿Cuál es su número de teléfono?', 1750, 'es'],
  ])('[N5] %s is part of what was asked for', (text, asked, least = 1750, language = 'en') => {
    expect(wait({ text: `${text}.`, asked, p: 0.05, language })).toBeGreaterThanOrEqual(least);
  });

  test.each([
    ['My order is 12 34', undefined],
    ['s m t', 'Could you spell that?'],
    ['B T 64', 'What is your booking number?'],
  ])('[N5] %s may be whole: who sounds done is believed sooner', (text, asked) => {
    expect(wait({ text, ...(asked ? { asked } : {}), p: 0.6 })).toBe(1750);
    expect(wait({ text, ...(asked ? { asked } : {}), p: 0.1 })).toBe(1300);
  });

  test.each([
    ['You can reach me on 415 555 0123', undefined, 'en'],
    ['Not yet.', 'Did you receive our e-mail?', 'en'],
    ['No.', 'May I have your email?', 'en'],
    ['Oui.', 'Avez-vous reçu notre courriel ?', 'fr'],
    ['2207 2916 3469 6345', 'Pouvez-vous me lire les seize chiffres ?', 'fr'],
    ['27. März 1941', 'Und Ihr Geburtsdatum?', 'de'],
    ['May 3', 'Which day would you like?', 'en'],
  ])('[N5] %s is no part of anything', (text, asked, language) => {
    expect(wait({ text, ...(asked ? { asked } : {}), language, p: 0.1 })).toBeLessThan(600);
  });

  test.each([
    ['You can call me back on 684.', 'en'],
    ['You can call me back on.', 'en'],
    ['Vous pouvez me rappeler au 06.', 'fr'],
    ['Vous pouvez me rappeler au zéro six', 'fr'],
    ['Sie erreichen mich unter der. 0123.', 'de'],
    ['Me puede llamar al 612.', 'es'],
  ])('[N5] %s announces a number and is not all of it', (text, language) => {
    expect(wait({ text, language, p: 0.1 })).toBe(1750);
  });

  test.each([
    ['You can call me back on 684 555 0123.', 'en'],
    ['You can call me back on Monday.', 'en'],
    ['Call me at three.', 'en'],
    ['Vous pouvez me rappeler au 06 12 34 56 78.', 'fr'],
  ])('[N5] %s is whole', (text, language) => {
    expect(wait({ text, language, p: 0.1 })).toBeLessThan(600);
  });

  test('[N5] the letters of a code are not all of it', () => {
    expect(wait({ text: 'Okay so B X.', asked: 'What is your booking number?', p: 0.1 })).toBe(
      1750,
    );
  });

  test('[N5] a date of birth has a year', () => {
    const asked = 'And your date of birth, please?';
    expect(wait({ text: '27 March.', asked, p: 0.1 })).toBe(1750);
    expect(wait({ text: '27 March one nine eight zero.', asked, p: 0.1 })).toBeLessThan(600);
  });

  test.each([
    ['415 555 0123', "What's your phone number?"],
    ['4111 1111 1111 1111', 'Please read me your card number.'],
    ['123456', 'What is the six-digit code?'],
    ['anna.smith@example.com', 'What is your e-mail address?'],
  ])('[N5] %s is complete and holds nothing up', (text, asked) => {
    expect(wait({ text, asked, p: 0.1 })).toBeLessThan(600);
  });

  test.each([
    ['Can I bring my dog as well?', 100],
    ['I think so.', 100],
    ['I already know all of that.', 100],
    ['Está muy bueno.', 100, 'es'],
    ['Ich komme dann also.', 100, 'de'],
    ['On y va alors.', 100, 'fr'],
    ['I think so', 2600],
    ['I think so, basically like', 2600],
    ['Merci, c’est gentil, donc.', 100, 'fr'],
    ['Ya está, entonces.', 100, 'es'],
    ['Das wäre es, halt.', 100, 'de'],
    ['C’est ça, donc', 2600, 'fr'],
    ['Un momento.', 2600, 'es'],
    ['I have it here, let me see.', 2600],
    ['I would like, um.', 2600],
    ['Ich möchte, äh.', 2600, 'de'],
    ['Bueno.', 2600, 'es'],
  ])('[N6] a marker that closes a sentence is no hesitation: %s', (text, ms, language = 'en') => {
    expect(wait({ text, language })).toBe(ms);
  });

  test('[N6] an um asks for more time than any other word', () => {
    expect(wait({ text: 'so um', p: 0.05 })).toBe(2600);
    expect(wait({ text: 'I want to, uh,', p: 0.05 })).toBe(2600);
  });

  test.each(['I need it because', 'it is at the', 'this is my'])(
    '[N6] %s can not be the end',
    (text) => {
      expect(wait({ text, p: 0.05 })).toBe(1500);
    },
  );

  test('[N6] the first word of a hint of two is its beginning', () => {
    expect(wait({ text: 'I live in San.', hints: ['San Jose'], p: 0.1 })).toBe(1500);
    expect(wait({ text: 'I live in.', hints: ['San Jose'], p: 0.1 })).toBe(
      wait({ text: 'I live in.', p: 0.1 }),
    );
  });

  test('[N6] the beginning of a hint waits for its rest, the whole hint does not', () => {
    const hints = ['Acme Pro Max'];
    expect(wait({ text: 'I have the Acme Pro.', hints, p: 0.1 })).toBe(1500);
    expect(wait({ text: 'I have the Acme Pro Max.', hints, p: 0.1 })).toBe(280);
  });

  test('[N6] a closed question may end in a preposition', () => {
    expect(wait({ text: 'Where are you from?', p: 0.05 })).toBe(190);
  });

  test('[N7] a caller who was cut in on gets more time', () => {
    expect(wait({ text: 'Book a table.', p: 0, cutInMs: 250 })).toBe(350);
  });

  test('[N8] a closed short answer to a yes/no question is taken at once', () => {
    expect(wait({ text: 'yes', asked: 'Is that correct?', p: 0.5 })).toBe(300);
    expect(wait({ text: 'yes', asked: 'What is your name?', p: 0.5 })).toBe(1000);
    expect(wait({ text: 'yes but', asked: 'Is that correct?', p: 0.5 })).toBe(1500);
    expect(wait({ text: 'yes', asked: 'Um, do you want one?', p: 0.5 })).toBe(300);
    expect(wait({ text: 'yes', asked: 'What do you want?', p: 0.5 })).toBe(1000);
    const engine = { engineBaseMs: 299, engineScaleMs: 2 };
    for (const [p, rule] of [
      [0.5, 'N2'],
      [1, 'N2+N8'],
    ] as const)
      expect(decide({ text: 'yes', asked: 'Is that correct?', p, engine }).rule).toBe(rule);
  });

  test('[N9] is never negative nor beyond ten seconds', () => {
    expect(wait({ text: 'Book.', p: 100 })).toBe(10_000);
    expect(wait({ text: 'Book.', p: -1 })).toBe(0);
  });
});
