import { z } from 'zod';
import { DateTimeSchema, IdSchema, text } from './atoms.ts';

export const ApiKeyConfigSchema = z
  .strictObject({
    name: text(200).regex(/\S/, 'must not be blank').describe('What the key is for.'),
  })
  .meta({ title: 'ApiKeyInput' });

export const ApiKeySchema = z
  .strictObject({
    id: IdSchema,
    name: z.string(),
    prefix: z.string().describe('The first characters of the key, to recognise it by.'),
    createdAt: DateTimeSchema,
  })
  .meta({ title: 'ApiKey' });

/** The only response that contains a key. */
export const NewApiKeySchema = z
  .strictObject({
    ...ApiKeySchema.shape,
    key: z.string().describe('The key itself; it cannot be read again.'),
  })
  .meta({ title: 'NewApiKey' });

export type ApiKey = z.output<typeof ApiKeySchema>;
