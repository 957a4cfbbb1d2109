import { z } from 'zod';
import type { CallSettings } from './settings.ts';

const ms = z.number();
const texts = z.array(z.string());

const llmTool = z.object({
  name: z.string(),
  description: z.string(),
  parameters: z.record(z.string(), z.unknown()),
  strict: z.boolean().optional(),
});

const toolLine = z.object({
  type: z.enum(['request-start', 'request-response-delayed', 'request-complete', 'request-failed']),
  content: z.string(),
  timingMs: ms.optional(),
  blocking: z.boolean().optional(),
  role: z.enum(['assistant', 'system']),
  endCall: z.boolean(),
});

const condition = z.discriminatedUnion('type', [
  z.object({ type: z.literal('model'), description: z.string() }),
  z.object({
    type: z.literal('variable'),
    name: z.string(),
    operator: z.enum(['equals', 'not-equals', 'contains', 'exists']),
    value: z.string(),
  }),
]);

const workflow = z.object({
  start: z.string(),
  nodes: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      prompt: z.string(),
      message: z.string(),
      tools: texts,
      variables: z.array(z.object({ name: z.string(), description: z.string() })),
      end: z.boolean(),
    }),
  ),
  edges: z.array(z.object({ from: z.string(), to: z.string(), condition })),
  variables: z.record(z.string(), z.string()),
  nodeTools: texts,
});

/** The settings in a journal's first line, as this engine needs them. */
export const callSettingsSchema = z.object({
  callType: z.enum(['web', 'phone']),
  direction: z.enum(['inbound', 'outbound']),
  systemPrompt: z.string(),
  languages: texts,
  hints: texts,
  expected: texts,
  welcome: z.object({
    message: z.string(),
    mode: z.enum(['assistant-speaks-first', 'assistant-waits-for-user', 'automatic']),
    interruptible: z.boolean(),
  }),
  startSpeaking: z.object({
    waitMs: ms,
    smartEndpointing: z.enum(['off', 'predictor', 'recogniser']),
    onPunctuationMs: ms,
    onNoPunctuationMs: ms,
    onNumberMs: ms,
    engineBaseMs: ms,
    engineScaleMs: ms,
  }),
  stopSpeaking: z.object({ numberOfWords: z.number(), voiceMs: ms }),
  interruptionAck: z.object({
    enabled: z.boolean(),
    count: z.number(),
    words: z.number(),
    phrases: texts,
  }),
  backchanneling: z.boolean(),
  drafts: z.boolean(),
  predictor: z.enum(['text', 'outside']),
  dtmfInput: z.boolean(),
  idle: z.object({ timeoutMs: ms, maxMessages: z.number(), messages: texts }),
  maxDurationMs: ms,
  responseSplitter: z.string(),
  endCall: z.object({
    enabled: z.boolean(),
    message: z.string(),
    phrases: texts,
    toolDescription: z.string(),
  }),
  maxConsecutiveTtsFailures: z.number(),
  tools: z.array(
    z.object({
      definition: llmTool,
      async: z.boolean(),
      readOnly: z.boolean(),
      repeatable: z.boolean().optional(),
      timeoutMs: ms,
      lines: z.array(toolLine),
      offered: z.object({ toolId: z.string(), name: z.string() }).optional(),
    }),
  ),
  workflow: workflow.optional(),
  volumeControl: z.boolean(),
  transfer: z.object({
    toolEnabled: z.boolean(),
    mode: z.enum(['blind', 'announced', 'conversational']),
    phoneNumber: z.string(),
    extension: z.string(),
    name: z.string(),
    timeoutMs: ms,
    holdMusicUrl: z.string(),
    recordAfter: z.boolean(),
  }),
  sttP99Ms: ms,
  sttTurnAware: z.boolean(),
  sttSparseInterims: z.boolean().optional(),
  lines: z.object({
    apology: z.string(),
    filler: z.string(),
    notUnderstood: z.string(),
    technicalFarewell: z.string(),
    transferring: z.string(),
    stopWaiting: z.string(),
    callerWaiting: z.string(),
    callerLeft: z.string(),
    voicemail: z.string(),
    backchannels: texts,
  }),
  seed: z.number(),
}) satisfies z.ZodType<CallSettings>;
