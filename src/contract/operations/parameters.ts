import { z } from 'zod';

/** The id of a resource in the path. Any string is accepted; an unknown one is not found. */
export const IdParamsSchema = z.object({ id: z.string() });

/** An integer in a query string, of digits only. */
export const queryInteger = (min: number, max: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value),
    z.int().min(min).max(max),
  );

/** Selects a page of a list; without it, the list is complete. The `Link` header has the next page. */
export const PageQuerySchema = z.strictObject({
  limit: queryInteger(1, 1000).optional(),
  cursor: z.string().min(1).max(500).optional(),
});

/** A time in a query; a date without a time stands for that date at `timeOfDay`. */
export const instant = (timeOfDay: string) =>
  z
    .union([z.iso.datetime({ offset: true }), z.iso.date()], {
      error: 'must be a date or a date-time',
    })
    .transform((value) => (value.includes('T') ? value : `${value}T${timeOfDay}`));

/** The fields wanted of each item, separated by commas; `_id` and `name` come with them. */
export const fieldsQuery = (known: readonly string[]) =>
  z
    .string()
    .max(2000)
    .refine(
      (names) => names.split(',').every((name) => known.includes(name)),
      `must be names of fields, separated by commas: ${known.join(', ')}`,
    )
    .describe(
      'Names of fields, separated by commas: each item has these alone, and its `_id` and `name`.',
    );

/** Narrows a list to what contains every word; `fields` says where they are looked for. */
export const searchQuery = (fields: string) =>
  z
    .string()
    .max(200)
    .optional()
    .describe(
      `Words that each have to be the id, or occur in any case in one of these: ${fields}.`,
    );

const MOST_IDS = 100;

/** Ids in a query string, separated by commas. */
export const IdsQuerySchema = z
  .string()
  .max(50_000)
  .transform((ids) => ids.split(','))
  .refine((ids) => ids.length <= MOST_IDS, `must be at most ${MOST_IDS} ids`)
  .describe(`At most ${MOST_IDS} ids, separated by commas.`);

/** How the bytes of a file are answered. */
export const DownloadQuerySchema = z.strictObject({
  redirect: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: 'Whether to answer with an address at the server that keeps the file.' }),
});
