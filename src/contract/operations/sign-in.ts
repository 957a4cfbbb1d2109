import { operation } from '../operation.ts';
import {
  AcceptanceSchema,
  CodeInputSchema,
  InvitationTokenSchema,
  OpenIdAddressSchema,
  OpenIdStartSchema,
  OpenInvitationSchema,
  SignInConfigSchema,
  SignInMethodsSchema,
  SignInSchema,
} from '../person.ts';

const common = { role: 'anyone', tag: 'Signing in' } as const;
const response = { status: 200, description: 'How far it got.', schema: SignInSchema } as const;

/** What needs no credential, since it gives one: a session in a cookie that no script can read. */
export const signInOperations = {
  methods: operation({
    ...common,
    id: 'getSignInMethods',
    method: 'GET',
    path: '/auth/v1/sign-in',
    summary: 'Get the ways to sign in, and whether this browser has',
    response: { status: 200, description: 'The ways.', schema: SignInMethodsSchema },
    errors: [],
  }),
  signIn: operation({
    ...common,
    id: 'signIn',
    method: 'POST',
    path: '/auth/v1/sign-in',
    summary: 'Sign in with a password',
    description:
      'An unknown address and a wrong password are answered alike (401). The session is in a cookie, and counts only in requests with the header `X-Parley-Console`, which other sites cannot send.',
    body: SignInConfigSchema,
    response,
    errors: ['invalid'],
  }),
  secondFactor: operation({
    ...common,
    id: 'giveSecondFactor',
    method: 'POST',
    path: '/auth/v1/sign-in/second-factor',
    summary: 'Give the second factor',
    description: 'Within ten minutes of the password, with five attempts. A code works once.',
    body: CodeInputSchema,
    response,
    errors: ['invalid'],
  }),
  signOut: operation({
    ...common,
    id: 'signOut',
    method: 'POST',
    path: '/auth/v1/sign-out',
    summary: 'Sign out of this browser',
    response,
    errors: [],
  }),
  startOpenId: operation({
    ...common,
    id: 'startOpenId',
    method: 'POST',
    path: '/auth/v1/sign-in/openid',
    summary: 'Sign in at the provider of OpenID Connect',
    description:
      'Answers with the address to open. The provider sends the browser back, which is then signed in: to the person whom it knows, or whose address it has verified.',
    body: OpenIdStartSchema,
    response: { status: 200, description: 'Where to go.', schema: OpenIdAddressSchema },
    errors: ['invalid', 'missing', 'vendor'],
  }),
  openInvitation: operation({
    ...common,
    id: 'openInvitation',
    method: 'POST',
    path: '/auth/v1/sign-in/invitation',
    summary: 'Look at an invitation',
    body: InvitationTokenSchema,
    response: { status: 200, description: 'The invitation.', schema: OpenInvitationSchema },
    errors: ['invalid', 'missing'],
  }),
  accept: operation({
    ...common,
    id: 'acceptInvitation',
    method: 'POST',
    path: '/auth/v1/sign-in/accept',
    summary: 'Accept an invitation with a password',
    description: 'It signs the new person in.',
    body: AcceptanceSchema,
    response,
    errors: ['invalid', 'missing', 'conflict'],
  }),
} as const;
