import { z } from 'zod';
import { operation } from '../operation.ts';
import {
  CallerDataSchema,
  DeletedCallSchema,
  HoldInputSchema,
  NumberHoldSchema,
  NumberParamsSchema,
  RetentionDaysSchema,
  RetentionSchema,
} from '../privacy.ts';
import { PageQuerySchema } from './parameters.ts';

const tag = 'Privacy';
const path = '/privacy/v1';
const retention = { status: 200, description: 'The rules.', schema: RetentionSchema } as const;
const hold = { status: 200, description: 'The hold.', schema: NumberHoldSchema } as const;
const caller = { status: 200, description: 'The report.', schema: CallerDataSchema } as const;

export const privacyOperations = {
  retention: operation({
    id: 'getRetention',
    role: 'reviewer',
    method: 'GET',
    path: `${path}/retention`,
    tag,
    summary: 'Get for how long calls are kept',
    response: retention,
    errors: [],
  }),
  setRetention: operation({
    id: 'setRetention',
    role: 'admin',
    method: 'PUT',
    path: `${path}/retention`,
    tag,
    summary: 'Set for how long calls are kept',
    description:
      'Holds for calls that there are, too: within the hour what is older is deleted. An assistant can have a shorter rule (`retentionDays`).',
    body: RetentionDaysSchema.meta({ title: 'RetentionInput' }),
    response: retention,
    errors: ['invalid'],
  }),
  deletions: operation({
    id: 'listDeletedCalls',
    role: 'admin',
    method: 'GET',
    path: `${path}/deleted-calls`,
    tag,
    summary: 'List the ids of deleted calls, and whether their files are removed',
    query: PageQuerySchema,
    response: {
      status: 200,
      description: 'The deleted calls, the highest id first.',
      schema: z.array(DeletedCallSchema),
    },
    errors: ['invalid'],
    paged: true,
  }),
  caller: operation({
    id: 'findCallerData',
    role: 'admin',
    method: 'GET',
    path: `${path}/callers/{number}`,
    tag,
    summary: 'Find everything kept about a caller, by number',
    description: 'Changes nothing: this is the dry run of `deleteCallerData`.',
    params: NumberParamsSchema,
    response: caller,
    errors: ['invalid', 'missing'],
  }),
  deleteCaller: operation({
    id: 'deleteCallerData',
    role: 'admin',
    method: 'DELETE',
    path: `${path}/callers/{number}`,
    tag,
    summary: 'Delete everything kept about a caller, by number',
    description:
      'Ended calls, texts, appointments, entries of wait lists and sign-ins of emulated telephones. Live calls, what is held, and the wish to get no more texts or calls stay; the report names them. Repeating it deletes what has come since.',
    params: NumberParamsSchema,
    response: caller,
    errors: ['invalid', 'missing'],
  }),
  holds: operation({
    id: 'listNumberHolds',
    role: 'reviewer',
    method: 'GET',
    path: `${path}/holds`,
    tag,
    summary: 'List the numbers whose data must not be deleted',
    response: {
      status: 200,
      description: 'The holds, by number.',
      schema: z.array(NumberHoldSchema),
    },
    errors: [],
  }),
  hold: operation({
    id: 'holdNumber',
    role: 'admin',
    method: 'PUT',
    path: `${path}/holds/{number}`,
    tag,
    summary: 'Keep everything about a caller, for legal reasons',
    description:
      'No rule and no request deletes calls and texts with the number until the hold is released.',
    params: NumberParamsSchema,
    body: HoldInputSchema,
    response: hold,
    errors: ['invalid', 'missing'],
  }),
  release: operation({
    id: 'releaseNumber',
    role: 'admin',
    method: 'DELETE',
    path: `${path}/holds/{number}`,
    tag,
    summary: 'Release the hold of a number',
    params: NumberParamsSchema,
    response: hold,
    errors: ['invalid', 'missing'],
  }),
} as const;
