import { z } from 'zod';
import { OptionalUrlSchema, text } from './atoms.ts';

/** What can be taken out of a call's record. */
export const REDACTION_KINDS = [
  'card',
  'bank-account',
  'identity-number',
  'phone',
  'name',
  'address',
  'date-of-birth',
  'email',
  'health',
] as const;

export type RedactionKind = (typeof REDACTION_KINDS)[number];

/** What stands in the record in place of what was taken out, in brackets; `number`: one that may still become another. */
export type RedactionLabel = RedactionKind | 'number' | 'word' | 'withheld';

export const RedactionSchema = z.strictObject({
  kinds: z
    .array(z.enum(REDACTION_KINDS))
    .max(REDACTION_KINDS.length)
    .default([])
    .describe(
      'What is taken out of transcript, event log, webhooks, analysis and sound before anything is kept or sent; empty: nothing.',
    ),
  words: z
    .array(text(100).regex(/\p{L}|\p{N}/u, 'must hold a letter or a digit'))
    .max(500)
    .default([])
    .describe('Words and phrases that are taken out as well, in any spelling of case and accents.'),
  sound: z
    .enum(['tone', 'silence', 'keep'])
    .default('tone')
    .describe('What the recording has in place of the words: a tone, silence, or the words.'),
  originals: z
    .enum(['discard', 'sealed'])
    .default('discard')
    .describe(
      '`sealed`: what was taken out is kept encrypted, and admins alone can read it; an exact replay needs it.',
    ),
  model: z
    .boolean()
    .default(false)
    .describe('The language model, too, gets the earlier turns of the call without it.'),
  service: z
    .strictObject({
      url: OptionalUrlSchema.default('').describe(
        'Base URL of a server with the analyzer’s API of Presidio, which finds more; `/analyze` is appended.',
      ),
      minScore: z.number().min(0).max(1).default(0.5),
      timeoutSeconds: z.number().min(0.1).max(10).default(1.5),
      onFailure: z
        .enum(['withhold', 'rules'])
        .default('withhold')
        .describe(
          'When it gives no answer: `withhold` keeps nothing of the text, `rules` trusts the built-in rules alone.',
        ),
    })
    .prefault({}),
});

export type RedactionSettings = z.output<typeof RedactionSchema>;

/** True if these settings take anything out of a call's record. */
export const isRedacting = ({ kinds, words, service }: RedactionSettings): boolean =>
  kinds.length > 0 || words.length > 0 || service.url !== '';
