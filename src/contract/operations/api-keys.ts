import { z } from 'zod';
import { ApiKeyConfigSchema, ApiKeySchema, NewApiKeySchema } from '../api-key.ts';
import { IdSchema } from '../atoms.ts';
import { operation } from '../operation.ts';
import { IdParamsSchema, PageQuerySchema } from './parameters.ts';

const tag = 'API keys';

export const apiKeyOperations = {
  list: operation({
    id: 'listApiKeys',
    method: 'GET',
    path: '/auth/v1/api-keys',
    tag,
    summary: 'List the API keys of the team',
    query: PageQuerySchema,
    response: {
      status: 200,
      description: 'The keys, newest first.',
      schema: z.array(ApiKeySchema),
    },
    paged: true,
    errors: ['invalid'],
  }),
  create: operation({
    id: 'createApiKey',
    method: 'POST',
    path: '/auth/v1/api-keys',
    tag,
    summary: 'Create an API key',
    body: ApiKeyConfigSchema,
    response: {
      status: 201,
      description: 'The key, which is shown only once.',
      schema: NewApiKeySchema,
    },
    idempotent: true,
    errors: ['invalid'],
  }),
  remove: operation({
    id: 'revokeApiKey',
    method: 'DELETE',
    path: '/auth/v1/api-keys/{id}',
    tag,
    summary: 'Revoke an API key',
    description: 'It is rejected from then on, even if it authenticated this request.',
    params: IdParamsSchema,
    response: {
      status: 200,
      description: 'Revoked.',
      schema: z.strictObject({ id: IdSchema }),
    },
    errors: ['missing'],
  }),
} as const;
