import { toCardinal as german } from 'n2words/de-DE';
import { toCardinal as english } from 'n2words/en-US';
import { toCardinal as spanish } from 'n2words/es-ES';
import { toCardinal as french } from 'n2words/fr-FR';
import type { RedactionKind } from '../../src/contract/redaction.ts';
import type { CorpusLanguage } from './corpus-templates.ts';

export interface Random {
  /** An integer of 0 to n - 1. */
  below(n: number): number;
  of<T>(list: readonly T[]): T;
}

const cardinals = { en: english, es: spanish, fr: french, de: german };

const digits = (random: Random, n: number): string =>
  Array.from({ length: n }, () => random.below(10)).join('');

/** Appends the character that makes the whole pass. */
function completed(stem: string, characters: string, passes: (whole: string) => boolean): string {
  for (const last of characters) if (passes(stem + last)) return stem + last;
  throw new Error(`nothing completes ${stem}`);
}

function luhn(whole: string): boolean {
  const weighed = [...whole].toReversed().map((digit, i) => {
    const value = Number(digit) * (i % 2 === 1 ? 2 : 1);
    return value > 9 ? value - 9 : value;
  });
  return weighed.reduce((sum, value) => sum + value, 0) % 10 === 0;
}

const card = (random: Random): string =>
  completed(
    random.of(['4', '51', '53', '55', '2221']).padEnd(1).concat(digits(random, 15)).slice(0, 15),
    '0123456789',
    luhn,
  );

function iban(random: Random, language: CorpusLanguage): string {
  const [country, body] = {
    en: ['GB', `NWBK${digits(random, 14)}`],
    es: ['ES', digits(random, 20)],
    fr: ['FR', digits(random, 23)],
    de: ['DE', digits(random, 18)],
  }[language] as [string, string];
  const asDigits = [...`${body}${country}00`]
    .map((character) => Number.parseInt(character, 36).toString())
    .join('');
  const check = 98n - (BigInt(asDigits) % 97n);
  return `${country}${String(check).padStart(2, '0')}${body}`;
}

function identity(random: Random, language: CorpusLanguage): readonly string[] {
  switch (language) {
    case 'en': {
      const area = String(100 + random.below(500));
      return [area, String(10 + random.below(89)), String(1000 + random.below(8999))];
    }
    case 'es': {
      const number = 10_000_000 + random.below(80_000_000);
      return [`${number}${'TRWAGMYFPDXBNJZSQVHLCKE'[number % 23]}`];
    }
    case 'fr': {
      const month = String(1 + random.below(12)).padStart(2, '0');
      const stem = `${1 + random.below(2)}${digits(random, 2)}${month}75${digits(random, 6)}`;
      const key = 97n - (BigInt(stem) % 97n);
      return [
        stem[0] as string,
        stem.slice(1, 3),
        stem.slice(3, 5),
        stem.slice(5, 7),
        stem.slice(7, 10),
        stem.slice(10),
        String(key).padStart(2, '0'),
      ];
    }
    case 'de': {
      // Ten different digits but for one that comes twice, then the check digit of ISO 7064.
      const pool = [...'123456789'].toSorted(() => random.below(3) - 1);
      const [first, ...rest] = pool as [string, ...string[]];
      const stem = [first, ...rest.slice(0, 7), first, '0'].join('');
      let product = 10;
      for (const digit of stem) {
        const sum = (Number(digit) + product) % 10 || 10;
        product = (sum * 2) % 11;
      }
      return [`${stem}${(11 - product) % 10}`];
    }
  }
}

/** In the groups in which the country writes it. */
function phone(random: Random, language: CorpusLanguage): readonly string[] {
  const two = () => digits(random, 2);
  switch (language) {
    case 'en':
      return [
        random.of(['415', '212', '312', '617']),
        String(200 + random.below(700)),
        digits(random, 4),
      ];
    case 'es':
      return [`6${1 + random.below(8)}${random.below(10)}`, two(), two(), two()];
    case 'fr':
      return [`0${6 + random.below(2)}`, two(), two(), two(), two()];
    case 'de':
      return [random.of(['0171', '0160', '0175', '0151']), digits(random, 3), digits(random, 4)];
  }
}

const FIRST = {
  en: 'James Mary Robert Patricia Michael Jennifer David Linda William Elizabeth Olivia Noah Priya Aisha Kwame Mei Oliver Sophie Callum Niamh',
  es: 'Ana Luis María José Carmen Javier Lucía Pablo Elena Miguel Sofía Diego Valeria Andrés Pilar Ramón Inés Álvaro Rocío Hugo',
  fr: 'Luc Marie Pierre Camille Julien Chloé Antoine Sylvie Mathieu Léa Éric Nathalie Hugo Manon Thierry Élise Karim Fatou Benoît Aurélie',
  de: 'Jörg Anna Thomas Sabine Lukas Ursula Stefan Monika Jürgen Lena Felix Heike Matthias Greta Uwe Petra Emre Svenja Dieter Katrin',
};
const LAST = {
  en: 'Smith Johnson Williams Brown Jones Garcia Miller Davis Patel Khan Murphy Walker Okafor Chen Harrison Baker Stone Young Fletcher Novak',
  es: 'García López Martínez Sánchez Pérez Gómez Ruiz Hernández Díaz Moreno Álvarez Romero Navarro Torres Gil Vázquez Ramos Castro Ortega Molina',
  fr: 'Martin Bernard Dubois Robert Richard Durand Moreau Laurent Lefebvre Leroy Roux Fontaine Chevalier Blanchard Garnier Faure Diallo Benali Mercier Perrin',
  de: 'Müller Schmidt Schneider Fischer Weber Meyer Wagner Becker Hoffmann Schäfer Koch Bauer Richter Klein Wolf Neumann Schwarz Zimmermann Yilmaz Krüger',
};
const MONTHS = {
  en: 'January February March April May June July August September October November December',
  es: 'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
  fr: 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
  de: 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember',
};
const SIGNS = {
  en: { at: 'at', dot: 'dot' },
  es: { at: 'arroba', dot: 'punto' },
  fr: { at: 'arobase', dot: 'point' },
  de: { at: 'at', dot: 'Punkt' },
};
const STREETS = {
  en: ['Baker Street', 'Elm Avenue', 'Church Road', 'Sunset Boulevard', 'Maple Drive', 'Mill Lane'],
  es: [
    'calle Mayor',
    'avenida de la Constitución',
    'plaza España',
    'calle de Alcalá',
    'paseo Colón',
  ],
  fr: [
    'rue de la Paix',
    'avenue Victor Hugo',
    'boulevard Voltaire',
    'place du Marché',
    'rue Pasteur',
  ],
  de: ['Hauptstraße', 'Lindenallee', 'Goethestraße', 'Bahnhofstraße', 'Gartenweg', 'Marktplatz'],
};
const TOWNS = {
  en: ['London', 'Springfield', 'Boston', 'Leeds'],
  es: ['Madrid', 'Sevilla', 'Valencia', 'Bilbao'],
  fr: ['Paris', 'Lyon', 'Lille', 'Nantes'],
  de: ['Berlin', 'Köln', 'Leipzig', 'Hamburg'],
};
const ILLNESSES = {
  en: [
    'breast cancer',
    'type two diabetes',
    'depression',
    'asthma',
    'epilepsy',
    'lupus',
    'high blood pressure',
    'a heart attack',
    'pregnancy complications',
    'HIV',
    'chemotherapy',
  ],
  es: [
    'cáncer de mama',
    'diabetes',
    'depresión',
    'asma',
    'epilepsia',
    'lupus',
    'hipertensión',
    'un infarto',
    'VIH',
    'quimioterapia',
  ],
  fr: [
    'un cancer du sein',
    'le diabète',
    'une dépression',
    "l'asthme",
    'épilepsie',
    'un lupus',
    "l'hypertension",
    'un infarctus',
    'le VIH',
    'la chimiothérapie',
  ],
  de: [
    'Brustkrebs',
    'Diabetes',
    'Depressionen',
    'Asthma',
    'Epilepsie',
    'Lupus',
    'Bluthochdruck',
    'einen Herzinfarkt',
    'HIV',
    'Chemotherapie',
  ],
};

/** Digits as they are dictated: one by one, with "double", or in twos where the language does so. */
export function spoken(text: string, language: CorpusLanguage, random: Random): string {
  const say = (n: number) =>
    language === 'de' && n === 1
      ? 'eins'
      : n === 0 && language === 'de'
        ? 'null'
        : cardinals[language](n);
  const inTwos = random.below(3) === 0 && language !== 'en';
  const words: string[] = [];
  for (let i = 0; i < text.length; ) {
    const character = text[i] as string;
    const next = text[i + 1] ?? '';
    if (/\D/.test(character)) {
      words.push(character);
      i++;
    } else if (language === 'en' && character === next && random.below(2) === 0) {
      words.push(`double ${say(Number(character))}`);
      i += 2;
    } else if (inTwos && /[1-9]/.test(character) && /\d/.test(next)) {
      words.push(say(Number(character + next)));
      i += 2;
    } else {
      words.push(
        language === 'en' && character === '0' && random.below(2) === 0
          ? 'oh'
          : say(Number(character)),
      );
      i++;
    }
  }
  return words.join(random.below(3) === 0 ? ', ' : ' ');
}

const inFours = (text: string): string => text.replaceAll(/(.{4})(?=.)/g, '$1 ');

function date(random: Random, language: CorpusLanguage): string {
  const [day, month, year] = [1 + random.below(28), random.below(12), 1935 + random.below(75)];
  const name = MONTHS[language].split(' ')[month] as string;
  const two = (n: number) => String(n).padStart(2, '0');
  const separator = language === 'de' ? '.' : '/';
  const inFigures = [two(day), two(month + 1), year].join(separator);
  const inWords = {
    en: random.of([
      `${name} ${day}, ${year}`,
      `${day}th of ${name} ${year}`,
      `${name} third nineteen eighty two`,
    ]),
    es: random.of([
      `${day} de ${name} de ${year}`,
      `tres de ${name} de mil novecientos ochenta y dos`,
    ]),
    fr: random.of([`${day} ${name} ${year}`, `trois ${name} mille neuf cent quatre-vingt-deux`]),
    de: random.of([`${day}. ${name} ${year}`, `dritten ${name} neunzehnhundertzweiundachtzig`]),
  }[language];
  return random.of([inFigures, inWords, inWords]);
}

function email(random: Random, language: CorpusLanguage): string {
  const plain = (text: string) =>
    text
      .normalize('NFD')
      .replaceAll(/[^A-Za-z]/g, '')
      .toLowerCase();
  const first = plain(random.of(FIRST[language].split(' ')));
  const last = plain(random.of(LAST[language].split(' ')));
  const domain = random.of(['example', 'mailbox', 'posteo']);
  const ending = random.of(['com', 'org', language === 'en' ? 'net' : language]);
  const { at, dot } = SIGNS[language];
  return random.of([
    `${first}.${last}@${domain}.${ending}`,
    `${first}${random.below(99)}@${domain}.${ending}`,
    `${first} ${dot} ${last} ${at} ${domain} ${dot} ${ending}`,
    `${[...last].join(' ')} ${at} ${domain} ${dot} ${ending}`,
  ]);
}

function address(random: Random, language: CorpusLanguage): string {
  const [street, town] = [random.of(STREETS[language]), random.of(TOWNS[language])];
  const house = 1 + random.below(180);
  const code = digits(random, 5);
  switch (language) {
    case 'en':
      return random.of([
        `${house} ${street}, ${town}`,
        `${house} ${street}, apartment ${1 + random.below(9)}, ${town}`,
        `${house} ${street}`,
      ]);
    case 'fr':
      return random.of([
        `${house} ${street}, ${code} ${town}`,
        `${house} bis ${street} à ${town}`,
        `${house} ${street}`,
      ]);
    default:
      return random.of([
        `${street} ${house}, ${code} ${town}`,
        `${street} ${house}`,
        `${street} ${house} in ${town}`.replace(' in ', language === 'es' ? ' en ' : ' in '),
      ]);
  }
}

/** A made value of a kind, as somebody would write or say it. */
export function madeValue(kind: RedactionKind, language: CorpusLanguage, random: Random): string {
  switch (kind) {
    case 'card': {
      const number = card(random);
      return random.of([
        inFours(number),
        number,
        inFours(number).replaceAll(' ', '-'),
        spoken(number, language, random),
        spoken(number, language, random),
      ]);
    }
    case 'bank-account': {
      const number = iban(random, language);
      return random.of([inFours(number), number, spoken(number, language, random)]);
    }
    case 'identity-number': {
      const groups = identity(random, language);
      return random.of([
        groups.join(language === 'en' ? '-' : ' '),
        groups.join(' '),
        spoken(groups.join(''), language, random),
      ]);
    }
    case 'phone': {
      const groups = phone(random, language);
      return random.of([
        groups.join(' '),
        groups.join('-'),
        spoken(groups.join(''), language, random),
        groups.map((group) => spoken(group, language, random)).join(' '),
      ]);
    }
    case 'name':
      return `${random.of(FIRST[language].split(' '))} ${random.of(LAST[language].split(' '))}`;
    case 'address':
      return address(random, language);
    case 'date-of-birth':
      return date(random, language);
    case 'email':
      return email(random, language);
    case 'health':
      return random.of(ILLNESSES[language]);
  }
}

/** Fills the numbers of a sentence that holds nothing secret. */
export function harmless(template: string, random: Random): string {
  return template
    .replaceAll(
      /\{n(\d+)\}/g,
      (_, n: string) => `${1 + random.below(9)}${digits(random, Number(n) - 1)}`,
    )
    .replaceAll('{price}', () => random.of(['49.90', '120', '1,250', '15', '899']))
    .replaceAll('{time}', () => random.of(['10:30', '9:15', '14:00', '18:45']))
    .replaceAll('{small}', () => String(2 + random.below(40)));
}
