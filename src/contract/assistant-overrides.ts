import { z } from 'zod';
import { WelcomeMessageModeSchema } from './assistant-behaviour.ts';
import { mayBePlayed, OptionalUrlSchema, PLAYED_TYPES, text } from './atoms.ts';

/** Bounds shared by an assistant's own field and its override. */
export const overridable = {
  welcomeMessage: text(5000).describe('Spoken first; empty: the model opens the conversation.'),
  welcomeMessageMode: WelcomeMessageModeSchema,
  welcomeMessageInterruptionsEnabled: z
    .boolean()
    .describe('false: the caller cannot interrupt the welcome message.'),
  recordingEnabled: z.boolean(),
  recordAfterTransfer: z
    .boolean()
    .describe('Recording goes on after a forward or a warm transfer.'),
  postCallTranscriptsEnabled: z
    .boolean()
    .describe('A transcript file is stored beside the recording.'),
  maxConsecutiveTtsFailures: z
    .int()
    .min(0)
    .max(1000)
    .describe('Turns without a voice after which the call is ended; 0: never.'),
  warmTransferEnabled: z.boolean(),
  warmTransferConversational: z
    .boolean()
    .describe('The assistant briefs the operator, who accepts or declines.'),
  holdMusicUrl: OptionalUrlSchema.refine(mayBePlayed, PLAYED_TYPES).describe(
    'WAV, MP3, Ogg Vorbis or Ogg Opus for a caller on hold; empty: the built-in music.',
  ),
  warmTransferTimeout: z.int().min(5).max(600).describe('Seconds from dialling to the answer.'),
};

const VariableNameSchema = z
  .string()
  .regex(/^[\w.-]{1,100}$/, 'must be 1 to 100 letters, digits, dots, dashes or underscores');

/** What one call may change of its assistant. A field that is absent changes nothing. */
export const AssistantOverridesSchema = z
  .strictObject({
    ...overridable,
    recordingPath: z
      .string()
      .max(500)
      .regex(
        /^(?:[\w-][\w.-]*(?:\/[\w-][\w.-]*)*)?$/,
        'must be a relative path of letters, digits, dots, dashes and underscores',
      )
      .describe('Where in the storage the recording is kept.'),
    dynamicVariables: z
      .record(VariableNameSchema, text(20_000))
      .refine((map) => Object.keys(map).length <= 200, 'must hold at most 200 variables')
      .describe('Values of the `{{name}}` in spoken and prompted texts.'),
  })
  .partial()
  .meta({ title: 'AssistantOverrides' });

export type AssistantOverrides = z.output<typeof AssistantOverridesSchema>;
