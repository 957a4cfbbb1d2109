import { frenchSoundRules } from './french-sound-rules.ts';
import type { Language } from './language.ts';
import { createLetterToSound } from './letter-to-sound.ts';

const UNITS =
  'zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize'.split(
    ' ',
  );
const TENS =
  '- - vingt trente quarante cinquante soixante soixante quatre-vingt quatre-vingt'.split(' ');

function spellNumber(value: number): string {
  if (value <= 16) return UNITS[value] as string;
  if (value < 20) return `dix ${UNITS[value - 10]}`;
  if (value < 100) {
    const tens = Math.floor(value / 10);
    const rest = value - (tens === 7 || tens === 9 ? (tens - 1) * 10 : tens * 10);
    const head = (TENS[tens] as string).replace('-', ' ');
    if (rest === 0) return head;
    return (rest === 1 || rest === 11) && tens < 8
      ? `${head} et ${spellNumber(rest)}`
      : `${head} ${spellNumber(rest)}`;
  }
  for (const [size, name] of [
    [1e6, 'million'],
    [1e3, 'mille'],
    [100, 'cent'],
  ] as const) {
    if (value < size) continue;
    const count = Math.floor(value / size);
    const head = count === 1 && size < 1e6 ? name : `${spellNumber(count)} ${name}`;
    return value % size === 0 ? head : `${head} ${spellNumber(value % size)}`;
  }
  return '';
}

/** French as spoken on the telephone. */
export const french: Language = {
  tag: 'fr',
  model: 'fr-fr',
  phones:
    'aa ai an au bb ch dd ee ei eu ff gg gn ii in jj kk ll mm nn oe on oo ou pp rr ss tt un uu uy vv ww yy zz'.split(
      ' ',
    ),
  letterToSound: createLetterToSound(frenchSoundRules),
  alsoSpoken: new Map(),
  greetings: ['Bonjour', 'Bonsoir', 'Allô', 'Salut'],
  hesitations: ['euh'],
  fillers: ['Alors', 'Oui'],
  asks: [
    'Pouvez-vous me dire',
    'Pourriez-vous me dire',
    'Dites-moi',
    'Je voudrais savoir',
    'Excusez-moi',
    'Pardon',
  ],
  runningOn: new Set([
    'Pouvez-vous me dire',
    'Pourriez-vous me dire',
    'Dites-moi',
    'Je voudrais savoir',
  ]),
  beforeTopic: new Map([
    ['Quel est', 1],
    ['Quelle est', 1],
    ['Quels sont', 1],
    ['Quelles sont', 1],
    ['Qui est', 1],
    ['Où est', 1],
    ['Où sont', 1],
    ['Quand est', 1],
    ['Quand sont', 1],
    ['Comment', 1],
    ['Combien coûte', 1],
    ['Combien coûtent', 1],
    ['Combien dure', 1],
    ['Il y a', 1],
    ['Vous avez', 1],
    ['À propos de', 1],
    ['Parlez-moi de', 1],
  ]),
  articles: ['le', 'la', 'les', 'un', 'une', 'des', 'mon', 'ma', 'mes', 'votre', 'vos'],
  afterTopic: [],
  closings: ["s'il vous plaît", 'merci'],
  sayings: [
    'Oui.',
    "Oui, s'il vous plaît.",
    "D'accord.",
    'Bien sûr.',
    "C'est ça.",
    'Non.',
    'Non, merci.',
    'Pas maintenant.',
    'Je ne sais pas.',
    'Merci.',
    'Merci beaucoup.',
    'Bonjour.',
    'Bonsoir.',
    'Allô?',
    'Stop.',
    'Attendez.',
    'Un instant.',
    'Une seconde.',
    'Excusez-moi.',
    'Répétez.',
    'Pardon?',
    'Comment?',
    'Pouvez-vous répéter?',
    'Au revoir.',
    "C'est tout.",
    "C'est tout, merci.",
    'Merci, au revoir.',
    'Aide.',
  ],
  contractions: new Map(),
  lowerable: new Set(
    'quel quelle quels quelles où quand qui que quoi pourquoi comment combien est-ce est sont puis-je peut-on avez-vous êtes-vous faites-vous y le la les l un une des mon ma mes votre vos'.split(
      ' ',
    ),
  ),
  interrogatives: new Set(
    'quel quelle quels quelles où quand qui que quoi pourquoi comment combien est-ce avez-vous êtes-vous puis-je peut-on faites-vous'.split(
      ' ',
    ),
  ),
  digits: new Map(UNITS.slice(0, 10).map((word, i) => [word, String(i)] as const)),
  numberWords: [
    ...UNITS.slice(10),
    'vingt',
    'trente',
    'quarante',
    'cinquante',
    'soixante',
    'cent',
    'mille',
    'et',
  ],
  signs: new Map([
    ['&', 'et'],
    ['%', 'pour cent'],
    ['+', 'plus'],
    ['€', 'euros'],
    ['$', 'dollars'],
    ['@', 'arobase'],
  ]),
  spellNumber,
};
