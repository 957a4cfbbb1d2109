import { z } from 'zod';
import type { RedactionKind } from '../../contract/redaction.ts';
import type { Span } from '../span.ts';

/** Between texts that are sent as one; no entity reaches over it. */
const BETWEEN = '\n\n';

const AnswerSchema = z.array(
  z.object({
    entity_type: z.string(),
    start: z.int().min(0),
    end: z.int().min(0),
    score: z.number(),
  }),
);

/** Numbers by which an authority knows somebody, by Presidio's list of supported entities. */
const IDENTITY_NUMBERS =
  'AU_ABN AU_ACN AU_MEDICARE AU_TFN CA_SIN DE_HANDELSREGISTER DE_HEALTH_INSURANCE DE_ID_CARD DE_KFZ DE_PASSPORT ' +
  'DE_SOCIAL_SECURITY DE_TAX_ID DE_TAX_NUMBER ES_NIE ES_NIF ES_PASSPORT FI_PERSONAL_IDENTITY_CODE IN_AADHAAR IN_GSTIN ' +
  'IN_PAN IN_PASSPORT IN_VEHICLE_REGISTRATION IN_VOTER IT_DRIVER_LICENSE IT_FISCAL_CODE IT_IDENTITY_CARD IT_PASSPORT ' +
  'IT_VAT_CODE KR_BRN KR_DRIVER_LICENSE KR_FRN KR_PASSPORT KR_RRN MEDICAL_LICENSE NG_NIN NG_VEHICLE_REGISTRATION ' +
  'PH_TIN PL_PESEL SE_ORGANISATIONSNUMMER SE_PERSONNUMMER SG_NRIC_FIN SG_UEN TH_TNIN TR_LICENSE_PLATE TR_NATIONAL_ID ' +
  'UK_DRIVING_LICENCE UK_NHS UK_NINO UK_PASSPORT UK_VEHICLE_REGISTRATION US_DRIVER_LICENSE US_ITIN US_MBI US_NPI ' +
  'US_PASSPORT US_SSN ZA_ID_NUMBER';
const HEALTH =
  'MEDICAL_BIOLOGICAL_ATTRIBUTE MEDICAL_BIOLOGICAL_STRUCTURE MEDICAL_CLINICAL_EVENT MEDICAL_DISEASE_DISORDER ' +
  'MEDICAL_FAMILY_HISTORY MEDICAL_HISTORY MEDICAL_MEDICATION MEDICAL_THERAPEUTIC_PROCEDURE';

const allOf = (names: string, kind: RedactionKind | null) =>
  names.split(' ').map((name) => [name, kind] as const);

/** Presidio's names of entities. One that is not here, as of a recogniser of one's own, is a `word`; null is no secret. */
const KINDS: ReadonlyMap<string, RedactionKind | null> = new Map([
  ...allOf('PERSON', 'name'),
  ...allOf('PHONE_NUMBER', 'phone'),
  ...allOf('EMAIL_ADDRESS', 'email'),
  ...allOf('CREDIT_CARD', 'card'),
  ...allOf('IBAN_CODE US_BANK_NUMBER CRYPTO', 'bank-account'),
  ...allOf('LOCATION UK_POSTCODE DE_PLZ', 'address'),
  ...allOf(IDENTITY_NUMBERS, 'identity-number'),
  ...allOf(HEALTH, 'health'),
  ...allOf('DATE_TIME NRP URL ORGANIZATION IP_ADDRESS MAC_ADDRESS', null),
]);

/** The body of `POST /analyze` for several texts. */
export function serializeAnalyze(
  texts: readonly string[],
  { language, minScore }: { readonly language: string; readonly minScore: number },
): string {
  const text = texts.join(BETWEEN);
  return JSON.stringify({
    text,
    language: language.split('-')[0]?.toLowerCase() ?? 'en',
    score_threshold: minScore,
  });
}

/**
 * The spans of each text by the answer to {@link serializeAnalyze}. Throws a ZodError, SyntaxError or RangeError if it is no
 * answer of an analyzer about these texts.
 */
export function parseAnalyze(
  answer: string,
  texts: readonly string[],
  kinds: readonly RedactionKind[],
): readonly (readonly Span[])[] {
  const entities = AnswerSchema.parse(JSON.parse(answer));
  const whole = texts.join(BETWEEN);
  const place = placesOf(whole);
  const length = [...whole].length;
  const spans = entities.flatMap(({ entity_type, start, end }): Span[] => {
    // A service that does not count as the API does names the wrong words, and what it found would stay.
    if (start >= end || end > length)
      throw new RangeError('the redaction service named a place that is not in the text');
    const known = KINDS.get(entity_type);
    const label = known === undefined ? 'word' : known;
    if (label === null || (label !== 'word' && !kinds.includes(label))) return [];
    return [{ start: place(start), end: place(end), label }];
  });
  let from = 0;
  return texts.map((text) => {
    const to = from + text.length;
    const own = spans
      .filter(({ start, end }) => start < to && end > from)
      .map(({ start, end, label }) => ({
        start: Math.max(0, start - from),
        end: Math.min(text.length, end - from),
        label,
      }));
    from = to + BETWEEN.length;
    return own;
  });
}

/** The analyzer counts code points, a string here has UTF-16 units. */
function placesOf(text: string): (codePoint: number) => number {
  if (!/[\ud800-\udbff]/.test(text)) return (at) => Math.min(at, text.length);
  const places: number[] = [];
  let at = 0;
  for (const character of text) {
    places.push(at);
    at += character.length;
  }
  return (codePoint) => places[codePoint] ?? text.length;
}
