import { z } from 'zod';
import { IdSchema } from '../atoms.ts';
import { operation } from '../operation.ts';
import {
  AccountSchema,
  CodeInputSchema,
  FactorSetupSchema,
  PasswordChangeSchema,
  PasswordCheckSchema,
  RecoveryCodesSchema,
  SessionSchema,
  SignInSchema,
} from '../person.ts';
import { IdParamsSchema } from './parameters.ts';

const common = { role: 'person', tag: 'Own account' } as const;
const path = '/auth/v1/account';
const response = { status: 200, description: 'The account.', schema: AccountSchema } as const;

/** What people do about themselves. */
export const accountOperations = {
  get: operation({
    ...common,
    id: 'getAccount',
    method: 'GET',
    path,
    summary: 'Get your account',
    response,
    errors: [],
  }),
  changePassword: operation({
    ...common,
    id: 'changePassword',
    method: 'PUT',
    path: `${path}/password`,
    summary: 'Change your password',
    description:
      'All your other sessions end. Who has none yet confirms first at the provider who they are (409).',
    body: PasswordChangeSchema,
    response,
    errors: ['invalid', 'conflict'],
  }),
  listSessions: operation({
    ...common,
    id: 'listSessions',
    method: 'GET',
    path: `${path}/sessions`,
    summary: 'List where you are signed in',
    response: {
      status: 200,
      description: 'Your sessions, newest first.',
      schema: z.array(SessionSchema),
    },
    errors: [],
  }),
  endSession: operation({
    ...common,
    id: 'endSession',
    method: 'DELETE',
    path: `${path}/sessions/{id}`,
    summary: 'End one of your sessions',
    params: IdParamsSchema,
    response: {
      status: 200,
      description: 'It has ended.',
      schema: z.strictObject({ id: IdSchema }),
    },
    errors: ['missing'],
  }),
  signOutEverywhere: operation({
    ...common,
    id: 'signOutEverywhere',
    method: 'POST',
    path: `${path}/sign-out`,
    summary: 'Sign out everywhere, here too',
    response: { status: 200, description: 'All sessions have ended.', schema: SignInSchema },
    errors: [],
  }),
  startFactor: operation({
    ...common,
    id: 'startSecondFactor',
    method: 'POST',
    path: `${path}/second-factor`,
    summary: 'Start to set up a second factor',
    description:
      'It is asked for once a code of it has confirmed it. One that is in use has to be removed first.',
    body: PasswordCheckSchema,
    response: { status: 201, description: 'For the app.', schema: FactorSetupSchema },
    errors: ['invalid', 'conflict'],
  }),
  confirmFactor: operation({
    ...common,
    id: 'confirmSecondFactor',
    method: 'PUT',
    path: `${path}/second-factor`,
    summary: 'Confirm the second factor by a code',
    description: 'Your other sessions end. Former recovery codes are void.',
    body: CodeInputSchema,
    response: {
      status: 200,
      description: 'For the day without the app.',
      schema: RecoveryCodesSchema,
    },
    errors: ['invalid', 'conflict'],
  }),
  removeFactor: operation({
    ...common,
    id: 'removeSecondFactor',
    method: 'POST',
    path: `${path}/second-factor/remove`,
    summary: 'Remove your second factor',
    description: 'Your other sessions end.',
    body: CodeInputSchema,
    response,
    errors: ['invalid', 'conflict'],
  }),
} as const;
