import { z } from 'zod';
import { assistantConfigSchema, assistantSchema, savedAssistantSchema } from '../assistant.ts';
import {
  AssistantVersionSchema,
  assistantVersionDetailSchema,
  draftSchema,
  LabelledVersionSchema,
  PublishGateSchema,
  VersionChangeSchema,
  VersionLabelSchema,
  VersionNameSchema,
} from '../assistant-version.ts';
import { IdSchema } from '../atoms.ts';
import { mergePatchSchema } from '../merge-patch.ts';
import { operation } from '../operation.ts';
import { AssistantUsesSchema } from '../uses.ts';
import type { VendorCatalogue } from '../vendors.ts';
import {
  fieldsQuery,
  IdParamsSchema,
  IdsQuerySchema,
  PageQuerySchema,
  searchQuery,
} from './parameters.ts';

const tag = 'Assistants';
const path = '/assistants/v1/assistants';
const versions = `${path}/{id}/versions`;
const OfVersionSchema = IdParamsSchema.extend({ version: z.string().max(40) });
const OfLabelSchema = IdParamsSchema.extend({ label: VersionLabelSchema });
const versionResponse = {
  status: 200,
  description: 'The version.',
  schema: AssistantVersionSchema,
} as const;

export function assistantOperations(vendors: VendorCatalogue) {
  const config = assistantConfigSchema(vendors);
  const assistant = assistantSchema(vendors);
  const part = assistant
    .partial()
    .required({ _id: true, name: true })
    .meta({ title: 'AssistantPart' });
  const saved = savedAssistantSchema(vendors);
  return {
    list: operation({
      id: 'listAssistants',
      role: 'viewer',
      method: 'GET',
      path,
      tag,
      summary: 'List the assistants',
      query: PageQuerySchema.extend({
        fields: fieldsQuery(Object.keys(assistant.shape)).optional(),
        search: searchQuery('name, prompt, welcome message, model, voice, language'),
        ids: IdsQuerySchema.optional(),
        toolId: IdSchema.optional().describe('Only those that use the tool.'),
        knowledgeBaseId: IdSchema.optional().describe('Only those that use the knowledge base.'),
      }),
      response: {
        status: 200,
        description: 'The assistants, newest first; with `fields`, only those of each.',
        schema: z.array(z.union([assistant, part])),
      },
      paged: true,
      errors: ['invalid'],
    }),
    uses: operation({
      id: 'getAssistantUses',
      role: 'viewer',
      method: 'GET',
      path: `${path}/uses`,
      tag,
      summary: 'Count the calls and the numbers of each of some assistants',
      query: z.strictObject({ ids: IdsQuerySchema }),
      response: {
        status: 200,
        description: 'One entry for each id, in the order given.',
        schema: z.array(AssistantUsesSchema),
      },
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
      errors: ['invalid', 'missing', 'conflict', 'untested'],
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
    listVersions: operation({
      id: 'listAssistantVersions',
      role: 'viewer',
      method: 'GET',
      path: versions,
      tag,
      summary: 'List the versions of an assistant',
      description:
        'Every save makes one. The last 200 are kept, and those that are published or have a label.',
      params: IdParamsSchema,
      query: PageQuerySchema,
      response: {
        status: 200,
        description: 'The versions, newest first.',
        schema: z.array(AssistantVersionSchema),
      },
      paged: true,
      errors: ['invalid', 'missing'],
    }),
    draft: operation({
      id: 'createAssistantDraft',
      role: 'builder',
      method: 'POST',
      path: versions,
      tag,
      summary: 'Save changes as a version that calls do not use yet',
      description: 'Publish it, or have calls name it, by its number or a label.',
      params: IdParamsSchema,
      body: draftSchema(vendors),
      response: { ...versionResponse, status: 201 },
      idempotent: true,
      errors: ['invalid', 'missing'],
    }),
    getVersion: operation({
      id: 'getAssistantVersion',
      role: 'viewer',
      method: 'GET',
      path: `${versions}/{version}`,
      tag,
      summary: 'Get a version of an assistant, by number or label',
      params: OfVersionSchema,
      response: {
        status: 200,
        description: 'The version, with the whole configuration.',
        schema: assistantVersionDetailSchema(vendors),
      },
      errors: ['missing'],
    }),
    compareVersions: operation({
      id: 'compareAssistantVersions',
      role: 'viewer',
      method: 'GET',
      path: `${versions}/{version}/changes`,
      tag,
      summary: 'List what a version has changed',
      params: OfVersionSchema,
      query: z.strictObject({
        from: VersionNameSchema.optional().describe(
          'Compared with this version; absent: with the one before.',
        ),
      }),
      response: {
        status: 200,
        description: 'The fields that differ. Secrets are not shown.',
        schema: z.array(VersionChangeSchema),
      },
      errors: ['invalid', 'missing'],
    }),
    publish: operation({
      id: 'publishAssistantVersion',
      role: 'builder',
      method: 'POST',
      path: `${versions}/{version}/publish`,
      tag,
      summary: 'Have calls use a version: publish a draft, or restore an earlier one',
      description: 'From the next call on; live calls go on with the version that they began with.',
      params: OfVersionSchema,
      response: { status: 200, description: 'The assistant.', schema: saved },
      errors: ['invalid', 'missing', 'conflict', 'untested'],
    }),
    setLabel: operation({
      id: 'setAssistantLabel',
      role: 'builder',
      method: 'PUT',
      path: `${path}/{id}/labels/{label}`,
      tag,
      summary: 'Give a version a label, which numbers and calls may name',
      description: 'If another version has it, it moves.',
      params: OfLabelSchema,
      body: LabelledVersionSchema,
      response: versionResponse,
      errors: ['invalid', 'missing', 'untested'],
    }),
    removeLabel: operation({
      id: 'removeAssistantLabel',
      role: 'builder',
      method: 'DELETE',
      path: `${path}/{id}/labels/{label}`,
      tag,
      summary: 'Remove a label',
      description: 'Rejected while a number names it.',
      params: OfLabelSchema,
      response: versionResponse,
      errors: ['invalid', 'missing', 'conflict'],
    }),
    getGate: operation({
      id: 'getPublishGate',
      role: 'viewer',
      method: 'GET',
      path: `${path}/{id}/publish-gate`,
      tag,
      summary: 'Get what publishing a version of an assistant requires',
      params: IdParamsSchema,
      response: { status: 200, description: 'The gate.', schema: PublishGateSchema },
      errors: ['missing'],
    }),
    setGate: operation({
      id: 'setPublishGate',
      role: 'admin',
      method: 'PUT',
      path: `${path}/{id}/publish-gate`,
      tag,
      summary: 'Set what publishing a version of an assistant requires',
      description:
        'With `requireTests` a change is saved as a draft, and publishing it is refused unless its tests have passed with that version as they are written now. Moving a label that a number names counts as publishing.',
      params: IdParamsSchema,
      body: PublishGateSchema,
      response: { status: 200, description: 'The gate.', schema: PublishGateSchema },
      errors: ['invalid', 'missing'],
    }),
  } as const;
}
