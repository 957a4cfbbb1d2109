import { z } from 'zod';
import {
  CallMessageSchema,
  CallPageSchema,
  CallSchema,
  CallStatusSchema,
  ConnectedCallSchema,
} from '../call.ts';
import { connectSchema } from '../connect.ts';
import { ControlledSchema, ControlSchema } from '../control.ts';
import { operation } from '../operation.ts';
import type { VendorCatalogue } from '../vendors.ts';
import { IdParamsSchema, queryInteger } from './parameters.ts';

const tag = 'Calls';
const path = '/calls/v1/conversations';

/** An instant in a query; a date alone stands for the one of its instants that is given. */
const instant = (timeOfDay: string) =>
  z
    .union([z.iso.datetime({ offset: true }), z.iso.date()], {
      error: 'must be a date or a date-time',
    })
    .transform((value) => (value.includes('T') ? value : `${value}T${timeOfDay}`));

const CallQuerySchema = z.strictObject({
  startDate: instant('00:00:00.000Z')
    .optional()
    .describe('Calls that started at or after this instant, or on or after this day.'),
  endDate: instant('23:59:59.999Z')
    .optional()
    .describe('Calls that started at or before this instant, or on or before this day.'),
  page: queryInteger(1, 1_000_000).default(1),
  size: queryInteger(1, 1000).default(10),
  sort: z.enum(['startAt', 'endAt', 'status', 'conversationId']).default('startAt'),
  order: z.enum(['asc', 'desc']).default('desc'),
  status: CallStatusSchema.optional(),
  assistantId: z.string().max(500).optional(),
  userNumber: z.string().max(500).optional(),
});

const TranscriptSchema = z
  .strictObject({
    id: CallSchema.shape.id,
    messages: z.array(CallMessageSchema),
  })
  .meta({ title: 'Transcript' });

export function callOperations(vendors: VendorCatalogue) {
  return {
    connect: operation({
      id: 'connectCall',
      method: 'POST',
      path: `${path}/connect`,
      tag,
      summary: 'Start a call',
      description:
        'Without `phoneNumberId` it is a web call: the answer holds the address of its media socket. The assistant is the inline one, else `assistantId`, else the one attached to the number; `assistantOverrides` lie on top.',
      body: connectSchema(vendors),
      response: { status: 201, description: 'The call.', schema: ConnectedCallSchema },
      idempotent: true,
      errors: ['invalid', 'missing', 'conflict', 'vendor'],
    }),
    list: operation({
      id: 'listCalls',
      method: 'GET',
      path,
      tag,
      summary: 'List the calls, a page at a time',
      query: CallQuerySchema,
      response: { status: 200, description: 'The page.', schema: CallPageSchema },
      errors: ['invalid'],
    }),
    get: operation({
      id: 'getCall',
      method: 'GET',
      path: `${path}/{id}`,
      tag,
      summary: 'Get a call with its messages',
      params: IdParamsSchema,
      response: { status: 200, description: 'The call.', schema: CallSchema },
      conditional: true,
      errors: ['missing'],
    }),
    control: operation({
      id: 'controlCall',
      method: 'POST',
      path: `${path}/{id}/control`,
      tag,
      summary: 'Steer a live call',
      description: 'Transfers, tones and texts need a phone call.',
      params: IdParamsSchema,
      body: ControlSchema,
      response: { status: 200, description: 'Done.', schema: ControlledSchema },
      errors: ['invalid', 'missing', 'not-live', 'vendor'],
    }),
    recording: operation({
      id: 'getCallRecording',
      method: 'GET',
      path: `${path}/{id}/recording`,
      tag,
      summary: 'Get the recording',
      description:
        'Two channels, the caller on the left. A `Range` is answered with 206. Missing until the call has ended.',
      params: IdParamsSchema,
      response: { status: 200, description: 'The audio.', contentTypes: ['audio/wav'] },
      errors: ['missing'],
    }),
    transcript: operation({
      id: 'getCallTranscript',
      method: 'GET',
      path: `${path}/{id}/transcript`,
      tag,
      summary: 'Get the transcript',
      description: 'As `format` says, else as the Accept header does, else JSON.',
      params: IdParamsSchema,
      query: z.strictObject({ format: z.enum(['json', 'text']).optional() }),
      response: {
        status: 200,
        description: 'The transcript.',
        schema: TranscriptSchema,
        contentTypes: ['text/plain'],
      },
      errors: ['invalid', 'missing'],
    }),
    events: operation({
      id: 'getCallEvents',
      method: 'GET',
      path: `${path}/{id}/events`,
      tag,
      summary: "Get the call's event log",
      description:
        'One JSON object a line, in order: `seq`, `at` (milliseconds since the call was created), `kind` (`event`, `command` or `note`), `type` and `data`.',
      params: IdParamsSchema,
      response: {
        status: 200,
        description: 'The log.',
        contentTypes: ['application/x-ndjson'],
      },
      errors: ['missing'],
    }),
  } as const;
}
