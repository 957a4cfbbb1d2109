/** The words of one language that turn-taking listens for. All lower case, without punctuation. */
export interface WordLists {
  readonly backchannels: ReadonlySet<string>;
  /** Whole phrases that always take the floor when a turn begins with one. */
  readonly stopPhrases: readonly string[];
  readonly fillers: ReadonlySet<string>;
  /** Words after which nobody is done: conjunctions, articles, prepositions, possessives. */
  readonly openEnders: ReadonlySet<string>;
  readonly numbers: ReadonlySet<string>;
  readonly yesNo: ReadonlySet<string>;
  readonly greetings: ReadonlySet<string>;
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(/,\s*/));
const list = (words: string): readonly string[] => words.split(/,\s*/);

const en: WordLists = {
  backchannels: set(
    'yeah, yes, yep, ok, okay, right, sure, mm, hm, mhm, mm-hm, mmhm, uh-huh, aha, i see, got it, alright, oh, ah, cool, great, really, wow',
  ),
  stopPhrases: list(
    'stop, wait, hold on, no, actually, excuse me, hang on, one moment, one second, sorry',
  ),
  fillers: set('um, uh, er, erm, hmm, well, so, like, you know'),
  openEnders: set(
    'and, or, but, because, so, if, when, that, which, who, the, a, an, my, your, his, her, our, their, its, to, of, in, on, at, for, with, from, by, about, is, are, was, than, as, into, over, under, between',
  ),
  numbers: set(
    'zero, oh, one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve, thirteen, fourteen, fifteen, sixteen, seventeen, eighteen, nineteen, twenty, thirty, forty, fifty, sixty, seventy, eighty, ninety, hundred, thousand, million, double, triple, point, dash',
  ),
  yesNo: set(
    'yes, no, yeah, yep, nope, nah, sure, okay, ok, correct, right, please, thanks, exactly, maybe',
  ),
  greetings: set(
    'hi, hello, hey, good morning, good afternoon, good evening, hello there, hi there, hello hello',
  ),
};

const fr: WordLists = {
  backchannels: set('oui, ouais, ok, d accord, hm, mm, mhm, ah, ah bon, je vois, bien, bon, voilà'),
  stopPhrases: list('stop, attendez, attends, non, un instant, pardon, excusez-moi, en fait'),
  fillers: set('euh, heu, ben, bah, alors, donc'),
  openEnders: set(
    'et, ou, mais, parce que, que, qui, le, la, les, un, une, des, mon, ma, mes, de, du, à, au, en, dans, pour, avec, sur, par, si, quand',
  ),
  numbers: set(
    'zéro, un, deux, trois, quatre, cinq, six, sept, huit, neuf, dix, onze, douze, treize, quatorze, quinze, seize, vingt, trente, quarante, cinquante, soixante, cent, mille, virgule, point',
  ),
  yesNo: set('oui, non, ouais, si, d accord, ok, merci, exactement'),
  greetings: set('bonjour, salut, bonsoir, allô, coucou'),
};

const de: WordLists = {
  backchannels: set('ja, okay, ok, hm, mhm, aha, genau, gut, ach so, verstehe, klar, stimmt'),
  stopPhrases: list(
    'stopp, stop, warte, warten sie, moment, nein, halt, entschuldigung, eigentlich',
  ),
  fillers: set('äh, ähm, hm, also, na ja, tja'),
  openEnders: set(
    'und, oder, aber, weil, dass, wenn, der, die, das, den, dem, ein, eine, einen, mein, meine, ihr, von, zu, in, an, auf, für, mit, bei, aus, nach, um',
  ),
  numbers: set(
    'null, eins, ein, zwei, zwo, drei, vier, fünf, sechs, sieben, acht, neun, zehn, elf, zwölf, zwanzig, dreißig, vierzig, fünfzig, sechzig, siebzig, achtzig, neunzig, hundert, tausend, komma',
  ),
  yesNo: set('ja, nein, okay, ok, genau, richtig, danke, bitte, klar'),
  greetings: set('hallo, guten tag, guten morgen, guten abend, grüß gott, hi, moin'),
};

const es: WordLists = {
  backchannels: set('sí, vale, ok, ajá, mm, hm, claro, bien, ya, entiendo, de acuerdo'),
  stopPhrases: list('para, espera, espere, no, un momento, perdón, disculpe, en realidad, alto'),
  fillers: set('eh, este, pues, bueno, o sea'),
  openEnders: set(
    'y, o, pero, porque, que, si, cuando, el, la, los, las, un, una, mi, su, de, del, a, al, en, con, por, para, sobre',
  ),
  numbers: set(
    'cero, uno, dos, tres, cuatro, cinco, seis, siete, ocho, nueve, diez, once, doce, trece, catorce, quince, veinte, treinta, cuarenta, cincuenta, sesenta, setenta, ochenta, noventa, cien, mil, coma, punto',
  ),
  yesNo: set('sí, no, vale, ok, claro, exacto, gracias, correcto'),
  greetings: set('hola, buenos días, buenas tardes, buenas noches, buenas, diga, aló'),
};

const LISTS: Readonly<Record<string, WordLists>> = { en, fr, de, es };

/** The lists of a BCP 47 tag's language, English where there are none. */
export function wordLists(language: string | undefined): WordLists {
  return LISTS[(language ?? 'en').slice(0, 2).toLowerCase()] ?? en;
}

/** Lower-case words without punctuation, as comparisons want them. */
export function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? [];
}

/** The words that carry content: no fillers, no backchannels. Hint words always count. */
export function contentWords(
  text: string,
  lists: WordLists,
  hints: ReadonlySet<string> = new Set(),
): readonly string[] {
  const words = wordsOf(text);
  const joined = words.join(' ');
  if (lists.backchannels.has(joined)) return words.filter((word) => hints.has(word));
  return words.filter(
    (word) => hints.has(word) || !(lists.backchannels.has(word) || lists.fillers.has(word)),
  );
}

/** B1: the text begins with a phrase that always takes the floor. */
export function beginsWithStopPhrase(text: string, lists: WordLists): boolean {
  const joined = `${wordsOf(text).join(' ')} `;
  return lists.stopPhrases.some((phrase) => joined.startsWith(`${phrase} `));
}
