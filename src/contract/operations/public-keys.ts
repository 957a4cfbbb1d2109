import { z } from 'zod';
import { IdSchema } from '../atoms.ts';
import { operation } from '../operation.ts';
import {
  PUBLIC_REFUSALS,
  PublicCallConfigSchema,
  PublicCallSchema,
  PublicKeyConfigSchema,
  PublicKeyPatchSchema,
  PublicKeySchema,
} from '../public-key.ts';
import { IdParamsSchema, PageQuerySchema } from './parameters.ts';

const common = { role: 'admin', tag: 'Public keys' } as const;
const response = { status: 200, description: 'The key.', schema: PublicKeySchema } as const;

export const publicKeyOperations = {
  list: operation({
    ...common,
    id: 'listPublicKeys',
    method: 'GET',
    path: '/auth/v1/public-keys',
    summary: 'List the public keys of the team',
    query: PageQuerySchema,
    response: {
      status: 200,
      description: 'The keys, newest first.',
      schema: z.array(PublicKeySchema),
    },
    paged: true,
    errors: ['invalid'],
  }),
  create: operation({
    ...common,
    id: 'createPublicKey',
    method: 'POST',
    path: '/auth/v1/public-keys',
    summary: 'Create a public key',
    description:
      'It may stand in a web page: all it can do is to begin a web call with its assistant, from its sites and within its limits.',
    body: PublicKeyConfigSchema,
    response: { ...response, status: 201 },
    idempotent: true,
    errors: ['invalid', 'missing'],
  }),
  update: operation({
    ...common,
    id: 'updatePublicKey',
    method: 'PATCH',
    path: '/auth/v1/public-keys/{id}',
    summary: 'Change a public key',
    description: 'The change holds for calls that begin from then on.',
    params: IdParamsSchema,
    body: PublicKeyPatchSchema,
    response,
    errors: ['invalid', 'missing'],
  }),
  remove: operation({
    ...common,
    id: 'deletePublicKey',
    method: 'DELETE',
    path: '/auth/v1/public-keys/{id}',
    summary: 'Delete a public key',
    description: 'No call begins with it from then on; live calls go on.',
    params: IdParamsSchema,
    response: { status: 200, description: 'Deleted.', schema: z.strictObject({ id: IdSchema }) },
    errors: ['missing'],
  }),
} as const;

/** What pages of other sites may do. */
export const publicCallOperations = {
  connect: operation({
    id: 'startPublicCall',
    role: 'anyone',
    method: 'POST',
    path: '/public/v1/calls',
    tag: 'Public keys',
    summary: 'Start a web call with a public key',
    description: `For pages of any site (CORS): the browser’s header \`Origin\` says of which. What a visitor is refused for stands in \`error\`: ${Object.keys(
      PUBLIC_REFUSALS,
    )
      .map((code) => `\`${code}\``)
      .join(', ')}.`,
    body: PublicCallConfigSchema,
    response: { status: 201, description: 'The call.', schema: PublicCallSchema },
    errors: ['invalid', 'missing'],
  }),
} as const;
