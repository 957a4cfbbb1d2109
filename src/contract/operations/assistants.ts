import { z } from 'zod';
import { assistantConfigSchema, assistantSchema, savedAssistantSchema } from '../assistant.ts';
import { IdSchema } from '../atoms.ts';
import { mergePatchSchema } from '../merge-patch.ts';
import { operation } from '../operation.ts';
import type { VendorCatalogue } from '../vendors.ts';
import { IdParamsSchema, PageQuerySchema } from './parameters.ts';

const tag = 'Assistants';
const path = '/assistants/v1/assistants';

export function assistantOperations(vendors: VendorCatalogue) {
  const config = assistantConfigSchema(vendors);
  const assistant = assistantSchema(vendors);
  const saved = savedAssistantSchema(vendors);
  return {
    list: operation({
      id: 'listAssistants',
      role: 'viewer',
      method: 'GET',
      path,
      tag,
      summary: 'List the assistants',
      query: PageQuerySchema,
      response: {
        status: 200,
        description: 'The assistants, newest first.',
        schema: z.array(assistant),
      },
      paged: true,
      errors: ['invalid'],
    }),
    create: operation({
      id: 'createAssistant',
      role: 'builder',
      method: 'POST',
      path,
      tag,
      summary: 'Create an assistant',
      description: 'Only `name` is required; every other field has a default.',
      body: config,
      response: { status: 201, description: 'The assistant.', schema: saved },
      idempotent: true,
      errors: ['invalid'],
    }),
    get: operation({
      id: 'getAssistant',
      role: 'viewer',
      method: 'GET',
      path: `${path}/{id}`,
      tag,
      summary: 'Get an assistant',
      params: IdParamsSchema,
      response: { status: 200, description: 'The assistant.', schema: assistant },
      conditional: true,
      errors: ['missing'],
    }),
    patch: operation({
      id: 'updateAssistant',
      role: 'builder',
      method: 'PATCH',
      path: `${path}/{id}`,
      tag,
      summary: 'Update an assistant',
      description:
        'JSON Merge Patch (RFC 7396): objects merge, arrays and scalars replace, `null` gives a field its default back.',
      params: IdParamsSchema,
      body: mergePatchSchema(config).meta({ title: 'AssistantPatch' }),
      response: { status: 200, description: 'The updated assistant.', schema: saved },
      conditional: true,
      errors: ['invalid', 'missing', 'conflict'],
    }),
    remove: operation({
      id: 'deleteAssistant',
      role: 'builder',
      method: 'DELETE',
      path: `${path}/{id}`,
      tag,
      summary: 'Delete an assistant',
      description:
        'Rejected while a number is attached. Live calls continue with the configuration they started with.',
      params: IdParamsSchema,
      response: {
        status: 200,
        description: 'Deleted.',
        schema: z.strictObject({ id: IdSchema }),
      },
      errors: ['missing', 'conflict'],
    }),
  } as const;
}
