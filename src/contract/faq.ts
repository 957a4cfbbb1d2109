import { z } from 'zod';
import { IdSchema, text } from './atoms.ts';

const fields = {
  question: text(2000).regex(/\S/, 'must not be blank'),
  answer: text(20_000).regex(/\S/, 'must not be blank'),
  category: text(200),
  updatable: z.boolean().describe('false: changes are refused until a PUT sets it to true.'),
};

const FaqEntrySchema = z.strictObject({ id: IdSchema, ...fields }).meta({ title: 'FaqEntry' });

/** A new entry; the service assigns its id. */
const NewFaqEntrySchema = z
  .strictObject({
    ...fields,
    category: fields.category.default(''),
    updatable: fields.updatable.default(true),
  })
  .meta({ title: 'NewFaqEntry' });

/** A change of an entry; absent fields stay unchanged. */
const FaqChangeSchema = FaqEntrySchema.partial()
  .required({ id: true })
  .meta({ title: 'FaqChange' });

const MAX_ENTRIES = 1000;

export const NewFaqSchema = z
  .strictObject({
    faq: z.array(NewFaqEntrySchema).min(1).max(MAX_ENTRIES),
  })
  .meta({ title: 'NewFaq' });

export const FaqChangesSchema = z
  .strictObject({
    faq: z
      .array(FaqChangeSchema)
      .min(1)
      .max(MAX_ENTRIES)
      .refine((faq) => new Set(faq.map(({ id }) => id)).size === faq.length, {
        error: 'must not hold an id twice',
      }),
  })
  .meta({ title: 'FaqChanges' });

export const FaqSchema = z.strictObject({ faq: z.array(FaqEntrySchema) }).meta({ title: 'Faq' });
