import { z } from 'zod';
import { DateTimeSchema, IdSchema, text } from './atoms.ts';
import { RoleSchema } from './role.ts';

export const KeyNameSchema = text(200)
  .regex(/\S/, 'must not be blank')
  .describe('What the key is for.');
const ExpirySchema = z.iso
  .datetime({ offset: true })
  .describe('From then on the key is rejected. ISO 8601.');

export const ApiKeyConfigSchema = z
  .strictObject({
    name: KeyNameSchema,
    role: RoleSchema.default('admin'),
    expiresAt: ExpirySchema.optional(),
  })
  .meta({ title: 'ApiKeyInput' });

export const ApiKeyPatchSchema = z
  .strictObject({
    name: KeyNameSchema.optional(),
    role: RoleSchema.optional(),
    expiresAt: z.union([ExpirySchema, z.null()]).optional(),
  })
  .meta({ title: 'ApiKeyPatch' });

/** Ways in which a key is made. */
export const KEY_ORIGINS = ['first-start', 'environment', 'api-key', 'person', 'operator'] as const;

export const ApiKeySchema = z
  .strictObject({
    id: IdSchema,
    name: z.string(),
    role: RoleSchema,
    prefix: z.string().describe('The first characters of the key, to recognise it by.'),
    createdAt: DateTimeSchema,
    expiresAt: DateTimeSchema.optional(),
    lastUsedAt: DateTimeSchema.optional().describe('Known to the minute.'),
    lastUsedFrom: z.string().optional().describe('The address that last used it.'),
    origin: z
      .strictObject({
        type: z.enum(KEY_ORIGINS),
        name: z.string().optional().describe('The name of the API key or the person that made it.'),
      })
      .optional()
      .describe('Who made it; absent for keys of earlier versions.'),
  })
  .meta({ title: 'ApiKey' });

/** The only response that contains a key. */
export const NewApiKeySchema = z
  .strictObject({
    ...ApiKeySchema.shape,
    key: z.string().describe('The key itself; it cannot be read again.'),
  })
  .meta({ title: 'NewApiKey' });

/** Who sends a request. */
export const WhoSchema = z
  .strictObject({
    teamId: IdSchema,
    teamName: z.string(),
    role: RoleSchema,
    apiKey: z
      .strictObject({ id: IdSchema, name: z.string() })
      .optional()
      .describe('Absent for a person.'),
    person: z
      .strictObject({ id: IdSchema, name: z.string(), email: z.string() })
      .optional()
      .describe('Absent for an API key.'),
  })
  .meta({ title: 'Who' });

export type ApiKey = z.output<typeof ApiKeySchema>;
export type KeyOrigin = NonNullable<ApiKey['origin']>;
