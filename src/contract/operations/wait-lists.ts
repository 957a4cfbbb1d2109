import { z } from 'zod';
import { IdSchema } from '../atoms.ts';
import { mergePatchSchema } from '../merge-patch.ts';
import { operation } from '../operation.ts';
import {
  WaitListConfigSchema,
  WaitListEditableSchema,
  WaitListEntryInputSchema,
  WaitListEntrySchema,
  WaitListSchema,
} from '../wait-list.ts';
import { IdParamsSchema, PageQuerySchema } from './parameters.ts';

const tag = 'Wait lists';
const path = '/assistants/v1/wait-lists';
const list = { status: 200, description: 'The wait list.', schema: WaitListSchema } as const;
const entry = { status: 200, description: 'The entry.', schema: WaitListEntrySchema } as const;

export const waitListOperations = {
  list: operation({
    id: 'listWaitLists',
    method: 'GET',
    path,
    tag,
    summary: 'List the wait lists',
    query: PageQuerySchema,
    response: {
      status: 200,
      description: 'The wait lists, newest first.',
      schema: z.array(WaitListSchema),
    },
    errors: ['invalid'],
    paged: true,
  }),
  create: operation({
    id: 'createWaitList',
    method: 'POST',
    path,
    tag,
    summary: 'Create a wait list',
    description: 'Assistants with the predefined tool `waitList` put callers on it.',
    body: WaitListConfigSchema,
    response: { ...list, status: 201 },
    errors: ['invalid'],
    idempotent: true,
  }),
  get: operation({
    id: 'getWaitList',
    method: 'GET',
    path: `${path}/{id}`,
    tag,
    summary: 'Get a wait list',
    params: IdParamsSchema,
    response: list,
    errors: ['missing'],
    conditional: true,
  }),
  patch: operation({
    id: 'updateWaitList',
    method: 'PATCH',
    path: `${path}/{id}`,
    tag,
    summary: 'Update a wait list',
    description: 'JSON Merge Patch (RFC 7396). Waiting entries keep their places.',
    params: IdParamsSchema,
    body: mergePatchSchema(WaitListEditableSchema).meta({ title: 'WaitListPatch' }),
    response: list,
    errors: ['invalid', 'missing', 'conflict'],
    conditional: true,
  }),
  remove: operation({
    id: 'deleteWaitList',
    method: 'DELETE',
    path: `${path}/{id}`,
    tag,
    summary: 'Delete a wait list',
    description: 'Its entries are deleted as well.',
    params: IdParamsSchema,
    response: { status: 200, description: 'Deleted.', schema: z.strictObject({ id: IdSchema }) },
    errors: ['missing'],
  }),
  entries: operation({
    id: 'listWaitListEntries',
    method: 'GET',
    path: `${path}/{id}/entries`,
    tag,
    summary: 'List the waiting entries',
    params: IdParamsSchema,
    response: {
      status: 200,
      description: 'The waiting entries, next one first; at most 1000.',
      schema: z.array(WaitListEntrySchema),
    },
    errors: ['missing'],
  }),
  add: operation({
    id: 'addWaitListEntry',
    method: 'POST',
    path: `${path}/{id}/entries`,
    tag,
    summary: 'Add an entry to a wait list',
    description: 'An entry that waits already with the same name and number keeps its place.',
    params: IdParamsSchema,
    body: WaitListEntryInputSchema,
    response: { ...entry, status: 201 },
    errors: ['invalid', 'missing', 'conflict'],
    idempotent: true,
  }),
  takeNext: operation({
    id: 'takeNextWaitListEntry',
    method: 'POST',
    path: `${path}/{id}/take-next`,
    tag,
    summary: 'Take the next entry',
    description: 'Concurrent requests get different entries. 404 if nobody waits.',
    params: IdParamsSchema,
    response: entry,
    errors: ['missing'],
    idempotent: true,
  }),
  leave: operation({
    id: 'removeWaitListEntry',
    method: 'DELETE',
    path: `${path}/{id}/entries/{entryId}`,
    tag,
    summary: 'Remove an entry from a wait list',
    params: IdParamsSchema.extend({ entryId: z.string() }),
    response: entry,
    errors: ['missing'],
  }),
} as const;
