import { z } from 'zod';
import { DateTimeSchema, IdSchema, text } from './atoms.ts';
import { RoleSchema } from './role.ts';

/** Longer ones hold no more chance, and hashing them costs time. */
const MAX_PASSWORD_CHARS = 200;
const MIN_PASSWORD_CHARS = 12;

export const EmailSchema = z
  .email('must be an e-mail address')
  .max(254)
  .describe('E-mail address; capitals make no difference.');

const PersonNameSchema = text(200)
  .regex(/\S/, 'must not be blank')
  .describe('What the person is called.');

/** A password that is chosen now. */
const NewPasswordSchema = z
  .string()
  .min(MIN_PASSWORD_CHARS, `must have ${MIN_PASSWORD_CHARS} characters or more`)
  .max(MAX_PASSWORD_CHARS)
  .describe(`At least ${MIN_PASSWORD_CHARS} characters, any of them.`);

/** A password that is compared with the one that was chosen. */
const PasswordSchema = z.string().min(1).max(MAX_PASSWORD_CHARS);

const CodeSchema = text(40)
  .min(1)
  .describe('The six digits that the authenticator app shows, or a recovery code.');

const TokenSchema = z.string().min(1).max(200);

export const PersonSchema = z
  .strictObject({
    id: IdSchema,
    email: z.string(),
    name: z.string(),
    role: RoleSchema,
    secondFactor: z.boolean().describe('Whether a second factor is asked for at sign-in.'),
    createdAt: DateTimeSchema,
    lastSignInAt: DateTimeSchema.optional(),
  })
  .meta({ title: 'Person' });

export const PersonPatchSchema = z
  .strictObject({ name: PersonNameSchema.optional(), role: RoleSchema.optional() })
  .meta({ title: 'PersonPatch' });

export const InvitationConfigSchema = z
  .strictObject({ email: EmailSchema, role: RoleSchema })
  .meta({ title: 'InvitationInput' });

export const InvitationSchema = z
  .strictObject({
    id: IdSchema,
    email: z.string().optional().describe('Absent: whoever has the link chooses it.'),
    role: RoleSchema,
    createdAt: DateTimeSchema,
    expiresAt: DateTimeSchema,
    invitedBy: z.string().optional(),
  })
  .meta({ title: 'Invitation' });

/** The only response that contains the link. */
export const NewInvitationSchema = z
  .strictObject({
    ...InvitationSchema.shape,
    url: z.string().describe('The link to pass on. It works once, and cannot be read again.'),
  })
  .meta({ title: 'NewInvitation' });

export const InvitationTokenSchema = z
  .strictObject({ token: TokenSchema })
  .meta({ title: 'InvitationToken' });

/** What somebody with the link is told. */
export const OpenInvitationSchema = z
  .strictObject({
    teamName: z.string(),
    role: RoleSchema,
    email: z.string().optional(),
    expiresAt: DateTimeSchema,
  })
  .meta({ title: 'OpenInvitation' });

export const AcceptanceSchema = z
  .strictObject({
    token: TokenSchema,
    email: EmailSchema.optional().describe('Needed if the invitation names none.'),
    name: PersonNameSchema,
    password: NewPasswordSchema,
  })
  .meta({ title: 'Acceptance' });

export const SignInConfigSchema = z
  .strictObject({ email: text(254).min(1), password: PasswordSchema })
  .meta({ title: 'SignInInput' });

const STATES = ['signed-out', 'second-factor', 'signed-in'] as const;
const StateSchema = z
  .enum(STATES)
  .describe(
    'second-factor: the password was right, and a code is awaited. The session is in a cookie.',
  );

export const SignInSchema = z.strictObject({ state: StateSchema }).meta({ title: 'SignIn' });

/** What the page for signing in has to know. */
export const SignInMethodsSchema = z
  .strictObject({
    state: StateSchema,
    openId: z
      .strictObject({ name: z.string() })
      .optional()
      .describe('The provider of OpenID Connect, if the service has one.'),
  })
  .meta({ title: 'SignInMethods' });

export const OpenIdStartSchema = z
  .strictObject({
    invitation: TokenSchema.optional().describe('The token of an invitation to accept by it.'),
    confirm: z
      .literal(true)
      .optional()
      .describe(
        'Whoever is signed in confirms at the provider who they are, and is tied to the account there: a first password and a second factor without a password ask for it.',
      ),
  })
  .meta({ title: 'OpenIdStart' });

export const OpenIdAddressSchema = z
  .strictObject({ url: z.string() })
  .meta({ title: 'OpenIdAddress' });

export const CodeInputSchema = z.strictObject({ code: CodeSchema }).meta({ title: 'CodeInput' });

export const PasswordChangeSchema = z
  .strictObject({
    current: PasswordSchema.optional().describe('Needed if there is a password.'),
    password: NewPasswordSchema,
  })
  .meta({ title: 'PasswordChange' });

export const AccountSchema = z
  .strictObject({
    ...PersonSchema.shape,
    hasPassword: z.boolean(),
    openId: z.boolean().describe('Whether a provider of OpenID Connect knows the person.'),
    confirmed: z
      .boolean()
      .describe(
        'Whether the provider has confirmed within the last five minutes who has this session.',
      ),
    recoveryCodesLeft: z.int(),
  })
  .meta({ title: 'Account' });

export const SessionSchema = z
  .strictObject({
    id: IdSchema,
    current: z.boolean().describe('Whether it is the one that sends this request.'),
    createdAt: DateTimeSchema,
    lastUsedAt: DateTimeSchema.describe('Known to the minute.'),
    lastUsedFrom: z.string(),
    userAgent: z.string(),
  })
  .meta({ title: 'Session' });

/** A second factor that is being set up. */
export const FactorSetupSchema = z
  .strictObject({
    secret: z.string().describe('Base32, to be typed into an authenticator app.'),
    uri: z.string().describe('The same as an otpauth address, to be shown as a QR code.'),
  })
  .meta({ title: 'FactorSetup' });

export const PasswordCheckSchema = z
  .strictObject({
    password: PasswordSchema.optional().describe('Needed if there is a password.'),
  })
  .meta({ title: 'PasswordCheck' });

export const RecoveryCodesSchema = z
  .strictObject({
    recoveryCodes: z
      .array(z.string())
      .describe('Each stands for the app once. They cannot be read again.'),
  })
  .meta({ title: 'RecoveryCodes' });

export type Person = z.output<typeof PersonSchema>;
export type Invitation = z.output<typeof InvitationSchema>;
export type SignInState = (typeof STATES)[number];
