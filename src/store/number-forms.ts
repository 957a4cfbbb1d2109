import { type SQL, sql } from 'drizzle-orm';

const SHORTEST_NATIONAL = 7;
const COUNTRY_CODE_DIGITS = [1, 2, 3] as const;

/**
 * The ways in which an E.164 number may be written, without blanks and signs but a leading `+`: internationally, and
 * nationally with and without a leading 0, whichever length its country code has.
 */
export function numberForms(e164: string): readonly string[] {
  const digits = e164.slice(1);
  const national = COUNTRY_CODE_DIGITS.map((length) => digits.slice(length)).filter(
    (rest) => rest.length >= SHORTEST_NATIONAL,
  );
  return [e164, digits, `00${digits}`, ...national, ...national.map((rest) => `0${rest}`)];
}

/** {@link numberForms} of a column, as an array in SQL. */
export function numberFormsOf(e164: SQL): SQL {
  const national = COUNTRY_CODE_DIGITS.map((length) => sql`substr(${e164}, ${length + 2}::int)`);
  const long = national.flatMap((rest) =>
    [rest, sql`'0' || ${rest}`].map(
      (form) => sql`case when length(${rest}) >= ${SHORTEST_NATIONAL}::int then ${form} end`,
    ),
  );
  return sql`array[${sql.join(
    [e164, sql`substr(${e164}, 2)`, sql`'00' || substr(${e164}, 2)`, ...long],
    sql`, `,
  )}]`;
}
