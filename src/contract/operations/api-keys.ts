import { z } from 'zod';
import {
  ApiKeyConfigSchema,
  ApiKeyPatchSchema,
  ApiKeySchema,
  NewApiKeySchema,
  WhoSchema,
} from '../api-key.ts';
import { IdSchema } from '../atoms.ts';
import { operation } from '../operation.ts';
import { IdParamsSchema, PageQuerySchema, searchQuery } from './parameters.ts';

const tag = 'API keys';

export const apiKeyOperations = {
  list: operation({
    id: 'listApiKeys',
    role: 'admin',
    method: 'GET',
    path: '/auth/v1/api-keys',
    tag,
    summary: 'List the API keys of the team',
    query: PageQuerySchema.extend({ search: searchQuery('name, prefix, role') }),
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
    role: 'admin',
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
  who: operation({
    id: 'getWho',
    role: 'viewer',
    method: 'GET',
    path: '/auth/v1/me',
    tag,
    summary: 'Get who sends the request',
    description: 'The team and the role of the credential.',
    response: { status: 200, description: 'The sender.', schema: WhoSchema },
    errors: [],
  }),
  update: operation({
    id: 'updateApiKey',
    role: 'admin',
    method: 'PATCH',
    path: '/auth/v1/api-keys/{id}',
    tag,
    summary: 'Change an API key',
    description:
      'A new role holds from the next request on. The last key that may administer the team and does not expire keeps its role.',
    params: IdParamsSchema,
    body: ApiKeyPatchSchema,
    response: { status: 200, description: 'The key.', schema: ApiKeySchema },
    errors: ['invalid', 'missing', 'conflict'],
  }),
  remove: operation({
    id: 'revokeApiKey',
    role: 'admin',
    method: 'DELETE',
    path: '/auth/v1/api-keys/{id}',
    tag,
    summary: 'Revoke an API key',
    description:
      'It is rejected from then on, even if it authenticated this request. The last key that may administer the team and does not expire is kept: make another first.',
    params: IdParamsSchema,
    response: {
      status: 200,
      description: 'Revoked.',
      schema: z.strictObject({ id: IdSchema }),
    },
    errors: ['missing', 'conflict'],
  }),
} as const;
