/** How one language reads symbols aloud. */
export interface NormalisationLanguage {
  readonly dot: string;
  readonly slash: string;
  readonly at: string;
  readonly dash: string;
  readonly underscore: string;
  readonly percent: string;
  readonly and: string;
  /** Singular and plural by symbol, spoken after the number. */
  readonly currencies: Readonly<Record<string, readonly [string, string]>>;
  /** In lower case, with their full stops. */
  readonly abbreviations: Readonly<Record<string, string>>;
}

const ENGLISH: NormalisationLanguage = {
  dot: 'dot',
  slash: 'slash',
  at: 'at',
  dash: 'dash',
  underscore: 'underscore',
  percent: 'percent',
  and: 'and',
  currencies: {
    $: ['dollar', 'dollars'],
    '€': ['euro', 'euros'],
    '£': ['pound', 'pounds'],
    '¥': ['yen', 'yen'],
  },
  abbreviations: {
    'e.g.': 'for example',
    'i.e.': 'that is',
    'etc.': 'et cetera',
    'approx.': 'approximately',
    'mr.': 'mister',
    'mrs.': 'missus',
    'dr.': 'doctor',
    'vs.': 'versus',
    'appt.': 'appointment',
  },
};

const FRENCH: NormalisationLanguage = {
  dot: 'point',
  slash: 'barre oblique',
  at: 'arobase',
  dash: 'tiret',
  underscore: 'tiret bas',
  percent: 'pour cent',
  and: 'et',
  currencies: {
    $: ['dollar', 'dollars'],
    '€': ['euro', 'euros'],
    '£': ['livre', 'livres'],
    '¥': ['yen', 'yens'],
  },
  abbreviations: {
    'p.ex.': 'par exemple',
    'c.-à-d.': 'c’est-à-dire',
    'etc.': 'et cætera',
    'env.': 'environ',
    'm.': 'monsieur',
    mme: 'madame',
    mlle: 'mademoiselle',
    'dr.': 'docteur',
    'tél.': 'téléphone',
    rdv: 'rendez-vous',
  },
};

const GERMAN: NormalisationLanguage = {
  dot: 'Punkt',
  slash: 'Schrägstrich',
  at: 'ät',
  dash: 'Bindestrich',
  underscore: 'Unterstrich',
  percent: 'Prozent',
  and: 'und',
  currencies: {
    $: ['Dollar', 'Dollar'],
    '€': ['Euro', 'Euro'],
    '£': ['Pfund', 'Pfund'],
    '¥': ['Yen', 'Yen'],
  },
  abbreviations: {
    'z.b.': 'zum Beispiel',
    'd.h.': 'das heißt',
    'usw.': 'und so weiter',
    'bzw.': 'beziehungsweise',
    'ca.': 'circa',
    'hr.': 'Herr',
    'fr.': 'Frau',
    'dr.': 'Doktor',
    'nr.': 'Nummer',
    'str.': 'Straße',
    'evtl.': 'eventuell',
  },
};

const SPANISH: NormalisationLanguage = {
  dot: 'punto',
  slash: 'barra',
  at: 'arroba',
  dash: 'guion',
  underscore: 'guion bajo',
  percent: 'por ciento',
  and: 'y',
  currencies: {
    $: ['dólar', 'dólares'],
    '€': ['euro', 'euros'],
    '£': ['libra', 'libras'],
    '¥': ['yen', 'yenes'],
  },
  abbreviations: {
    'p.ej.': 'por ejemplo',
    'etc.': 'etcétera',
    'aprox.': 'aproximadamente',
    'sr.': 'señor',
    'sra.': 'señora',
    'dr.': 'doctor',
    'dra.': 'doctora',
    'ud.': 'usted',
    'uds.': 'ustedes',
    'tel.': 'teléfono',
    'núm.': 'número',
  },
};

/** By primary language; in other languages the text stays as written. */
export const SPEAKABLE_LANGUAGES: ReadonlyMap<string, NormalisationLanguage> = new Map([
  ['en', ENGLISH],
  ['fr', FRENCH],
  ['de', GERMAN],
  ['es', SPANISH],
]);
