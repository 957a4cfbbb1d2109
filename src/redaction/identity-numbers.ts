import { stdnum } from 'stdnum';

interface Validator {
  validate(value: string): { readonly isValid: boolean };
}

interface Scheme {
  readonly shape: RegExp;
  readonly country: string;
  readonly validator: Validator | undefined;
  /** `always`: its shape and check are enough. `at-home`: where its country's language is spoken. `asked`: only beside a cue. */
  readonly trusted: 'always' | 'at-home' | 'asked';
  /** Lengths of the groups in which it is written; enough where nothing else says what it is. */
  readonly groups?: readonly number[];
}

/** Identity numbers by country, with the checks of the package stdnum. */
const SCHEMES: readonly Scheme[] = [
  scheme('US', 'ssn', /^\d{9}$/, 'asked', [3, 2, 4]),
  scheme('GB', 'nino', /^[A-Z]{2}\d{6}[A-D]$/, 'always'),
  scheme('ES', 'dni', /^\d{8}[A-Z]$/, 'always'),
  scheme('ES', 'nie', /^[XYZ]\d{7}[A-Z]$/, 'always'),
  scheme('ES', 'nss', /^\d{12}$/, 'asked'),
  scheme('DE', 'idnr', /^[1-9]\d{10}$/, 'at-home'),
  scheme('DE', 'svnr', /^\d{8}[A-Z]\d{3}$/, 'always'),
  scheme('FR', 'nir', /^[1-478]\d{4}(?:\d\d|2[AB])\d{8}$/, 'always'),
  scheme('IT', 'codicefiscale', /^[A-Z]{6}\d\d[A-Z]\d\d[A-Z]\d{3}[A-Z]$/, 'always'),
  scheme('PT', 'nif', /^[1-9]\d{8}$/, 'asked'),
  scheme('NL', 'bsn', /^\d{9}$/, 'asked'),
  scheme('PL', 'pesel', /^\d{11}$/, 'asked'),
  scheme('BR', 'cpf', /^\d{11}$/, 'asked'),
  scheme('CA', 'sin', /^\d{9}$/, 'asked', [3, 3, 3]),
];

function scheme(
  country: string,
  name: string,
  shape: RegExp,
  trusted: Scheme['trusted'],
  groups?: readonly number[],
): Scheme {
  const ofCountry = (stdnum as Readonly<Record<string, Readonly<Record<string, Validator>>>>)[
    country
  ];
  return { country, shape, trusted, validator: ofCountry?.[name], ...(groups ? { groups } : {}) };
}

/**
 * True for an identity number that passes its country's check. `isExpected`: words beside it announce one. `language`:
 * the country of the language that is spoken. `lengths`: of its groups as written.
 */
export function isIdentityNumber(
  chars: string,
  {
    isExpected,
    language,
    lengths,
  }: {
    readonly isExpected: boolean;
    readonly language: string;
    readonly lengths: readonly number[];
  },
): boolean {
  return SCHEMES.some(({ shape, validator, trusted, country, groups }) => {
    if (!shape.test(chars) || !validator?.validate(chars).isValid) return false;
    if (isExpected || trusted === 'always') return true;
    const isGrouped = groups !== undefined && String(groups) === String(lengths);
    return trusted === 'at-home' ? country === language : isGrouped;
  });
}
