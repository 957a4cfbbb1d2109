import { wordsOf } from '../engine/language/words.ts';

/** By which people ask not to be called again, by language. */
const PHRASES: Readonly<Record<string, readonly string[]>> = {
  en: [
    "don't call me again",
    'do not call me again',
    'never call me again',
    'stop calling me',
    'take me off your list',
    'remove me from your list',
    "don't call this number again",
    'do not call this number again',
    'put me on your do not call list',
    "don't call me anymore",
    "don't call me any more",
  ],
  es: [
    'no me llame más',
    'no me llamen más',
    'no me vuelva a llamar',
    'no me vuelvan a llamar',
    'no vuelvan a llamarme',
    'no vuelva a llamarme',
    'dejen de llamarme',
    'deje de llamarme',
    'quíteme de su lista',
  ],
  fr: [
    "ne m'appelez plus",
    'ne me rappelez plus',
    "arrêtez de m'appeler",
    "cessez de m'appeler",
    'retirez-moi de votre liste',
    'enlevez-moi de votre liste',
  ],
  de: [
    'rufen sie mich nicht mehr an',
    'rufen sie mich nie wieder an',
    'rufen sie nicht mehr an',
    'rufen sie hier nicht mehr an',
    'streichen sie mich von ihrer liste',
    'nehmen sie mich von ihrer liste',
  ],
  it: [
    'non mi chiami più',
    'non mi chiamate più',
    'non richiamatemi più',
    'smettetela di chiamarmi',
    'toglietemi dalla vostra lista',
    'mi tolga dalla lista',
  ],
  nl: [
    'bel me niet meer',
    'bel mij niet meer',
    'belt u mij niet meer',
    'wilt u mij niet meer bellen',
    'stop met bellen',
    'haal me van de lijst',
    'haal mij van uw lijst',
  ],
  pt: [
    'não me ligue mais',
    'não me liguem mais',
    'parem de me ligar',
    'pare de me ligar',
    'me tire da lista',
    'tire-me da lista',
  ],
  pl: [
    'proszę do mnie więcej nie dzwonić',
    'nie dzwońcie do mnie więcej',
    'proszę więcej nie dzwonić',
    'proszę mnie usunąć z listy',
  ],
  sv: [
    'ring mig inte igen',
    'ring inte mig igen',
    'ring aldrig mig igen',
    'sluta ringa mig',
    'sluta ringa till mig',
    'ta bort mig från er lista',
    'stryk mig från er lista',
  ],
  hi: ['मुझे दोबारा कॉल मत करना', 'मुझे फिर कॉल मत करें', 'मुझे कॉल करना बंद करें', 'दोबारा फोन मत करना'],
};

const asWords = (text: string): string => ` ${wordsOf(text).join(' ')} `;

const READY: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(PHRASES).map(([language, phrases]) => [language, phrases.map(asWords)]),
);

/** True if somebody asks not to be called again. `languages`: BCP 47 tags of the call. */
export function asksNotToBeCalled(text: string, languages: readonly string[]): boolean {
  const said = asWords(text);
  return languages.some((tag) =>
    READY.get(tag.split('-')[0]?.toLowerCase() ?? '')?.some((phrase) => said.includes(phrase)),
  );
}
