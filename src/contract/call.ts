import { z } from 'zod';
import { DateTimeSchema, IdSchema } from './atoms.ts';
import { CallAlertSchema } from './call-alerts.ts';
import { CallNoteSchema, CallReviewSchema } from './call-review.ts';
import { FAILED_ENDS, ORDINARY_ENDS } from './failures.ts';
import { KnowledgeLookupSchema } from './knowledge-base.ts';
import { HoldSchema } from './privacy.ts';
import { CallConsentSchema } from './recording-consent.ts';
import { CallCostSchema, UsageLineSchema } from './usage.ts';

export const CallStatusSchema = z.enum(['queued', 'ongoing', 'forwarded', 'finished']);
export const PhoneCallStatusSchema = z.enum([
  'trying',
  'early-media',
  'ringing',
  'in-progress',
  'busy',
  'no-answer',
  'failed',
  'completed',
]);
export const CallTypeSchema = z.enum(['web', 'phone']);
export const CallDirectionSchema = z.enum(['inbound', 'outbound']);
const CallEndTriggerSchema = z.enum(['user', 'assistant']);
export const MessageRoleSchema = z.enum(['user', 'assistant', 'tool', 'system']);

export type CallStatus = z.infer<typeof CallStatusSchema>;
export type PhoneCallStatus = z.infer<typeof PhoneCallStatusSchema>;
export type CallType = z.infer<typeof CallTypeSchema>;
export type CallDirection = z.infer<typeof CallDirectionSchema>;
export type CallEndTrigger = z.infer<typeof CallEndTriggerSchema>;
export type MessageRole = z.infer<typeof MessageRoleSchema>;

export const CallMessageSchema = z
  .strictObject({
    messageId: z.string(),
    role: MessageRoleSchema,
    text: z.string().describe('Of the assistant: what was heard, never what was merely generated.'),
    timestamp: DateTimeSchema,
  })
  .meta({ title: 'CallMessage' });

const durationMs = z.number().optional();

const TurnMetricsSchema = z
  .strictObject({
    turn: z.int(),
    endpointMs: durationMs.describe('Decision that the caller is done.'),
    recogniserMs: durationMs.describe('Last final text.'),
    modelMs: durationMs.describe('First piece of text from the model.'),
    voiceMs: durationMs.describe('First audio from the voice.'),
    totalMs: durationMs.describe('First audio at the caller.'),
  })
  .describe("Milliseconds from the end of the caller's speech.")
  .meta({ title: 'TurnMetrics' });

/** Playback figures counted by the client of a web call. */
export const CallPlaybackSchema = z
  .strictObject({
    playedMs: z.number().describe("Duration of the assistant's audio that was played."),
    concealedMs: z
      .number()
      .describe('Duration of gaps within speech, where audio arrived too late.'),
    concealments: z.int().describe('Number of such gaps.'),
    stretchedMs: z.number().describe('Silence added to pauses to increase the delay.'),
    cutMs: z.number().describe('Silence removed from pauses to reduce the delay again.'),
    delayMs: z.number().describe('Last delay of playback, as needed for the line.'),
  })
  .meta({ title: 'CallPlayback' });

const AnalysisStepSchema = z
  .strictObject({
    step: z.enum(['summary', 'successEvaluation', 'structuredData', 'outcome']),
    state: z.enum(['done', 'skipped', 'failed']),
    reason: z.string().optional().describe('Why it was skipped or failed.'),
  })
  .meta({ title: 'AnalysisStep' });

export const CallAnalysisSchema = z
  .strictObject({
    summary: z.string().optional(),
    successEvaluation: z.string().optional(),
    structuredData: z.record(z.string(), z.unknown()).optional(),
    outcome: z.record(z.string(), z.unknown()).optional(),
    steps: z.array(AnalysisStepSchema).optional().describe('The outcome of each enabled step.'),
  })
  .meta({ title: 'CallAnalysis' });

const CallRecordingSchema = z
  .strictObject({
    url: z.string(),
    contentType: z.literal('audio/wav'),
    sampleRateHz: z.int(),
    durationMs: z.int(),
    bytes: z.int(),
    incompleteSince: DateTimeSchema.optional().describe(
      'The disk was full or failed: the recording ends at this time.',
    ),
  })
  .meta({ title: 'CallRecording' });

const CallFailureSchema = z
  .strictObject({
    code: z.enum(FAILED_ENDS),
    message: z.string().describe('One sentence for the owner of the assistant.'),
    cause: z
      .strictObject({ code: z.string(), message: z.string(), provider: z.string().optional() })
      .optional()
      .describe('What the vendor, carrier or tool said.'),
  })
  .meta({ title: 'CallFailure' });

const callFields = {
  id: IdSchema.describe('`WC-…` for a web call, `CC-…` for a phone call.'),
  teamId: IdSchema,
  assistantId: IdSchema.optional().describe('Absent for an inline assistant.'),
  assistantVersion: z.int().optional().describe('The version of the assistant.'),
  callType: CallTypeSchema,
  direction: CallDirectionSchema,
  startAt: DateTimeSchema,
  endAt: DateTimeSchema.optional(),
  userNumber: z.string().optional(),
  assistantNumber: z.string().optional(),
  status: CallStatusSchema,
  phoneCallStatus: PhoneCallStatusSchema.optional().describe('Phone calls only.'),
  callEndTriggerBy: CallEndTriggerSchema.optional(),
  endReason: z
    .string()
    .optional()
    .describe(`A stable code: ${[...ORDINARY_ENDS, ...FAILED_ENDS].join(', ')}.`),
  failure: CallFailureSchema.optional().describe('Why it failed; absent when it did not.'),
  monitor: z.strictObject({ controlUrl: z.string() }),
  customer: z
    .strictObject({ number: z.string().optional(), name: z.string().optional() })
    .optional(),
  metadata: z.record(z.string(), z.unknown()),
  analysis: CallAnalysisSchema.optional(),
  metrics: z.array(TurnMetricsSchema),
  consent: CallConsentSchema.optional().describe(
    'Whether it was announced that the call is recorded, and what was said to that.',
  ),
  playback: CallPlaybackSchema.optional().describe(
    'Quality of playback: the latest `stats` of a web call whose client sends them.',
  ),
  usage: z.array(UsageLineSchema).describe('Usage of each vendor; empty until the call is over.'),
  cost: CallCostSchema.optional().describe('Only if prices are configured.'),
  recording: CallRecordingSchema.optional(),
  hold: HoldSchema.optional().describe('Keeps the call from being deleted.'),
  alerts: z
    .array(CallAlertSchema)
    .optional()
    .describe('What went wrong in it, from its event log; absent when nothing did.'),
  tags: z.array(z.string()).optional().describe('Absent when there are none.'),
  review: CallReviewSchema.optional().describe('That somebody has looked at it.'),
};

/** A call in a list. Fields that do not apply (yet) are absent. */
export const CallSummarySchema = z.strictObject(callFields).meta({ title: 'CallSummary' });

const notes = z.array(CallNoteSchema).optional();

/** A call in an export. */
export const ExportedCallSchema = z
  .strictObject({ ...callFields, notes: notes.describe('What people wrote about it.') })
  .meta({ title: 'ExportedCall' });

const CallTransferSchema = z
  .strictObject({
    to: z.string(),
    name: z.string().optional(),
    mode: z.enum(['blind', 'announced', 'conversational']),
    outcome: z.enum(['pending', 'transferred', 'failed']),
    reason: z
      .string()
      .optional()
      .describe(
        'Why it failed: `busy`, `no-answer`, `timeout` (nobody answered in time), `declined`, `voicemail`, `line-error`, `operator-left`, `caller-stopped-waiting`, or the reason the call ended.',
      ),
    cause: z.string().optional().describe("The carrier's own code, such as `q850-17`."),
    steps: z.array(
      z.strictObject({
        step: z.enum([
          'dialled',
          'ringing',
          'answered',
          'briefed',
          'accepted',
          'declined',
          'failed',
          'hung-up',
          'joined',
          'let-go',
        ]),
        atMs: z.number().describe('Milliseconds since the start of the call.'),
      }),
    ),
  })
  .meta({ title: 'CallTransfer' });

export const CallSchema = z
  .strictObject({
    ...callFields,
    messages: z.array(CallMessageSchema),
    transfers: z
      .array(CallTransferSchema)
      .optional()
      .describe('Attempts to transfer the caller; only if the call is read by its id.'),
    lookups: z
      .array(KnowledgeLookupSchema)
      .optional()
      .describe(
        'What was looked up in knowledge bases, with its sources; only if the call is read by its id.',
      ),
    notes: notes.describe('What people wrote about it; only if the call is read by its id.'),
  })
  .meta({ title: 'Call' });

/** The response to `connect`; for a web call, with the URL of its media socket. */
export const ConnectedCallSchema = z
  .strictObject({
    ...CallSchema.shape,
    webCall: z
      .strictObject({
        url: z.string().describe('The media socket, described in `docs/media-socket.md`.'),
        token: z.string().describe('Single use, short lived; the last part of the address.'),
        expiresAt: DateTimeSchema,
      })
      .optional(),
  })
  .meta({ title: 'ConnectedCall' });

export const CallPageSchema = z
  .strictObject({
    totalCount: z.int(),
    conversations: z.array(CallSummarySchema),
  })
  .meta({ title: 'CallPage' });

export type CallAnalysis = z.output<typeof CallAnalysisSchema>;
export type CallPlayback = z.output<typeof CallPlaybackSchema>;
export type Call = z.output<typeof CallSchema>;
export type CallTransfer = z.output<typeof CallTransferSchema>;
export type CallSummary = z.output<typeof CallSummarySchema>;
export type ConnectedCall = z.output<typeof ConnectedCallSchema>;
