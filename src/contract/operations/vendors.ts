import { z } from 'zod';
import { operation } from '../operation.ts';
import { TeamVendorSchema } from '../team.ts';
import {
  VendorKeySchema,
  VendorModelsSchema,
  VendorsSchema,
  VendorTestSchema,
  VendorVoicesSchema,
  VoiceSampleSchema,
} from '../vendor-account.ts';

const tag = 'Vendors';
const path = '/vendors/v1';
const account = { tag, params: z.object({ vendor: z.string() }) } as const;
const accountResponse = {
  status: 200,
  description: 'The vendor.',
  schema: TeamVendorSchema,
} as const;
const OfVendorSchema = z.strictObject({ vendor: z.string().min(1).max(200) });

/** The accounts at vendors that a team has, and what each vendor offers. */
export const vendorOperations = {
  list: operation({
    id: 'listVendors',
    role: 'viewer',
    method: 'GET',
    path: `${path}/vendors`,
    tag,
    summary: 'List the vendors: whose accounts the team uses, and which parts are ready',
    response: { status: 200, description: 'The vendors.', schema: VendorsSchema },
    errors: [],
  }),
  setKey: operation({
    ...account,
    id: 'setVendorKey',
    role: 'admin',
    method: 'PUT',
    path: `${path}/accounts/{vendor}`,
    summary: "Set or replace the team's own key at a vendor",
    description:
      'The key is sealed and never shown again. New calls use it within two seconds; live calls go on with the account they have.',
    body: VendorKeySchema,
    response: accountResponse,
    errors: ['invalid', 'missing'],
  }),
  removeKey: operation({
    ...account,
    id: 'removeVendorKey',
    role: 'admin',
    method: 'DELETE',
    path: `${path}/accounts/{vendor}`,
    summary: "Remove the team's own key at a vendor",
    description: 'The account of the service is used again, if it has one.',
    response: accountResponse,
    errors: ['missing'],
  }),
  test: operation({
    ...account,
    id: 'testVendor',
    role: 'builder',
    method: 'POST',
    path: `${path}/accounts/{vendor}/test`,
    summary: 'Try each part of a vendor once with the account that the team uses',
    description:
      'Asks its model, has its voice speak and its recogniser listen; a recogniser takes some seconds. The vendor charges for it.',
    response: {
      status: 200,
      description: 'One result for each part.',
      schema: z.array(VendorTestSchema),
    },
    errors: ['missing', 'conflict'],
  }),
  models: operation({
    id: 'listVendorModels',
    role: 'builder',
    method: 'GET',
    path: `${path}/models`,
    tag,
    summary: 'List the models of a vendor, by its own list',
    query: OfVendorSchema,
    response: { status: 200, description: 'Their names.', schema: VendorModelsSchema },
    errors: ['invalid', 'missing', 'conflict', 'vendor'],
  }),
  voices: operation({
    id: 'listVendorVoices',
    role: 'builder',
    method: 'GET',
    path: `${path}/voices`,
    tag,
    summary: 'List the voices of a vendor, by its own list where it has one',
    query: OfVendorSchema,
    response: { status: 200, description: 'The voices.', schema: VendorVoicesSchema },
    errors: ['invalid', 'missing', 'conflict', 'vendor'],
  }),
  sample: operation({
    id: 'speakSample',
    role: 'builder',
    method: 'POST',
    path: `${path}/speech`,
    tag,
    summary: 'Hear a voice say a short text',
    body: VoiceSampleSchema,
    response: { status: 200, description: 'The audio.', contentTypes: ['audio/wav'] },
    errors: ['invalid', 'missing', 'conflict', 'vendor'],
  }),
} as const;
