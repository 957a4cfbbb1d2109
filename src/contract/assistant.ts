import { z } from 'zod';
import {
  AssistantAnalysisSchema,
  AssistantOutcomeSchema,
  AssistantServerSchema,
} from './assistant-analysis.ts';
import {
  BackgroundSoundSchema,
  CallForwardDataSchema,
  PersistHistorySchema,
  PredefinedToolsSchema,
  SmsConfigurationSchema,
  StopSpeakingOptionsSchema,
  startSpeakingOptions,
  UserInterruptionAckPlanSchema,
} from './assistant-behaviour.ts';
import { AssistantOverridesSchema, overridable } from './assistant-overrides.ts';
import { speechConfig, vendorName } from './assistant-speech.ts';
import { AssistantWorkflowSchema } from './assistant-workflow.ts';
import { DateTimeSchema, IdSchema, OptionalUrlSchema, text } from './atoms.ts';
import { checkDependentFields } from './dependent-fields.ts';
import { CallingHoursSchema } from './do-not-call.ts';
import { RetentionDaysSchema } from './privacy.ts';
import { RecordingConsentSchema } from './recording-consent.ts';
import { RedactionSchema } from './redaction.ts';
import type { VendorCatalogue } from './vendors.ts';

const idList = z
  .array(IdSchema)
  .max(100)
  .refine((ids) => new Set(ids).size === ids.length, 'must not hold an id twice')
  .default([]);

function assistantFields(vendors: VendorCatalogue) {
  return {
    name: text(200).regex(/\S/, 'must not be blank'),
    welcomeMessage: overridable.welcomeMessage.default(''),
    welcomeMessageMode: overridable.welcomeMessageMode.default('assistant-speaks-first'),
    welcomeMessageInterruptionsEnabled:
      overridable.welcomeMessageInterruptionsEnabled.default(true),
    assistantProvider: vendorName(vendors.llm).describe(
      'The model host. Absent at creation: the first one that has a key, else `offline`.',
    ),
    assistantModel: text(200)
      .default('')
      .meta({ examples: ['gpt-4o', 'gpt-4o-mini', 'gpt-4.1', 'gpt-4.1-mini'] })
      .describe("Any model name the provider accepts; empty: the provider's default model."),
    assistantLLMUrl: OptionalUrlSchema.default('').describe(
      'Base URL of the model server, required with `custom-llm` and not allowed otherwise; `/chat/completions` is appended.',
    ),
    assistantSystemPrompt: text(100_000).default(''),
    assistantTemperature: z.number().min(0).max(2).default(0.7),
    assistantMaxTokens: z.int().min(1).max(100_000).default(250),
    assistantResponseSplitter: text(20)
      .default('')
      .describe('Delimiter that splits a reply into separate lines; empty: by sentence.'),
    config: speechConfig(vendors.stt, vendors.tts).prefault({}),
    hints: z
      .array(text(200).min(1))
      .max(500)
      .default([])
      .describe('Words and names that the recogniser should favour.'),
    backgroundSound: BackgroundSoundSchema,
    backgroundSoundVolume: z.number().min(1).max(100).default(50),
    ttsCacheEnabled: z.boolean().default(true),
    ttsAudioCacheScope: z
      .enum(['assistant', 'team', 'global'])
      .default('assistant')
      .describe('`global` is deprecated and will be removed.'),
    maxConsecutiveTtsFailures: overridable.maxConsecutiveTtsFailures.default(3),
    recordingEnabled: overridable.recordingEnabled.default(true),
    recordAfterTransfer: overridable.recordAfterTransfer.default(false),
    postCallTranscriptsEnabled: overridable.postCallTranscriptsEnabled.default(true),
    assistantBackchannelingEnabled: z.boolean().default(false),
    dtmfInputEnabled: z.boolean().default(false),
    maxCallDuration: z.int().min(1).max(120).default(10).describe('Minutes.'),
    idleTimeout: z
      .int()
      .min(5)
      .max(600)
      .default(10)
      .describe('Seconds of silence before an idle message.'),
    maxIdleMessagesInSequence: z.int().min(1).max(5).default(3),
    startSpeakingOptions: startSpeakingOptions(vendors.stt.names).prefault({}),
    stopSpeakingOptions: StopSpeakingOptionsSchema.prefault({}),
    userInterruptionAckPlan: UserInterruptionAckPlanSchema.prefault({}),
    assistantToolIds: idList,
    assistantPredefinedTools: PredefinedToolsSchema.prefault({}),
    assistantType: z.enum(['single_prompt', 'workflow_based']).default('single_prompt'),
    assistantWorkflow: AssistantWorkflowSchema.optional().describe(
      'Only with `workflow_based`; without it, such an assistant behaves by its prompt.',
    ),
    assistantKnowledgeBaseIds: idList.describe('Only with assistantPredefinedTools.knowledgeBase.'),
    endCallMessage: text(5000)
      .default('')
      .describe('Said when ending the call; only with assistantPredefinedTools.endCall.'),
    endCallToolDescription: text(2000)
      .default('')
      .describe('Only with assistantPredefinedTools.endCall; empty: the built-in description.'),
    endCallPhrases: z
      .array(text(200).regex(/\S/, 'must not be blank'))
      .max(100)
      .default([])
      .describe('Phrases that end the call; only with assistantPredefinedTools.endCall.'),
    callForwardData: CallForwardDataSchema.prefault({}),
    warmTransferEnabled: overridable.warmTransferEnabled.default(false),
    warmTransferConversational: overridable.warmTransferConversational.default(false),
    holdMusicUrl: overridable.holdMusicUrl.default(''),
    warmTransferTimeout: overridable.warmTransferTimeout.default(30),
    assistantAnalysis: AssistantAnalysisSchema.prefault({}),
    assistantOverrides: AssistantOverridesSchema.default({}),
    assistantServer: AssistantServerSchema.prefault({}),
    assistantOutcome: z.array(AssistantOutcomeSchema).max(100).default([]),
    smsConfiguration: SmsConfigurationSchema.prefault({}),
    persistHistory: PersistHistorySchema.prefault({}),
    retentionDays: RetentionDaysSchema.prefault({}).describe(
      'For how long its calls are kept; the team’s rule holds if it is shorter.',
    ),
    redaction: RedactionSchema.prefault({}),
    recordingConsent: RecordingConsentSchema.prefault({}),
    callingHours: CallingHoursSchema.prefault({}).describe(
      'When it may call somebody; a call outside of these hours is refused.',
    ),
  };
}

/**
 * The schema of an assistant's configuration, with all defaults and limits. An assistant that names no vendor gets the
 * default of the catalogue, so that reads show it.
 */
export function assistantConfigSchema(vendors: VendorCatalogue) {
  return z
    .strictObject(assistantFields(vendors))
    .check(checkDependentFields)
    .meta({ title: 'AssistantInput' });
}

/** The schema of an assistant in responses. */
export function assistantSchema(vendors: VendorCatalogue) {
  return z
    .strictObject({
      _id: IdSchema,
      teamId: IdSchema,
      ...assistantFields(vendors),
      createdAt: DateTimeSchema,
      updatedAt: DateTimeSchema,
    })
    .meta({ title: 'Assistant' });
}

/** A warning about an assistant that was accepted. */
const AssistantWarningSchema = z
  .strictObject({
    code: z.enum(['vendor-not-ready', 'workflow-missing', 'language-without-words']),
    path: z.string().describe('The field it is about.'),
    message: z.string(),
  })
  .meta({ title: 'AssistantWarning' });

/** The response to creating or changing an assistant. */
export function savedAssistantSchema(vendors: VendorCatalogue) {
  return z
    .strictObject({
      ...assistantSchema(vendors).shape,
      warnings: z
        .array(AssistantWarningSchema)
        .optional()
        .describe(
          'Problems that keep the assistant from working as configured; absent if there are none.',
        ),
    })
    .meta({ title: 'SavedAssistant' });
}

type ConfigSchema = ReturnType<typeof assistantConfigSchema>;

/** A validated configuration with all defaults, as stored. */
export type AssistantConfig = z.output<ConfigSchema>;
/** A stored assistant. */
export type Assistant = z.output<ReturnType<typeof assistantSchema>>;
export type AssistantWarning = z.output<typeof AssistantWarningSchema>;
