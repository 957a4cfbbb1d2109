import { z } from 'zod';
import { DateTimeSchema, IdSchema, text } from './atoms.ts';

const MOST_ORIGINS = 20;
const MOST_CALLS = 100;
const MOST_DAILY_MINUTES = 10_000;
const MOST_CALL_MINUTES = 120;

const OriginSchema = z
  .string()
  .max(300)
  .refine(
    (origin) => /^https?:[^*]+$/.test(origin) && URL.parse(origin)?.origin === origin,
    'must be the origin of a site, such as https://www.example.com',
  );

const fields = {
  name: text(200).regex(/\S/, 'must not be blank').describe('What the key is for.'),
  assistantId: IdSchema.describe('Whom its calls are with; the key goes with the assistant.'),
  origins: z
    .array(OriginSchema)
    .max(MOST_ORIGINS)
    .describe('The sites whose pages may use it: scheme, host and port, without wildcards.'),
  demo: z.boolean().describe('The demo page of this service may use it, too.'),
  callsAtOnce: z.int().min(1).max(MOST_CALLS).describe('Its live calls.'),
  minutesPerDay: z
    .int()
    .min(1)
    .max(MOST_DAILY_MINUTES)
    .describe('What its calls of a day (UTC) may last together; a live call counts in full.'),
  minutesPerCall: z
    .int()
    .min(1)
    .max(MOST_CALL_MINUTES)
    .describe('How long one of its calls lasts at most; less if the assistant says so.'),
} as const;

export const PublicKeyConfigSchema = z
  .strictObject({
    ...fields,
    origins: fields.origins.default([]),
    demo: fields.demo.default(false),
    callsAtOnce: fields.callsAtOnce.default(3),
    minutesPerDay: fields.minutesPerDay.default(60),
    minutesPerCall: fields.minutesPerCall.default(10),
  })
  .meta({ title: 'PublicKeyInput' });

export const PublicKeyPatchSchema = z
  .strictObject(fields)
  .partial()
  .meta({ title: 'PublicKeyPatch' });

export const PublicKeySchema = z
  .strictObject({
    id: IdSchema,
    key: z.string().describe('The key itself, which is no secret.'),
    ...fields,
    demoUrl: z.string().optional().describe('A page to talk to the assistant, to be shared.'),
    createdAt: DateTimeSchema,
  })
  .meta({ title: 'PublicKey' });

export const PublicCallConfigSchema = z
  .strictObject({ key: text(200).describe('The public key.') })
  .meta({ title: 'PublicCallInput' });

export const PublicCallSchema = z
  .strictObject({
    url: z.string().describe('The media socket of the call, token included.'),
    expiresAt: DateTimeSchema.describe('Until then it can be opened, once.'),
  })
  .meta({ title: 'PublicCall' });

export type PublicKeyConfig = z.output<typeof PublicKeyConfigSchema>;
export type PublicKey = z.output<typeof PublicKeySchema>;

/** Why a page gets no call, by the code in the answer's `error`, for its visitor. */
export const PUBLIC_REFUSALS = {
  'unknown-key': 'There is no such public key',
  'origin-not-allowed': 'The public key is not for this site',
  'calls-at-once': 'All lines are busy, try again in a moment',
  'minutes-per-day': 'No more calls are taken today',
  busy: 'All lines are busy, try again in a moment',
  'not-ready': 'No calls are taken at the moment',
  'too-many-requests': 'Too many requests, try again in a moment',
} as const;

export type PublicRefusal = keyof typeof PUBLIC_REFUSALS;
