import { z } from 'zod';
import { CallSummarySchema } from './call.ts';
import { WebhookAssistantSchema } from './webhooks.ts';

const ToolCallSchema = z
  .strictObject({
    id: z.string().describe('Comes back as `toolCallId` in the answer.'),
    name: z.string(),
    parameters: z
      .record(z.string(), z.unknown())
      .describe('What the model gives, checked against `function.parameters`.'),
  })
  .meta({ title: 'ToolCall' });

const TrialCallSchema = z
  .strictObject({ id: z.string(), teamId: z.string(), test: z.literal(true) })
  .describe('Replaces the call in a test of the tool.')
  .meta({ title: 'TrialCall' });

/** The request to a tool's server. */
export const ToolRequestSchema = z
  .strictObject({
    message: z.strictObject({
      type: z.literal('tool-calls'),
      timestamp: z.int().describe('Unix time in milliseconds.'),
      call: z.union([CallSummarySchema, TrialCallSchema]),
      assistant: WebhookAssistantSchema,
      toolCallList: z.array(ToolCallSchema).min(1).describe('One call; a list for later versions.'),
    }),
  })
  .meta({ title: 'ToolRequest' });

const outcome = {
  toolCallId: z.string().optional().describe('Optional if there is only one result.'),
  message: z
    .string()
    .max(5000)
    .optional()
    .describe('Spoken as it is, instead of asking the model.'),
};

/** The response of a tool's server; any other JSON or text counts as the result of the call. */
export const ToolResultsSchema = z
  .strictObject({
    results: z.array(
      z.union([
        z.strictObject({ ...outcome, result: z.unknown().describe('Given to the model.') }),
        z.strictObject({
          ...outcome,
          error: z.unknown().describe('Passed to the model as the error.'),
        }),
      ]),
    ),
  })
  .meta({ title: 'ToolResults' });

const CALL_ID = 'WC-01a20371-36a6-7459-8989-0dcd61558edf';

const request = {
  message: {
    type: 'tool-calls',
    timestamp: 1_800_000_000_000,
    call: {
      id: CALL_ID,
      teamId: '01a20371-36a2-72f4-b420-3b6f1b7fc682',
      callType: 'web',
      direction: 'inbound',
      startAt: '2027-01-15T07:59:30.000Z',
      status: 'ongoing',
      monitor: {
        controlUrl: `https://parley.example/calls/v1/conversations/${CALL_ID}/control`,
      },
      metadata: {},
      metrics: [],
      usage: [],
    },
    assistant: { name: 'Front desk' },
    toolCallList: [{ id: 'call_7', name: 'book', parameters: { day: '2027-03-01' } }],
  },
} as const satisfies z.output<typeof ToolRequestSchema>;

/** An example request; the signature is that of exactly these bytes with the secret. */
export const TOOL_EXAMPLE = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  request,
  headers: {
    'idempotency-key': `${CALL_ID}:call_7`,
    'webhook-id': `${CALL_ID}:call_7`,
    'webhook-timestamp': '1800000000',
    'webhook-signature': 'v1,+IWqjPues438tvHWrqcdoX/Y8R5C0iI3AvcRjER2ALM=',
    'X-Webhook-Secret': 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  },
  answers: {
    result: { results: [{ toolCallId: 'call_7', result: { status: 'booked', at: '09:30' } }] },
    spoken: {
      results: [
        { toolCallId: 'call_7', result: 'booked', message: 'You are booked for half past nine.' },
      ],
    },
    failed: { results: [{ toolCallId: 'call_7', error: 'That day is full.' }] },
  },
} as const;
