import { z } from 'zod';
import { text } from './atoms.ts';

export const RecordingConsentSchema = z.strictObject({
  announce: z
    .enum(['never', 'by-region', 'always'])
    .default('never')
    .describe(
      'Whether it is said before a call is recorded. `by-region`: unless both numbers are where the law lets one party record alone.',
    ),
  text: text(1000)
    .default('')
    .describe(
      'What is said, before the welcome message; empty: a sentence in the call’s language.',
    ),
  ask: z
    .boolean()
    .default(false)
    .describe('Nothing is recorded until the other side has agreed in words.'),
  onRefusal: z
    .enum(['delete', 'cut'])
    .default('delete')
    .describe('What was recorded before the refusal: deleted, or kept up to that word.'),
});

/** What became of the announcement, in the call's record. */
export const CallConsentSchema = z
  .strictObject({
    state: z.enum(['announced', 'accepted', 'refused']),
    atMs: z.number().describe('Milliseconds since the start of the call.'),
  })
  .meta({ title: 'CallConsent' });

export type CallConsent = z.output<typeof CallConsentSchema>;
