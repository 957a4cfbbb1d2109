import { z } from 'zod';
import { E164Schema, mayBePlayed, OPEN_ENUM, PLAYED_TYPES, text } from './atoms.ts';

/** The values of `smartEndpointing` for the built-in endpointing and for none. */
export const BUILT_IN_ENDPOINTING = 'parley';
export const NO_ENDPOINTING = 'off';

export const WelcomeMessageModeSchema = z.enum([
  'assistant-speaks-first',
  'assistant-waits-for-user',
  'automatic',
]);

const seconds = (max: number) => z.number().min(0).max(max);

/**
 * Settings for when the assistant starts to speak. `recognisers`: turn-aware recognisers, which may decide when a turn
 * ends.
 */
export function startSpeakingOptions(recognisers: readonly string[]) {
  return z.strictObject({
    waitSeconds: seconds(10)
      .default(0.4)
      .describe('Minimum time from the end of the turn to the first audio of the reply.'),
    smartEndpointing: z
      .enum([BUILT_IN_ENDPOINTING, NO_ENDPOINTING, ...recognisers])
      .meta(OPEN_ENUM)
      .default(BUILT_IN_ENDPOINTING)
      .describe(
        `What decides that the caller is done: \`${BUILT_IN_ENDPOINTING}\` (built in), \`${NO_ENDPOINTING}\` (the punctuation waits below alone), or a turn-aware recogniser by its vendor name.`,
      ),
    onPunctuationSeconds: seconds(10).default(0.1),
    onNoPunctuationSeconds: seconds(10).default(1.5),
    onNumberSeconds: seconds(10).default(0.5),
    EngineBaseValue: seconds(10_000).default(100).describe('Milliseconds of waiting in any case.'),
    EngineScaleValue: seconds(10_000)
      .default(1800)
      .describe(
        'Milliseconds added in proportion to the probability that the caller is not done; a value of 20 or less is read as seconds.',
      ),
  });
}

/** Settings for when the assistant stops speaking because the caller speaks. */
export const StopSpeakingOptionsSchema = z.strictObject({
  numberOfWords: z
    .int()
    .min(0)
    .max(50)
    .default(0)
    .describe(
      'Number of words that interrupt; with 0, voice alone holds the reply and the first word interrupts.',
    ),
  voiceSeconds: seconds(10).default(0.2).describe('Duration of voice that holds the reply.'),
});

export const UserInterruptionAckPlanSchema = z.strictObject({
  enabled: z.boolean().default(false),
  count: z
    .int()
    .min(0)
    .max(50)
    .default(3)
    .describe('Maximum number of acknowledgements in one call.'),
  words: z
    .int()
    .min(0)
    .max(200)
    .default(5)
    .describe(
      'An interruption counts as early until more words of the reply than this were heard.',
    ),
  phrases: z
    .array(text(500).min(1))
    .max(50)
    .default([])
    .describe("Spoken in turn; empty: stock phrases in the call's language."),
});

export const PredefinedToolsSchema = z.strictObject({
  knowledgeBase: z.boolean().default(false),
  endCall: z.boolean().default(false),
  appointment: z.boolean().default(false),
  volumeControl: z.boolean().default(false),
  waitList: z.boolean().default(false),
  callForward: z.boolean().default(false),
  sendSms: z.boolean().default(false),
  doNotCall: z
    .boolean()
    .default(false)
    .describe('Who asks not to be called again is put on the list of numbers that are not called.'),
});

export const CallForwardDataSchema = z.strictObject({
  phoneNumber: z
    .union([z.literal(''), E164Schema], {
      error: 'must be a phone number in E.164 form, such as +14155550123, or empty',
    })
    .default(''),
  extension: z
    .string()
    .max(32)
    .regex(/^[0-9A-D*#,w]*$/, 'must hold only digits, * # A-D, and , or w for a pause')
    .default(''),
  name: text(200).default(''),
});

export const SmsConfigurationSchema = z.strictObject({
  enabled: z.boolean().default(false),
  sameAsAssistant: z
    .boolean()
    .default(true)
    .describe("Text messages are answered with the assistant's own prompt instead of `smsPrompt`."),
  smsPrompt: text(100_000).default(''),
});

export const PersistHistorySchema = z.strictObject({
  enabled: z.boolean().default(false),
  call: z.boolean().default(true),
  sms: z.boolean().default(false),
  retentionPeriod: z.int().min(1).max(3650).default(30).describe('Days.'),
});

const FileUrlSchema = z
  .string()
  .max(1000)
  .regex(
    /^(?:enable|disable|https:\/\/[^\s/?#]+[^\s]*)$/,
    'must be enable, disable, or an https:// URL of an audio file',
  )
  .refine(mayBePlayed, PLAYED_TYPES);

export const BackgroundSoundSchema = FileUrlSchema.default('disable').describe(
  '`enable` (the built-in ambience), `disable`, or a publicly reachable https:// URL of a WAV, MP3, Ogg Vorbis or Ogg Opus file.',
);
