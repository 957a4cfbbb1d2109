import { z } from 'zod';
import {
  CallAnalysisSchema,
  CallMessageSchema,
  CallStatusSchema,
  CallSummarySchema,
  PhoneCallStatusSchema,
} from './call.ts';
import { FAILING_PARTS, FAILURES, type FailureCode } from './failures.ts';
import type { WebhookKind } from './webhook-kinds.ts';

/** The assistant as sent to users' servers. */
export const WebhookAssistantSchema = z
  .looseObject({
    _id: z.string().optional().describe('Absent for an inline assistant.'),
    name: z.string(),
  })
  .describe('The assistant as used in this call, without the secret of its server.')
  .meta({ title: 'WebhookAssistant' });

const common = {
  timestamp: z.int().describe('When it happened, Unix time in milliseconds.'),
  call: CallSummarySchema,
  assistant: WebhookAssistantSchema,
  messages: z.array(CallMessageSchema).describe('The conversation so far.'),
  phone: z
    .strictObject({ id: z.string().optional(), number: z.string().optional() })
    .describe("The assistant's number.")
    .optional(),
  customer: z
    .strictObject({ number: z.string().optional(), name: z.string().optional() })
    .optional(),
};

const StatusUpdateSchema = z.strictObject({
  type: z.literal('status-update'),
  ...common,
  status: CallStatusSchema,
  phoneCallStatus: PhoneCallStatusSchema.optional(),
});

const ConversationUpdateSchema = z.strictObject({
  type: z.literal('conversation-update'),
  ...common,
  messageId: z.string().describe('The message that was completed.'),
});

const HangSchema = z.strictObject({
  type: z.literal('hang'),
  ...common,
  turn: z.int().describe('Number of the turn whose reply is due.'),
});

const ErrorMessageSchema = z.strictObject({
  type: z.literal('error'),
  ...common,
  error: z.strictObject({
    type: z.enum(FAILING_PARTS).describe('The part of the call that failed.'),
    code: z.enum(Object.keys(FAILURES) as FailureCode[]),
    message: z.string().describe('One sentence for the owner of the assistant.'),
    provider: z.string().describe('The vendor or the tool; empty where there is none.'),
    retryable: z.boolean(),
    cause: z
      .strictObject({ code: z.string(), message: z.string(), provider: z.string().optional() })
      .optional()
      .describe('What the vendor, carrier or tool said.'),
  }),
});

const EndOfCallReportSchema = z.strictObject({
  type: z.literal('end-of-call-report'),
  ...common,
  endReason: z.string(),
  durationMs: z.int().describe('From answer to end; 0 if the call was never answered.'),
  analysis: CallAnalysisSchema.optional(),
});

/** The webhooks to the server of an assistant, by kind. */
export const webhookMessages = {
  'status-update': {
    summary: "A call's status has changed",
    schema: StatusUpdateSchema.meta({ title: 'StatusUpdateMessage' }),
  },
  'conversation-update': {
    summary: 'A message of the conversation is complete',
    schema: ConversationUpdateSchema.meta({ title: 'ConversationUpdateMessage' }),
  },
  hang: {
    summary: 'A reply has been due for five seconds',
    schema: HangSchema.meta({ title: 'HangMessage' }),
  },
  'end-of-call-report': {
    summary: 'A call is over and analysed; exactly one for each call',
    schema: EndOfCallReportSchema.meta({ title: 'EndOfCallReportMessage' }),
  },
  error: {
    summary: 'Something failed during a call',
    schema: ErrorMessageSchema.meta({ title: 'ErrorMessage' }),
  },
} as const satisfies Record<WebhookKind, { summary: string; schema: z.ZodObject }>;

/** The fields of a webhook of this kind, in addition to the common ones. */
export type WebhookDetails<Kind extends WebhookKind> = Omit<
  z.output<(typeof webhookMessages)[Kind]['schema']>,
  keyof typeof common | 'type'
>;

/** A kind of webhook with its own fields. */
export type WebhookContent<Kind extends WebhookKind = WebhookKind> = {
  readonly [Own in Kind]: { readonly kind: Own; readonly details: WebhookDetails<Own> };
}[Kind];

/** A webhook without its assistant, which does not change during a call and is stored once. */
export interface WebhookRecord {
  readonly type: WebhookKind;
  readonly timestamp: number;
  readonly call: z.output<typeof CallSummarySchema>;
  readonly messages: readonly z.output<typeof CallMessageSchema>[];
  readonly [detail: string]: unknown;
}
