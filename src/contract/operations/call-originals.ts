import { operation } from '../operation.ts';
import { IdParamsSchema } from './parameters.ts';

export const getCallOriginals = operation({
  id: 'getCallOriginals',
  role: 'admin',
  method: 'GET',
  path: '/calls/v1/conversations/{id}/originals',
  tag: 'Calls',
  summary: "Get the call's event log as it was before redaction",
  description:
    'The lines of `getCallEvents` with what was taken out of them. Missing unless `redaction.originals` of the assistant was `sealed` when the call began.',
  params: IdParamsSchema,
  response: {
    status: 200,
    description: 'The log.',
    contentTypes: ['application/x-ndjson'],
  },
  errors: ['missing'],
});
