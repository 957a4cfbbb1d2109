/** What colleagues say who are asked to take a call, for recognisers that listen for what they are told. */
const PHRASES: Readonly<Record<string, readonly string[]>> = {
  en: [
    'yes please put them through',
    'put them through',
    'put him through',
    'put her through',
    'please connect us',
    'go ahead',
    "I'll take it",
    "I'll take the call",
    'not now',
    "I can't take it now",
    "I'm busy",
    'please call later',
    'please leave a message after the tone',
    'is not available',
  ],
  fr: [
    'oui passez le moi',
    'passez la moi',
    'je prends',
    'allez y',
    'pas maintenant',
    'je suis occupé',
    'plus tard',
    'laissez un message après le bip',
  ],
};

/** Those of the languages that are heard, which may have a region. */
export function briefingPhrases(languages: readonly string[]): readonly string[] {
  const heard = new Set(languages.map((language) => language.split('-')[0] ?? ''));
  return [...heard].flatMap((language) => PHRASES[language] ?? []);
}
