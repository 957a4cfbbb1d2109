import { wordsOf } from '../../engine/language/words.ts';

interface ConsentWords {
  /** Said before the recording. */
  readonly announcement: string;
  /** Said instead, if the other side has to agree. */
  readonly question: string;
  readonly refusals: readonly string[];
  /** Answers to the question. */
  readonly acceptances: readonly string[];
  readonly denials: readonly string[];
}

const list = (text: string): readonly string[] => text.split(',').map(asWords);
const asWords = (text: string): string => ` ${wordsOf(text).join(' ')} `;

const WORDS: Readonly<Record<string, ConsentWords>> = {
  en: {
    announcement: 'This call is recorded. If you do not want that, please say: do not record.',
    question: 'May this call be recorded? Please say yes or no.',
    refusals: list(
      "do not record, don't record, not be recorded, stop recording, stop the recording, no recording, not to be recorded, turn off the recording, without recording",
    ),
    acceptances: list(
      "yes, sure, okay, ok, fine, of course, you may, i agree, that's fine, go ahead, no problem",
    ),
    denials: list("no, i don't, i do not, rather not, i refuse"),
  },
  es: {
    announcement: 'Esta llamada se graba. Si no lo desea, diga: no grabar.',
    question: '¿Podemos grabar esta llamada? Diga sí o no, por favor.',
    refusals: list(
      'no grabar, no grabe, no graben, no me grabe, no me graben, no quiero que me graben, no quiero que se grabe, dejen de grabar, sin grabar',
    ),
    acceptances: list('sí, claro, vale, de acuerdo, bueno, por supuesto, adelante, está bien'),
    denials: list('no, prefiero que no, no quiero'),
  },
  fr: {
    announcement:
      "Cet appel est enregistré. Si vous ne le souhaitez pas, dites : pas d'enregistrement.",
    question: "Pouvons-nous enregistrer cet appel ? Répondez par oui ou par non, s'il vous plaît.",
    refusals: list(
      "pas d'enregistrement, n'enregistrez pas, ne pas enregistrer, ne m'enregistrez pas, pas être enregistré, pas être enregistrée, arrêtez d'enregistrer, arrêtez l'enregistrement",
    ),
    acceptances: list("oui, d'accord, bien sûr, ok, allez-y, pas de problème, volontiers"),
    denials: list('non, je refuse, je ne veux pas, plutôt pas'),
  },
  de: {
    announcement:
      'Dieses Gespräch wird aufgezeichnet. Wenn Sie das nicht möchten, sagen Sie bitte: nicht aufzeichnen.',
    question: 'Darf dieses Gespräch aufgezeichnet werden? Bitte sagen Sie ja oder nein.',
    refusals: list(
      'nicht aufzeichnen, nicht aufnehmen, keine aufzeichnung, keine aufnahme, nicht aufgezeichnet, nicht aufgenommen, zeichnen sie das nicht auf, nehmen sie das nicht auf',
    ),
    acceptances: list(
      'ja, gerne, okay, ok, einverstanden, in ordnung, natürlich, von mir aus, dürfen sie',
    ),
    denials: list('nein, lieber nicht, möchte ich nicht, will ich nicht'),
  },
  it: {
    announcement: 'Questa chiamata viene registrata. Se non lo desidera, dica: non registrare.',
    question: 'Possiamo registrare questa chiamata? Risponda sì o no, per favore.',
    refusals: list(
      'non registrare, non registri, non registrate, non voglio essere registrato, non voglio essere registrata, smetta di registrare, niente registrazione',
    ),
    acceptances: list('sì, certo, va bene, okay, ok, d’accordo, certamente'),
    denials: list('no, preferisco di no, non voglio'),
  },
  nl: {
    announcement: 'Dit gesprek wordt opgenomen. Als u dat niet wilt, zeg dan: niet opnemen.',
    question: 'Mag dit gesprek worden opgenomen? Zeg alstublieft ja of nee.',
    refusals: list(
      'niet opnemen, geen opname, niet opgenomen, neem dit niet op, neem het niet op, stop met opnemen',
    ),
    acceptances: list('ja, prima, goed, oké, ok, natuurlijk, akkoord, dat mag'),
    denials: list('nee, liever niet, wil ik niet'),
  },
  pt: {
    announcement: 'Esta chamada é gravada. Se não quiser, diga: não gravar.',
    question: 'Podemos gravar esta chamada? Diga sim ou não, por favor.',
    refusals: list(
      'não gravar, não grave, não gravem, não quero ser gravado, não quero ser gravada, pare de gravar, sem gravação',
    ),
    acceptances: list('sim, claro, tudo bem, está bem, ok, pode, com certeza'),
    denials: list('não, prefiro que não, não quero'),
  },
  pl: {
    announcement:
      'Ta rozmowa jest nagrywana. Jeśli Pan lub Pani tego nie chce, proszę powiedzieć: nie nagrywać.',
    question: 'Czy możemy nagrać tę rozmowę? Proszę powiedzieć tak lub nie.',
    refusals: list(
      'nie nagrywać, nie nagrywaj, nie nagrywajcie, proszę nie nagrywać, nie chcę być nagrywany, nie chcę być nagrywana, bez nagrywania',
    ),
    acceptances: list('tak, dobrze, oczywiście, zgoda, zgadzam się, jasne, okej'),
    denials: list('nie, wolałbym nie, wolałabym nie, nie zgadzam się'),
  },
  hi: {
    announcement: 'यह कॉल रिकॉर्ड की जा रही है। अगर आप यह नहीं चाहते, तो कहिए: रिकॉर्ड मत कीजिए।',
    question: 'क्या हम यह कॉल रिकॉर्ड कर सकते हैं? कृपया हाँ या नहीं कहिए।',
    refusals: list('रिकॉर्ड मत कीजिए, रिकॉर्ड मत करो, रिकॉर्ड मत करें, रिकॉर्ड न करें, रिकॉर्डिंग बंद करें'),
    acceptances: list('हाँ, हां, जी, ठीक है, बिल्कुल, ज़रूर'),
    denials: list('नहीं, मत'),
  },
  sv: {
    announcement: 'Det här samtalet spelas in. Om du inte vill det, säg: spela inte in.',
    question: 'Får det här samtalet spelas in? Svara ja eller nej, tack.',
    refusals: list(
      'spela inte in, inte spela in, inte spelas in, inte bli inspelad, ingen inspelning, sluta spela in, stäng av inspelningen, utan inspelning',
    ),
    acceptances: list('ja, javisst, visst, okej, ok, det går bra, gärna, absolut, inga problem'),
    denials: list('nej, helst inte, vill jag inte, jag vill inte'),
  },
};

/** The words of the languages that have some; English if none has. */
function wordsFor(languages: readonly string[]): readonly [ConsentWords, ...ConsentWords[]] {
  const [first, ...more] = languages.flatMap(
    (tag) => WORDS[tag.split('-')[0]?.toLowerCase() ?? ''] ?? [],
  );
  return first ? [first, ...more] : [WORDS.en as ConsentWords];
}

/** What is said before a call is recorded, or asked, in the first of the languages. */
export function announcementIn(languages: readonly string[], ask: boolean): string {
  const [{ announcement, question }] = wordsFor(languages);
  return ask ? question : announcement;
}

/** What somebody's words say about being recorded, in any of the languages. `isAnswer`: they answer the question whether they agree. */
export function consentIn(
  text: string,
  languages: readonly string[],
  isAnswer: boolean,
): 'accepted' | 'refused' | undefined {
  const said = asWords(text);
  const has = (of: 'refusals' | 'acceptances' | 'denials') =>
    wordsFor(languages).some((words) => words[of].some((phrase) => said.includes(phrase)));
  if (has('refusals')) return 'refused';
  if (!isAnswer) return undefined;
  if (has('denials')) return 'refused';
  return has('acceptances') ? 'accepted' : undefined;
}
