import { z } from 'zod';
import { DateTimeSchema, E164Schema, text } from './atoms.ts';
import { isTimeZone, WEEKDAYS } from './calendar.ts';

/** Why an outbound call is not placed; the `error` of the answer. */
export const NOT_CALLABLE = {
  'do-not-call': 'The number is on the team’s list of numbers not to call',
  'outside-calling-hours': 'The called number is outside the assistant’s calling hours',
  'unknown-time-zone': 'The time zone of the called number is not known: set callingHours.timeZone',
} as const;

export type NotCallableCode = keyof typeof NOT_CALLABLE;

export const DoNotCallInputSchema = z
  .strictObject({
    number: E164Schema,
    note: text(500).default('').describe('Why, for people.'),
  })
  .meta({ title: 'DoNotCallInput' });

export const DoNotCallSchema = z
  .strictObject({
    number: z.string(),
    note: z.string(),
    source: z
      .enum(['api', 'import', 'call'])
      .describe('`call`: the called person or caller asked for it.'),
    callId: z.string().optional().describe('The call in which it was asked for.'),
    createdAt: DateTimeSchema,
  })
  .meta({ title: 'DoNotCall' });

/** Rows that one import may have. */
export const MAX_IMPORTED_NUMBERS = 5000;

export const DoNotCallImportSchema = z
  .strictObject({
    csv: text(262_144)
      .min(1)
      .describe(
        `A number in E.164 form at the beginning of each line, a note after a comma or semicolon; at most ${MAX_IMPORTED_NUMBERS} lines. A first line without a digit is a heading.`,
      ),
  })
  .meta({ title: 'DoNotCallImport' });

export const DoNotCallImportedSchema = z
  .strictObject({
    added: z.int(),
    known: z.int().describe('Numbers that were on the list already.'),
    refused: z
      .array(z.strictObject({ line: z.int(), text: z.string() }))
      .describe('Lines that begin with no number in E.164 form; the first hundred.'),
  })
  .meta({ title: 'DoNotCallImported' });

const TimeSchema = z
  .string()
  .regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/, 'must be a time such as 08:00');

/** When an assistant may call somebody. */
export const CallingHoursSchema = z
  .strictObject({
    enabled: z.boolean().default(false),
    days: z
      .array(z.enum(WEEKDAYS))
      .min(1)
      .max(7)
      .default([...WEEKDAYS]),
    from: TimeSchema.default('08:00'),
    to: TimeSchema.default('21:00').describe('Calls begin before this time.'),
    timeZone: z
      .string()
      .max(64)
      .refine(
        (name) => name === '' || isTimeZone(name),
        'must be an IANA time zone such as Europe/Madrid, or empty',
      )
      .default('')
      .describe(
        'Empty: that of the called number; where it may be in several, it must be within the hours in all of them.',
      ),
  })
  .refine(({ from, to }) => from < to, { path: ['to'], error: 'must be later than from' });

export type CallingHours = z.output<typeof CallingHoursSchema>;
