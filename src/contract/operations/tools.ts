import { z } from 'zod';
import { IdSchema } from '../atoms.ts';
import { mergePatchSchema } from '../merge-patch.ts';
import { operation } from '../operation.ts';
import {
  ToolConfigSchema,
  ToolEditableSchema,
  ToolSchema,
  ToolTestSchema,
  ToolTrialSchema,
} from '../tool.ts';
import { UsingAssistantsSchema } from '../uses.ts';
import { IdParamsSchema, IdsQuerySchema, PageQuerySchema, searchQuery } from './parameters.ts';

const tag = 'Tools';
const path = '/assistants/v1/tools';

export const toolOperations = {
  list: operation({
    id: 'listTools',
    role: 'viewer',
    method: 'GET',
    path,
    tag,
    summary: 'List the tools',
    query: PageQuerySchema.extend({
      search: searchQuery('name, description, address of the server'),
      ids: IdsQuerySchema.optional(),
    }),
    response: {
      status: 200,
      description: 'The tools, newest first.',
      schema: z.array(ToolSchema),
    },
    errors: ['invalid'],
    paged: true,
  }),
  uses: operation({
    id: 'getToolUses',
    role: 'viewer',
    method: 'GET',
    path: `${path}/uses`,
    tag,
    summary: 'Count the assistants that use each of some tools',
    query: z.strictObject({ ids: IdsQuerySchema }),
    response: {
      status: 200,
      description: 'One entry for each id, in the order given.',
      schema: z.array(UsingAssistantsSchema),
    },
    errors: ['invalid'],
  }),
  create: operation({
    id: 'createTool',
    role: 'builder',
    method: 'POST',
    path,
    tag,
    summary: 'Create a tool',
    body: ToolConfigSchema,
    response: { status: 201, description: 'The tool.', schema: ToolSchema },
    errors: ['invalid', 'conflict'],
    idempotent: true,
  }),
  get: operation({
    id: 'getTool',
    role: 'viewer',
    method: 'GET',
    path: `${path}/{id}`,
    tag,
    summary: 'Get a tool',
    params: IdParamsSchema,
    response: { status: 200, description: 'The tool.', schema: ToolSchema },
    errors: ['missing'],
    conditional: true,
  }),
  patch: operation({
    id: 'updateTool',
    role: 'builder',
    method: 'PATCH',
    path: `${path}/{id}`,
    tag,
    summary: 'Update a tool',
    description: 'JSON Merge Patch (RFC 7396) of any of the four fields.',
    params: IdParamsSchema,
    body: mergePatchSchema(ToolEditableSchema).meta({ title: 'ToolPatch' }),
    response: { status: 200, description: 'The updated tool.', schema: ToolSchema },
    errors: ['invalid', 'missing', 'conflict'],
    conditional: true,
  }),
  test: operation({
    id: 'testTool',
    role: 'builder',
    method: 'POST',
    path: `${path}/{id}/test`,
    tag,
    summary: 'Test a tool',
    description:
      "Sends one request to the tool's server as in a call, signed and with its headers, and returns the response. Its `call` has only `id`, `teamId` and `test: true`.",
    params: IdParamsSchema,
    body: ToolTestSchema,
    response: {
      status: 200,
      description: 'The outcome, successful or not.',
      schema: ToolTrialSchema,
    },
    errors: ['invalid', 'missing'],
  }),
  remove: operation({
    id: 'deleteTool',
    role: 'builder',
    method: 'DELETE',
    path: `${path}/{id}`,
    tag,
    summary: 'Delete a tool',
    description: 'Rejected while an assistant uses it.',
    params: IdParamsSchema,
    response: {
      status: 200,
      description: 'Deleted.',
      schema: z.strictObject({ id: IdSchema }),
    },
    errors: ['missing', 'conflict'],
  }),
} as const;
