import * as stopwords from 'stopword';
import { foldLetters } from '../../lib/folded-words.ts';
import type { LanguageCode } from '../../ports/knowledge.ts';

/** The words of a language that the ranking treats specially. */
export interface LanguageWords {
  readonly code: LanguageCode;
  /** Function words. */
  readonly functionWords: ReadonlySet<string>;
  /** Words around a question that carry no meaning, such as "please". */
  readonly fillers: ReadonlySet<string>;
  /** Words, or pairs of words, by the kind of answer they ask for: "where" and "address" have the same. */
  readonly asksFor: ReadonlyMap<string, string>;
}

const set = (words: string) => new Set(words.split(' '));
const kinds = (table: Readonly<Record<string, string>>) =>
  new Map(
    Object.entries(table).flatMap(([kind, words]) =>
      words.split(' ').map((word) => [word.replaceAll('_', ' '), kind] as const),
    ),
  );

const english: LanguageWords = {
  code: 'en',
  functionWords: set(
    'a an the is are was were be been am do does did can could will would shall should may might must i you he she it we they me my your our us him her his its them their this that these those there here to of in on at for from with by about into and or but if than then so not any some have has had get got what which who whom whose when where why how also too very one ones',
  ),
  fillers: set(
    'yes yeah yep no nope um uh er erm ah oh hmm mm well okay ok hi hello hey please thanks thank just actually really basically sorry excuse tell know say wonder wondering like want need guys kindly',
  ),
  asksFor: kinds({
    time: 'when what_time hour hours schedule',
    place: 'where address located location directions',
    person: 'who whom whose',
    reason: 'why',
    amount: 'how_much cost costs price prices pricing fee fees charge charges',
    count: 'how_many',
    length: 'how_long',
    distance: 'how_far',
    frequency: 'how_often',
    manner: 'how',
  }),
};

const french: LanguageWords = {
  code: 'fr',
  functionWords: set(
    'un une le la les l de des du d est sont a ai as avez avons ont etes suis je j tu vous nous on il elle ils elles mon ma mes votre vos notre nos son sa ses ce c cette ces cet que qu qui quoi quel quelle quels quelles quand ou comment pourquoi combien et dans en au aux pour avec par sur y ne n pas se s si plus etre avoir peut puis peux pouvez peut il',
  ),
  fillers: set(
    'oui non euh hum ben bah bonjour salut bonsoir merci svp plait alors donc dire dites savoir voudrais aimerais veux excusez pardon',
  ),
  asksFor: kinds({
    time: 'quand quelle_heure horaire horaires heure heures',
    place: 'ou adresse situe situes situee',
    person: 'qui',
    reason: 'pourquoi',
    amount: 'combien prix coute coutent cout tarif tarifs',
    manner: 'comment',
  }),
};

const german: LanguageWords = {
  code: 'de',
  functionWords: set(
    'ein eine einen einem einer der die das den dem des ist sind war bin bist seid ich du er sie wir ihr mich mir dich dir uns euch mein meine meinen dein deine ihre ihren unser unsere es dies diese dieser was wer wen wem wann wo wohin woher warum wieso wie welche welcher welches und oder aber von vom zu zum zur in im an am auf fur mit bei nach aus um nicht kein keine kann konnen konnt darf muss soll haben hat habe gibt gib es man auch noch denn',
  ),
  fillers: set(
    'ja nein ah ahm hm also hallo guten tag bitte danke mal eigentlich sagen wissen mochte wollte gerne entschuldigung',
  ),
  asksFor: kinds({
    time: 'wann wie_spat uhrzeit',
    place: 'wo adresse anschrift',
    direction: 'wohin',
    person: 'wer wen wem',
    reason: 'warum wieso',
    amount: 'wie_viel wieviel kostet kosten preis preise gebuhr gebuhren',
    count: 'wie_viele',
    length: 'wie_lange',
    manner: 'wie',
  }),
};

const spanish: LanguageWords = {
  code: 'es',
  functionWords: set(
    'un una unos unas el la los las lo de del es son era soy eres somos esta estan estoy yo tu usted ustedes el ella nosotros mi mis su sus nuestro nuestra me te se nos esto este esta estos estas que quien quienes cual cuales cuando donde como por porque para con sin en a al y o pero hay tiene tienen tengo puede puedo pueden',
  ),
  fillers: set(
    'si no eh este pues hola buenas buenos dias tardes favor gracias bueno decir decirme saber quisiera quiero gustaria disculpe perdon',
  ),
  asksFor: kinds({
    time: 'cuando que_hora hora horas horario horarios',
    place: 'donde direccion ubicacion ubicado ubicados',
    person: 'quien quienes',
    reason: 'por_que',
    amount: 'cuanto cuanta cuesta cuestan precio precios tarifa tarifas',
    count: 'cuantos cuantas',
    manner: 'como',
  }),
};

/** A language with known function words only. */
function plain(code: LanguageCode, words: readonly string[]): LanguageWords {
  return {
    code,
    functionWords: new Set(words.map(foldLetters)),
    fillers: new Set(),
    asksFor: new Map(),
  };
}

const LANGUAGES: ReadonlyMap<LanguageCode, LanguageWords> = new Map(
  [
    english,
    french,
    german,
    spanish,
    plain('ar', stopwords.ara),
    plain('ca', stopwords.cat),
    plain('cs', stopwords.ces),
    plain('da', stopwords.dan),
    plain('eu', stopwords.eus),
    plain('fi', stopwords.fin),
    plain('hu', stopwords.hun),
    plain('hy', stopwords.hye),
    plain('it', stopwords.ita),
    plain('nl', stopwords.nld),
    plain('no', stopwords.nob),
    plain('pt', stopwords.por),
    plain('ro', stopwords.ron),
    plain('ru', stopwords.rus),
    plain('sl', stopwords.slv),
    plain('sv', stopwords.swe),
    plain('ta', []),
    plain('tr', stopwords.tur),
  ].map((language) => [language.code, language] as const),
);

export const LANGUAGE_CODES: readonly LanguageCode[] = [...LANGUAGES.keys()];

/** True if a folded word is a function word or filler of the language. */
export function isSmallWord(word: string, code: LanguageCode): boolean {
  const { functionWords, fillers } = wordsOfLanguage(code);
  return functionWords.has(word) || fillers.has(word);
}

/** The share of a text's words that are function words or fillers of the language. */
export function smallWordShare(words: readonly string[], code: LanguageCode): number {
  const small = words.filter((word) => isSmallWord(word, code)).length;
  return words.length === 0 ? 0 : small / words.length;
}

/** The words of a language. */
export function wordsOfLanguage(code: LanguageCode): LanguageWords {
  return LANGUAGES.get(code) ?? english;
}
