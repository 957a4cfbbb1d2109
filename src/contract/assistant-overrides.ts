import { z } from 'zod';
import { WelcomeMessageModeSchema } from './assistant-behaviour.ts';
import { mayBePlayed, OptionalUrlSchema, PLAYED_TYPES, text } from './atoms.ts';

/** Schemas shared by an assistant's fields and their overrides. */
export const overridable = {
  welcomeMessage: text(5000).describe('Spoken first; empty: the model opens the conversation.'),
  welcomeMessageMode: WelcomeMessageModeSchema,
  welcomeMessageInterruptionsEnabled: z
    .boolean()
    .describe('false: the caller cannot interrupt the welcome message.'),
  recordingEnabled: z.boolean(),
  recordAfterTransfer: z
    .boolean()
    .describe('Recording continues after a forward or a warm transfer.'),
  postCallTranscriptsEnabled: z
    .boolean()
    .describe('A transcript file is stored beside the recording.'),
  maxConsecutiveTtsFailures: z
    .int()
    .min(0)
    .max(1000)
    .describe('Consecutive turns without a voice after which the call is ended; 0: never.'),
  warmTransferEnabled: z.boolean(),
  warmTransferConversational: z
    .boolean()
    .describe('The assistant briefs the operator, who accepts or declines.'),
  holdMusicUrl: OptionalUrlSchema.refine(mayBePlayed, PLAYED_TYPES).describe(
    'WAV, MP3, Ogg Vorbis or Ogg Opus for a caller on hold; empty: the built-in music.',
  ),
  warmTransferTimeout: z
    .int()
    .min(5)
    .max(600)
    .describe('Seconds to wait for an answer after dialling.'),
};

const VariableNameSchema = z
  .string()
  .regex(/^[\w.-]{1,100}$/, 'must be 1 to 100 letters, digits, dots, dashes or underscores');

/** Fields of an assistant that a call may override. Absent fields change nothing. */
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
      .describe('Folder of the recording within the storage.'),
    dynamicVariables: z
      .record(VariableNameSchema, text(20_000))
      .refine((map) => Object.keys(map).length <= 200, 'must hold at most 200 variables')
      .describe('Values of `{{name}}` in spoken texts and prompts.'),
  })
  .partial()
  .meta({ title: 'AssistantOverrides' });

export type AssistantOverrides = z.output<typeof AssistantOverridesSchema>;
