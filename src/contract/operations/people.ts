import { z } from 'zod';
import { IdSchema } from '../atoms.ts';
import { operation } from '../operation.ts';
import {
  InvitationConfigSchema,
  InvitationSchema,
  NewInvitationSchema,
  PersonPatchSchema,
  PersonSchema,
} from '../person.ts';
import { IdParamsSchema, PageQuerySchema, searchQuery } from './parameters.ts';

const tag = 'People';
const one = { role: 'admin', tag, params: IdParamsSchema } as const;
const response = { status: 200, description: 'The person.', schema: PersonSchema } as const;
const removed = {
  status: 200,
  description: 'Removed.',
  schema: z.strictObject({ id: IdSchema }),
} as const;

/** Those of the team who sign in, and those who are invited. */
export const peopleOperations = {
  list: operation({
    id: 'listPeople',
    role: 'admin',
    method: 'GET',
    path: '/auth/v1/people',
    tag,
    summary: 'List the people of the team',
    query: PageQuerySchema.extend({ search: searchQuery('name, e-mail address, role') }),
    response: {
      status: 200,
      description: 'The people, newest first.',
      schema: z.array(PersonSchema),
    },
    paged: true,
    errors: ['invalid'],
  }),
  update: operation({
    ...one,
    id: 'updatePerson',
    method: 'PATCH',
    path: '/auth/v1/people/{id}',
    summary: 'Change the name or the role of a person',
    description:
      'Another role signs the person out everywhere. The last admin who is there to stay keeps the role.',
    body: PersonPatchSchema,
    response,
    errors: ['invalid', 'missing', 'conflict'],
  }),
  remove: operation({
    ...one,
    id: 'removePerson',
    method: 'DELETE',
    path: '/auth/v1/people/{id}',
    summary: 'Remove a person',
    description:
      'All sessions of the person end. The last admin who is there to stay cannot be removed.',
    response: removed,
    errors: ['missing', 'conflict'],
  }),
  signOut: operation({
    ...one,
    id: 'signOutPerson',
    method: 'POST',
    path: '/auth/v1/people/{id}/sign-out',
    summary: 'Sign a person out everywhere',
    response,
    errors: ['missing'],
  }),
  resetFactor: operation({
    ...one,
    id: 'resetSecondFactor',
    method: 'DELETE',
    path: '/auth/v1/people/{id}/second-factor',
    summary: 'Take the second factor off a person',
    description:
      'For somebody who has lost both the app and the recovery codes. All sessions end. Your own takes a code of it: `removeSecondFactor`.',
    response,
    errors: ['missing', 'conflict'],
  }),
  listInvitations: operation({
    id: 'listInvitations',
    role: 'admin',
    method: 'GET',
    path: '/auth/v1/invitations',
    tag,
    summary: 'List the open invitations',
    query: PageQuerySchema.extend({ search: searchQuery('e-mail address, role') }),
    response: {
      status: 200,
      description: 'Those that were neither used nor expired, newest first.',
      schema: z.array(InvitationSchema),
    },
    paged: true,
    errors: ['invalid'],
  }),
  invite: operation({
    id: 'createInvitation',
    role: 'admin',
    method: 'POST',
    path: '/auth/v1/invitations',
    tag,
    summary: 'Invite a person',
    description:
      'Answers with a link that works once, for seven days. The service sends no e-mail: pass the link on. An earlier invitation of the same address is replaced.',
    body: InvitationConfigSchema,
    response: { status: 201, description: 'The invitation.', schema: NewInvitationSchema },
    errors: ['invalid', 'conflict'],
  }),
  revokeInvitation: operation({
    ...one,
    id: 'revokeInvitation',
    method: 'DELETE',
    path: '/auth/v1/invitations/{id}',
    summary: 'Take an invitation back',
    response: removed,
    errors: ['missing'],
  }),
} as const;
