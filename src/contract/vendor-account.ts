import { z } from 'zod';
import { LanguageSchema, text } from './atoms.ts';
import { TeamVendorConfigSchema, TeamVendorSchema } from './team.ts';

/** The parts of an assistant that a vendor can be. */
const PartSchema = z.enum(['model', 'recogniser', 'voice']);

export const VendorPartSchema = z
  .strictObject({
    part: PartSchema,
    name: z.string().describe('As assistants name it.'),
    account: z.string().optional().describe('The account that it uses; absent: it needs none.'),
    ready: z.boolean(),
    missing: z.string().optional().describe('What it needs before it can be used.'),
  })
  .meta({ title: 'VendorPart' });

export const VendorsSchema = z
  .strictObject({
    accounts: z.array(TeamVendorSchema).describe('Every vendor that needs an account.'),
    parts: z
      .array(VendorPartSchema)
      .describe('Every vendor that an assistant may name, in each part.'),
  })
  .meta({ title: 'Vendors' });

/** The server's address stays the operator's to set: it is trusted, even on a private network. */
export const VendorKeySchema = TeamVendorConfigSchema.omit({ baseUrl: true }).meta({
  title: 'VendorKeyInput',
});

export const VendorTestSchema = z
  .strictObject({
    part: PartSchema,
    name: z.string().describe('As assistants name it.'),
    ok: z.boolean(),
    firstMs: z
      .int()
      .optional()
      .describe(
        'To the first token or sound; of a recogniser, from the end of speech to its text.',
      ),
    totalMs: z.int().optional(),
    note: z.string().describe('What it answered, or why it failed.'),
  })
  .meta({ title: 'VendorTest' });

export const VendorModelsSchema = z
  .strictObject({ models: z.array(z.string()).max(1000) })
  .meta({ title: 'VendorModels' });

export const VendorVoiceSchema = z
  .strictObject({
    id: z.string().describe('As an assistant names it.'),
    name: z.string(),
    languages: z.array(z.string()).describe('Language tags; empty where they are not known.'),
    gender: z.enum(['female', 'male', 'neutral']).optional(),
    description: z.string().optional(),
  })
  .meta({ title: 'VendorVoice' });

export const VendorVoicesSchema = z
  .strictObject({ voices: z.array(VendorVoiceSchema).max(1000) })
  .meta({ title: 'VendorVoices' });

export const MAX_SAMPLE_CHARS = 300;

export const VoiceSampleSchema = z
  .strictObject({
    vendor: text(200),
    voice: text(200).default('').describe("Empty: the vendor's default voice."),
    language: LanguageSchema.default('en-US'),
    text: text(MAX_SAMPLE_CHARS).regex(/\S/, 'must not be blank'),
  })
  .meta({ title: 'VoiceSampleInput' });

export type VendorPart = z.output<typeof VendorPartSchema>;
export type VendorTest = z.output<typeof VendorTestSchema>;
export type VendorVoice = z.output<typeof VendorVoiceSchema>;
export type VoiceSampleRequest = z.output<typeof VoiceSampleSchema>;
