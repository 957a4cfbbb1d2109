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
