const MIN_STEM_CHARS = 3;

function withoutEnding(
  word: string,
  endings: readonly string[],
  minChars = MIN_STEM_CHARS,
): string {
  const ending = endings.find((it) => word.endsWith(it) && word.length - it.length >= minChars);
  return ending === undefined ? word : word.slice(0, -ending.length);
}

// Accents are gone by then: "é" is "e".
const FRENCH_ENDINGS =
  'issements issement ements ement ations ation aient erons erait iront ives ees ent ons ant ait ais ive ifs ez er ir es ee if ie s x e'.split(
    ' ',
  );

/** A French word without gender, number and the commonest verb endings. */
export function stemFrench(word: string): string {
  const plural = word.replace(/eaux$/, 'eau').replace(/aux$/, 'al');
  return withoutEnding(plural, FRENCH_ENDINGS).replace(/([lntr])\1$/, '$1');
}

const GERMAN_ENDINGS = 'ungen innen ung ern est ende enden em er en es st in et e s n'.split(' ');

/** A German word without its case, number and commonest verb endings. */
export function stemGerman(word: string): string {
  const participle = /^ge.{4,}(?:t|en)$/.test(word) ? word.slice(2) : word;
  return withoutEnding(participle.replace(/t$/, ''), GERMAN_ENDINGS);
}

const SPANISH_ENDINGS =
  'aciones imientos imiento amientos amiento ciones mente acion iendo ando aron ieron idos idas ados adas cion aban ado ada ido ida ar er ir os as es an en o a e s'.split(
    ' ',
  );

/** A Spanish word without gender, number and the commonest verb endings. */
export function stemSpanish(word: string): string {
  return withoutEnding(word, SPANISH_ENDINGS);
}
