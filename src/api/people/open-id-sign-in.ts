import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../contract/errors.ts';
import { EmailSchema } from '../../contract/person.ts';
import { SealError } from '../../lib/seal.ts';
import type { Db } from '../../store/db.ts';
import { EmailTakenError, NotFoundError, SuspendedError } from '../../store/errors.ts';
import { acceptInvitation } from '../../store/invitations.ts';
import {
  canonicalEmail,
  findPersonByEmail,
  findPersonByOpenId,
  linkOpenId,
  type Person,
} from '../../store/people.ts';
import { sealerOf } from '../../store/sealing.ts';
import { findSessionById, noteProof } from '../../store/sessions.ts';
import type { OpenIdClaims, OpenIdFlow, OpenIdProvider } from './open-id.ts';
import { readCookie, setCookie } from './session-cookie.ts';
import type { SignIn } from './sign-in.ts';

/** Address at which the provider sends browsers back. */
export const OPEN_ID_CALLBACK = '/auth/v1/sign-in/openid/callback';

const FLOW_SECONDS = 600;
/** Lax, because browsers come back from another site. */
const FLOW = { name: 'parley_openid', sameSite: 'Lax', maxAgeSeconds: FLOW_SECONDS } as const;
const OWNER = 'openid';

interface Remembered extends OpenIdFlow {
  /** Epoch ms. */
  readonly until: number;
  /** Token of the invitation that is accepted by this. */
  readonly invitation?: string | undefined;
  /** The session whose holder confirms who they are. */
  readonly confirms?: string | undefined;
}

interface Deps {
  readonly db: Db;
  readonly openId: OpenIdProvider;
  readonly signIn: SignIn;
  readonly publicUrl: (request: FastifyRequest) => string;
  /** Current time, epoch ms. */
  readonly now: () => number;
}

/** Leaves for the provider: remembers the attempt in a sealed cookie and returns the address. Throws Problem. */
export async function beginOpenId(
  deps: Deps,
  { request, reply, invitation, confirms }: Visit & Pick<Remembered, 'invitation' | 'confirms'>,
): Promise<string> {
  const { db, openId, signIn, publicUrl, now } = deps;
  signIn.takeAddress(request);
  const { url, flow } = await openId.begin(publicUrl(request) + OPEN_ID_CALLBACK, {
    fresh: confirms !== undefined,
  });
  const remembered: Remembered = {
    ...flow,
    invitation,
    confirms,
    until: now() + FLOW_SECONDS * 1000,
  };
  setCookie(request, reply, FLOW, sealerOf(db).seal(JSON.stringify(remembered), OWNER));
  return url;
}

interface Visit {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Why nobody was signed in; the console has a sentence for each. */
export type OpenIdRefusal =
  | 'openid-failed'
  | 'openid-expired'
  | 'openid-unverified'
  | 'openid-unknown'
  | 'openid-taken'
  | 'openid-password'
  | 'openid-other'
  | 'openid-busy'
  | 'suspended';

class Refused extends Error {
  override readonly name = 'Refused';
  readonly code: OpenIdRefusal;

  constructor(code: OpenIdRefusal) {
    super(code);
    this.code = code;
  }
}

/** Serves the way back from the provider. It is a page's address, so that it answers with the console. */
export function openIdCallback(app: FastifyInstance, deps: Deps): void {
  app.get(OPEN_ID_CALLBACK, { logLevel: 'warn' }, async (request, reply) => {
    // Relative, since the service may be served under a path of a larger site.
    const console = '../../../../console/';
    let address = console;
    const page = isConfirming(deps, request) ? '#/account' : '#/sign-in';
    try {
      address = console + (await comeBack(deps, { request, reply }));
    } catch (error) {
      const code = refusalOf(error);
      if (code === undefined) throw error;
      // As with passwords: who comes too often does not fill the log, which is never shortened.
      if (code !== 'openid-busy') deps.signIn.noteRefused('signInByOpenId', request);
      request.log.warn({ err: error, code }, 'nobody was signed in by the provider');
      address = `${console}${page}?refused=${code}`;
    }
    return reply.header('cache-control', 'no-store').redirect(address, 303);
  });
}

/** Resolves with the page to go on with. */
async function comeBack(deps: Deps, { request, reply }: Visit): Promise<string> {
  const { db, openId, signIn, publicUrl } = deps;
  signIn.takeAddress(request);
  const flow = recall(deps, request);
  // An attempt is used up by coming back.
  setCookie(request, reply, FLOW, '');
  const query = request.url.split('?').slice(1).join('?');
  const address = new URL(`${publicUrl(request)}${OPEN_ID_CALLBACK}?${query}`);
  const claims = await openId.finish(address, flow);
  if (flow.confirms !== undefined) {
    const person = await confirm(deps, claims, flow.confirms);
    signIn.noteDone('confirmByOpenId', request, person);
    return '#/account';
  }
  const person =
    (await findPersonByOpenId(db, claims)) ?? (await makeKnown(deps, claims, flow.invitation));
  await signIn.begin(person, { request, reply });
  signIn.noteDone('signInByOpenId', request, person);
  return '';
}

/** Notes that the holder of a session is who they say, and ties them to the subject if they are tied to none here. */
async function confirm(
  { db, now }: Deps,
  { email, ...openId }: OpenIdClaims,
  sessionId: string,
): Promise<Person> {
  const at = new Date(now());
  const found = await findSessionById(db, { id: sessionId, now: at });
  if (!found) throw new Refused('openid-expired');
  const { person } = found;
  const known = await findPersonByOpenId(db, openId);
  if (
    known
      ? known.id !== person.id
      : canonicalEmail(EmailSchema.safeParse(email).data ?? '') !== person.email
  )
    throw new Refused('openid-other');
  if (!known && !(await linkOpenId(db, { id: person.id, ...openId })))
    throw new Refused('openid-other');
  await noteProof(db, { id: sessionId, now: at });
  return person;
}

function recall({ db, now }: Deps, request: FastifyRequest): Remembered {
  const sealed = readCookie(request, FLOW.name);
  if (sealed === undefined) throw new Refused('openid-expired');
  try {
    const remembered = JSON.parse(sealerOf(db).open(sealed, OWNER)) as Remembered;
    if (remembered.until > now()) return remembered;
  } catch (error) {
    if (!(error instanceof SealError || error instanceof SyntaxError)) throw error;
  }
  throw new Refused('openid-expired');
}

/** Whether somebody who is signed in has left to confirm who they are. */
function isConfirming(deps: Deps, request: FastifyRequest): boolean {
  try {
    return recall(deps, request).confirms !== undefined;
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}

/** Ties a subject that comes for the first time to a person, by an address that the provider has verified. */
async function makeKnown(
  { db, now }: Deps,
  { email: verified, name, ...openId }: OpenIdClaims,
  token: string | undefined,
): Promise<Person> {
  // Some letters of other scripts become Latin ones in small letters: such an address would be somebody else's.
  const { data: email } = EmailSchema.safeParse(verified);
  if (email === undefined) throw new Refused('openid-unverified');
  const known = await findPersonByEmail(db, email);
  if (known) {
    // Whoever had the invitation has said that the address is theirs, and nobody has proved it.
    if (known.openIdSubject === null) throw new Refused('openid-password');
    if (await linkOpenId(db, { id: known.id, ...openId })) return known;
    throw new Refused('openid-taken');
  }
  if (token === undefined) throw new Refused('openid-unknown');
  return acceptInvitation(db, {
    ...{ token, email, now: new Date(now()) },
    name: name?.trim().slice(0, 200) || (email.split('@')[0] as string),
    ...{ openIdIssuer: openId.issuer, openIdSubject: openId.subject },
  });
}

function refusalOf(error: unknown): OpenIdRefusal | undefined {
  if (error instanceof Refused) return error.code;
  if (error instanceof NotFoundError) return 'openid-unknown';
  if (error instanceof EmailTakenError) return 'openid-taken';
  if (error instanceof SuspendedError) return 'suspended';
  if (!(error instanceof Problem)) return undefined;
  if (error.kind === 'too-many') return 'openid-busy';
  return error.kind === 'unauthorized' || error.kind === 'vendor' ? 'openid-failed' : undefined;
}
