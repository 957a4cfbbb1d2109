import { z } from 'zod';
import { CallSummarySchema, ExportedCallSchema } from '../call.ts';
import {
  CallMarksSchema,
  CallNeighboursSchema,
  CallNoteInputSchema,
  CallNoteSchema,
  MAX_EXPORTED_CALLS,
  MAX_NOTES,
} from '../call-review.ts';
import { operation } from '../operation.ts';
import { callMatch, callOrder } from './call-query.ts';
import { IdParamsSchema } from './parameters.ts';

const tag = 'Calls';
const path = '/calls/v1/conversations';

/** What people do with finished calls. */
export const callReviewOperations = {
  export: operation({
    id: 'exportCalls',
    role: 'reviewer',
    method: 'GET',
    path: `${path}/export`,
    tag,
    summary: 'Export the calls that match',
    description: `Newest first, with the notes; at most ${MAX_EXPORTED_CALLS} calls. In CSV, text that a program for tables would run begins with an apostrophe.`,
    query: z.strictObject({ ...callMatch, format: z.enum(['csv', 'json']).default('csv') }),
    response: {
      status: 200,
      description: 'The calls, as CSV or as JSON.',
      schema: z.array(ExportedCallSchema),
      contentTypes: ['text/csv'],
    },
    errors: ['invalid'],
  }),
  neighbours: operation({
    id: 'getCallNeighbours',
    role: 'reviewer',
    method: 'GET',
    path: `${path}/{id}/neighbours`,
    tag,
    summary: 'Get the calls before and after a call in a list',
    description:
      'The list is that of `listCalls` with the same query; the call itself need not match it.',
    params: IdParamsSchema,
    query: z.strictObject({ ...callMatch, ...callOrder }),
    response: { status: 200, description: 'The neighbours.', schema: CallNeighboursSchema },
    errors: ['invalid', 'missing'],
  }),
  mark: operation({
    id: 'markCall',
    role: 'reviewer',
    method: 'PATCH',
    path: `${path}/{id}`,
    tag,
    summary: 'Mark a call as reviewed, or tag it',
    description: 'Only these two can be changed; fields that are absent stay.',
    params: IdParamsSchema,
    body: CallMarksSchema,
    response: { status: 200, description: 'The call.', schema: CallSummarySchema },
    errors: ['invalid', 'missing'],
  }),
  addNote: operation({
    id: 'addCallNote',
    role: 'reviewer',
    method: 'POST',
    path: `${path}/{id}/notes`,
    tag,
    summary: 'Write a note about a call',
    description: `A call has at most ${MAX_NOTES}. Notes are deleted with their call.`,
    params: IdParamsSchema,
    body: CallNoteInputSchema,
    response: { status: 201, description: 'The note.', schema: CallNoteSchema },
    errors: ['invalid', 'missing', 'conflict'],
    idempotent: true,
  }),
  removeNote: operation({
    id: 'deleteCallNote',
    role: 'reviewer',
    method: 'DELETE',
    path: `${path}/{id}/notes/{noteId}`,
    tag,
    summary: 'Delete a note about a call',
    params: IdParamsSchema.extend({ noteId: z.string() }),
    response: { status: 200, description: 'The note.', schema: CallNoteSchema },
    errors: ['missing'],
  }),
} as const;
