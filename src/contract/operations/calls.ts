import { z } from 'zod';
import { DateTimeSchema, E164Schema, IdSchema } from '../atoms.ts';
import {
  CallDirectionSchema,
  CallMessageSchema,
  CallPageSchema,
  CallSchema,
  CallSummarySchema,
  CallTypeSchema,
  ConnectedCallSchema,
} from '../call.ts';
import { connectSchema } from '../connect.ts';
import { ControlledSchema, ControlSchema } from '../control.ts';
import { operation } from '../operation.ts';
import { DeletedCallSchema, DeletedCallsSchema, HoldInputSchema } from '../privacy.ts';
import type { VendorCatalogue } from '../vendors.ts';
import { getCallOriginals } from './call-originals.ts';
import { callMatch, callOrder } from './call-query.ts';
import { callReviewOperations } from './call-reviews.ts';
import { DownloadQuerySchema, IdParamsSchema, instant, queryInteger } from './parameters.ts';

const tag = 'Calls';
const path = '/calls/v1/conversations';

const CallQuerySchema = z.strictObject({
  ...callMatch,
  ...callOrder,
  page: queryInteger(1, 1_000_000).default(1),
  size: queryInteger(1, 1000).default(10),
});

const TranscriptSchema = z
  .strictObject({
    id: CallSchema.shape.id,
    messages: z.array(CallMessageSchema),
  })
  .meta({ title: 'Transcript' });

const ListenFormatSchema = z
  .strictObject({
    callId: IdSchema,
    encoding: z.literal('pcm_s16le'),
    channels: z.literal(2),
  })
  .meta({ title: 'ListenFormat' });

const ListenAddressSchema = z
  .strictObject({
    url: z.string().describe('The WebSocket, token included.'),
    token: z.string().describe('Single use, short lived.'),
    expiresAt: DateTimeSchema,
  })
  .meta({ title: 'ListenAddress' });

/** Selects calls to delete. */
const CallFilterSchema = z
  .strictObject({
    startDate: instant('00:00:00.000Z').optional(),
    endDate: instant('23:59:59.999Z').optional(),
    assistantId: z.string().max(500).optional(),
    userNumber: E164Schema.optional(),
    callType: CallTypeSchema.optional(),
    direction: CallDirectionSchema.optional(),
    ids: z.array(IdSchema).min(1).max(1000).optional(),
    dryRun: z.boolean().default(false).describe('Only counts.'),
  })
  .refine((filter) => Object.keys(filter).length > 1, {
    error: 'must name which calls',
  })
  .meta({ title: 'CallFilter' });

const LISTEN_DESCRIPTION = [
  'Read-only: whatever a listener sends ends its connection (1003). It begins with the text frame',
  '`{"type":"format","callId","encoding":"pcm_s16le","channels":2,"sampleRate"}`. Then come binary frames of',
  'interleaved 16-bit little-endian PCM, the caller left and the assistant right, some 300 ms behind the call, and',
  'text frames `{"type":"event","event":{"seq","at","kind","type","data"}}` with the lines of the event log as they',
  'are written. `{"type":"ended","reason"}` and a close (1000) end it. A listener that does not read is dropped',
  '(1013) and never slows the call; no more than ten may listen at once (1013).',
].join(' ');

const TAKE_OVER_DESCRIPTION = [
  'The address is that of a WebSocket and works once, for a short while. Send `{"type":"start","sampleRate":16000}`,',
  'then mono 16-bit little-endian PCM; binary frames of the caller come back. `{"type":"taken-over"}` says that the caller',
  'hears you; the assistant is silent from then on, until you send `{"type":"hangup"}` or the socket closes.',
  '`{"type":"ended","reason"}` is the last frame. The call’s event log says who spoke and when.',
].join(' ');

const NOT_DIALLED = ['vendor', 'over-limit', 'not-callable'] as const;
export function callOperations(vendors: VendorCatalogue) {
  return {
    connect: operation({
      id: 'connectCall',
      role: 'builder',
      method: 'POST',
      path: `${path}/connect`,
      tag,
      summary: 'Start a call',
      description:
        'Without `phoneNumberId` it is a web call, and the response has the URL of its media socket. The assistant is the inline one, else `assistantId`, else the one attached to the number; `assistantOverrides` are applied to it.',
      body: connectSchema(vendors),
      response: { status: 201, description: 'The call.', schema: ConnectedCallSchema },
      idempotent: true,
      errors: ['invalid', 'missing', 'conflict', 'untested', ...NOT_DIALLED],
    }),
    list: operation({
      id: 'listCalls',
      role: 'reviewer',
      method: 'GET',
      path,
      tag,
      summary: 'List the calls, page by page',
      query: CallQuerySchema,
      response: { status: 200, description: 'The page.', schema: CallPageSchema },
      errors: ['invalid'],
    }),
    ...callReviewOperations,
    get: operation({
      id: 'getCall',
      role: 'reviewer',
      method: 'GET',
      path: `${path}/{id}`,
      tag,
      summary: 'Get a call with its messages',
      params: IdParamsSchema,
      response: { status: 200, description: 'The call.', schema: CallSchema },
      conditional: true,
      errors: ['missing'],
    }),
    remove: operation({
      id: 'deleteCall',
      role: 'admin',
      method: 'DELETE',
      path: `${path}/{id}`,
      tag,
      summary: 'Delete a call with everything kept about it',
      description:
        'Its record, sound, transcript, events, texts, webhooks and what later calls were told of it. A live call is refused unless `end` is true; a call on hold is refused. Repeating it answers the same.',
      params: IdParamsSchema,
      query: z.strictObject({
        end: z
          .enum(['true', 'false'])
          .default('false')
          .describe('`true`: ends the call first, if it is live.'),
      }),
      response: { status: 200, description: 'The deletion.', schema: DeletedCallSchema },
      errors: ['invalid', 'missing', 'conflict', 'not-live'],
    }),
    removeMany: operation({
      id: 'deleteCalls',
      role: 'admin',
      method: 'POST',
      path: `${path}/delete`,
      tag,
      summary: 'Delete the ended calls that match a filter',
      description:
        'At least one field of the filter is needed. One request deletes at most 1000; repeat it until none is `remaining`.',
      body: CallFilterSchema,
      response: { status: 200, description: 'How many.', schema: DeletedCallsSchema },
      errors: ['invalid'],
    }),
    hold: operation({
      id: 'holdCall',
      role: 'admin',
      method: 'PUT',
      path: `${path}/{id}/hold`,
      tag,
      summary: 'Keep a call, for legal reasons',
      description: 'No rule and no request deletes it until the hold is released.',
      params: IdParamsSchema,
      body: HoldInputSchema,
      response: { status: 200, description: 'The call.', schema: CallSummarySchema },
      errors: ['invalid', 'missing'],
    }),
    release: operation({
      id: 'releaseCall',
      role: 'admin',
      method: 'DELETE',
      path: `${path}/{id}/hold`,
      tag,
      summary: 'Release the hold of a call',
      params: IdParamsSchema,
      response: { status: 200, description: 'The call.', schema: CallSummarySchema },
      errors: ['missing'],
    }),
    control: operation({
      id: 'controlCall',
      role: 'builder',
      method: 'POST',
      path: `${path}/{id}/control`,
      tag,
      summary: 'Control a live call',
      description:
        'DTMF and text messages need a phone call; a transfer needs a number to dial from.',
      params: IdParamsSchema,
      body: ControlSchema,
      response: { status: 200, description: 'Done.', schema: ControlledSchema },
      errors: ['invalid', 'missing', 'not-live', 'vendor'],
    }),
    recording: operation({
      id: 'getCallRecording',
      role: 'reviewer',
      method: 'GET',
      path: `${path}/{id}/recording`,
      tag,
      summary: 'Get the recording',
      description:
        'Two channels, the caller on the left. A `Range` is answered with 206. Missing until the call has ended. With `redirect=true`, a recording that another server keeps in the clear is answered with 302 and an address there that is valid for five minutes.',
      params: IdParamsSchema,
      query: DownloadQuerySchema,
      response: { status: 200, description: 'The audio.', contentTypes: ['audio/wav'] },
      errors: ['invalid', 'missing'],
    }),
    transcript: operation({
      id: 'getCallTranscript',
      role: 'reviewer',
      method: 'GET',
      path: `${path}/{id}/transcript`,
      tag,
      summary: 'Get the transcript',
      description: 'In the given `format`, else by the Accept header, else JSON.',
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
    listen: operation({
      id: 'listenToCall',
      role: 'reviewer',
      method: 'GET',
      path: `${path}/{id}/listen`,
      tag,
      summary: 'Listen to a live call, over a WebSocket',
      description: LISTEN_DESCRIPTION,
      params: IdParamsSchema,
      query: z.strictObject({
        token: z
          .string()
          .max(200)
          .optional()
          .describe('Of `createListenToken`, for clients that cannot set headers.'),
      }),
      response: {
        status: 200,
        description:
          'Without an upgrade: the call can be listened to; the body describes the format.',
        schema: ListenFormatSchema,
      },
      upgrades: true,
      errors: ['invalid', 'missing', 'not-live'],
    }),
    listenToken: operation({
      id: 'createListenToken',
      role: 'reviewer',
      method: 'POST',
      path: `${path}/{id}/listen`,
      tag,
      summary: 'Get a URL for listening to a live call',
      description:
        'For browsers, which cannot send the credential with a WebSocket: the address holds a token that works once, for a short while, for this call alone.',
      params: IdParamsSchema,
      response: { status: 201, description: 'The URL.', schema: ListenAddressSchema },
      errors: ['missing', 'not-live'],
    }),
    takeOver: operation({
      id: 'takeOverCall',
      role: 'builder',
      method: 'POST',
      path: `${path}/{id}/take-over`,
      tag,
      summary: 'Get a URL for speaking with the caller of a live call',
      description: TAKE_OVER_DESCRIPTION,
      params: IdParamsSchema,
      response: { status: 201, description: 'The URL.', schema: ListenAddressSchema },
      errors: ['missing', 'not-live'],
    }),
    originals: getCallOriginals,
    events: operation({
      id: 'getCallEvents',
      role: 'reviewer',
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
