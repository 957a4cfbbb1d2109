import { z } from 'zod';
import { KeyNameSchema, NewApiKeySchema } from '../api-key.ts';
import { operation } from '../operation.ts';
import {
  NewTeamSchema,
  SuspensionConfigSchema,
  TeamConfigSchema,
  TeamPatchSchema,
  TeamSchema,
  TeamUsageSchema,
  TeamVendorConfigSchema,
  TeamVendorSchema,
} from '../team.ts';
import { IdParamsSchema, PageQuerySchema, searchQuery } from './parameters.ts';

const tag = 'Operator';
const path = '/admin/v1/teams';
const response = { status: 200, description: 'The team.', schema: TeamSchema } as const;
const vendorResponse = {
  status: 200,
  description: 'The vendor.',
  schema: TeamVendorSchema,
} as const;
const one = { role: 'operator', tag, params: IdParamsSchema } as const;

const ofVendor = {
  role: 'operator',
  tag,
  params: IdParamsSchema.extend({ vendor: z.string() }),
} as const;

const UsageQuerySchema = z.strictObject({
  from: z.iso
    .date()
    .optional()
    .describe('The first day, at most 400 before the last one; 29 days before it if absent.'),
  to: z.iso.date().optional().describe('The last day; today if absent.'),
});

/** The operator's API, with a key of its own. */
export const teamOperations = {
  list: operation({
    id: 'listTeams',
    role: 'operator',
    method: 'GET',
    path,
    tag,
    summary: 'List the teams',
    query: PageQuerySchema.extend({ search: searchQuery('name') }),
    response: {
      status: 200,
      description: 'The teams, newest first.',
      schema: z.array(TeamSchema),
    },
    paged: true,
    errors: ['invalid'],
  }),
  create: operation({
    id: 'createTeam',
    role: 'operator',
    method: 'POST',
    path,
    tag,
    summary: 'Create a team',
    description: 'With its first API key, an admin’s, which is shown only once.',
    body: TeamConfigSchema,
    response: { status: 201, description: 'The team.', schema: NewTeamSchema },
    errors: ['invalid'],
  }),
  get: operation({
    ...one,
    id: 'getTeam',
    method: 'GET',
    path: `${path}/{id}`,
    summary: 'Get a team',
    response,
    errors: ['missing'],
  }),
  update: operation({
    ...one,
    id: 'updateTeam',
    method: 'PATCH',
    path: `${path}/{id}`,
    summary: 'Change the name or the limits of a team',
    description: 'New limits hold from the next call, request or upload on; nothing live is ended.',
    body: TeamPatchSchema,
    response,
    errors: ['invalid', 'missing'],
  }),
  suspend: operation({
    ...one,
    id: 'suspendTeam',
    method: 'POST',
    path: `${path}/{id}/suspend`,
    summary: 'Suspend a team',
    description:
      'Its requests are refused with the reason, its numbers take no calls and answer no texts, and its live calls end within seconds, with words. Everything it owns stays. Repeating it changes the reason.',
    body: SuspensionConfigSchema,
    response,
    errors: ['invalid', 'missing', 'conflict'],
  }),
  resume: operation({
    ...one,
    id: 'resumeTeam',
    method: 'POST',
    path: `${path}/{id}/resume`,
    summary: 'End the suspension of a team',
    response,
    errors: ['missing', 'conflict'],
  }),
  remove: operation({
    ...one,
    id: 'deleteTeam',
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Delete a team with everything it owns',
    description:
      'It is suspended at once. When its live calls have ended, its calls, recordings, transcripts, texts, files, knowledge, assistants, tools, numbers and keys are deleted; until then its status is `deleting`. Numbers stay at their carriers. The first team, which the service has made itself, can only be suspended.',
    response: { status: 200, description: 'The deletion was accepted.', schema: TeamSchema },
    errors: ['missing', 'conflict'],
  }),
  usage: operation({
    ...one,
    id: 'getTeamUsage',
    method: 'GET',
    path: `${path}/{id}/usage`,
    summary: 'Get what a team uses, now and on each day',
    query: UsageQuerySchema,
    response: { status: 200, description: 'The usage.', schema: TeamUsageSchema },
    errors: ['invalid', 'missing'],
  }),
  listVendors: operation({
    ...one,
    id: 'listTeamVendors',
    method: 'GET',
    path: `${path}/{id}/vendors`,
    summary: 'List the vendors, and whose accounts a team uses',
    response: {
      status: 200,
      description: 'Every vendor that needs an account.',
      schema: z.array(TeamVendorSchema),
    },
    errors: ['missing'],
  }),
  setVendor: operation({
    ...ofVendor,
    id: 'setTeamVendor',
    method: 'PUT',
    path: `${path}/{id}/vendors/{vendor}`,
    summary: "Give a team its own account at a vendor, or replace the account's key",
    description:
      'Within two seconds new calls of the team use it instead of the account of the service; live calls go on with the one they have.',
    body: TeamVendorConfigSchema,
    response: vendorResponse,
    errors: ['invalid', 'missing'],
  }),
  removeVendor: operation({
    ...ofVendor,
    id: 'removeTeamVendor',
    method: 'DELETE',
    path: `${path}/{id}/vendors/{vendor}`,
    summary: "Remove a team's own account at a vendor",
    response: vendorResponse,
    errors: ['missing'],
  }),
  rotateEncryptionKey: operation({
    ...one,
    id: 'rotateTeamEncryptionKey',
    method: 'POST',
    path: `${path}/{id}/encryption-key`,
    summary: 'Give a team a new key for the files of its calls',
    description:
      'Within two minutes new recordings and transcript files are encrypted with it; a job encrypts those that there are anew, also any in the clear, and then throws the former keys away.',
    response,
    errors: ['missing', 'conflict'],
  }),
  createKey: operation({
    ...one,
    id: 'createTeamApiKey',
    method: 'POST',
    path: `${path}/{id}/api-keys`,
    summary: "Create an admin's API key for a team",
    description: 'For a team that has lost its own.',
    body: z.strictObject({ name: KeyNameSchema }).meta({ title: 'TeamApiKeyInput' }),
    response: {
      status: 201,
      description: 'The key, which is shown only once.',
      schema: NewApiKeySchema,
    },
    errors: ['invalid', 'missing'],
  }),
} as const;
