import { z } from 'zod';

/** A resource named in the path. Any string may be asked for; what is not there is missing. */
export const IdParamsSchema = z.object({ id: z.string() });

/** An integer in a query string; anything but plain digits is refused. */
export const queryInteger = (min: number, max: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value),
    z.int().min(min).max(max),
  );

/** A page of a list; without it, everything. The next page is named in the `Link` header. */
export const PageQuerySchema = z.strictObject({
  limit: queryInteger(1, 1000).optional(),
  cursor: z.string().min(1).max(500).optional(),
});

/** An instant in a query; a date alone stands for the one of its instants that is given. */
export const instant = (timeOfDay: string) =>
  z
    .union([z.iso.datetime({ offset: true }), z.iso.date()], {
      error: 'must be a date or a date-time',
    })
    .transform((value) => (value.includes('T') ? value : `${value}T${timeOfDay}`));
