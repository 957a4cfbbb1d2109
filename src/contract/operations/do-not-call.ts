import { z } from 'zod';
import {
  DoNotCallImportedSchema,
  DoNotCallImportSchema,
  DoNotCallInputSchema,
  DoNotCallSchema,
} from '../do-not-call.ts';
import { operation } from '../operation.ts';
import { NumberParamsSchema } from '../privacy.ts';
import { PageQuerySchema } from './parameters.ts';

const tag = 'Privacy';
const path = '/privacy/v1/do-not-call';

export const doNotCallOperations = {
  list: operation({
    id: 'listDoNotCall',
    role: 'reviewer',
    method: 'GET',
    path,
    tag,
    summary: 'List the numbers that are not called',
    query: PageQuerySchema,
    response: {
      status: 200,
      description: 'The numbers, in descending order.',
      schema: z.array(DoNotCallSchema),
    },
    errors: ['invalid'],
    paged: true,
  }),
  add: operation({
    id: 'addDoNotCall',
    role: 'builder',
    method: 'POST',
    path,
    tag,
    summary: 'Add a number that is not called',
    description: 'A number that is on the list keeps its date and gets the note.',
    body: DoNotCallInputSchema,
    response: { status: 201, description: 'The entry.', schema: DoNotCallSchema },
    errors: ['invalid'],
    idempotent: true,
  }),
  import: operation({
    id: 'importDoNotCall',
    role: 'builder',
    method: 'POST',
    path: `${path}/import`,
    tag,
    summary: 'Add the numbers of a CSV list',
    body: DoNotCallImportSchema,
    response: { status: 200, description: 'What was added.', schema: DoNotCallImportedSchema },
    errors: ['invalid'],
  }),
  remove: operation({
    id: 'removeDoNotCall',
    role: 'admin',
    method: 'DELETE',
    path: `${path}/{number}`,
    tag,
    summary: 'Allow a number to be called again',
    params: NumberParamsSchema,
    response: { status: 200, description: 'The removed entry.', schema: DoNotCallSchema },
    errors: ['invalid', 'missing'],
  }),
} as const;
