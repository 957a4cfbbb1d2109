import type { Contract } from '../../contract/contract.ts';
import { invalid, Problem } from '../../contract/errors.ts';
import { acceptInvitation, getOpenInvitation } from '../../store/invitations.ts';
import type { ApiDeps } from '../deps.ts';
import { beginOpenId } from '../people/open-id-sign-in.ts';
import type { SignIn } from '../people/sign-in.ts';
import { type Routing, serveTeamless } from '../route.ts';

type SignInDeps = Pick<ApiDeps, 'db' | 'openId' | 'publicUrl'> & {
  readonly signIn: SignIn;
  /** Current time, epoch ms. */
  readonly now: () => number;
};

/** The ways to a session. */
export function signInRoutes(
  routing: Pick<Routing, 'app'>,
  operations: Contract['signIn'],
  deps: SignInDeps,
): void {
  const { db, signIn, openId, now } = deps;

  serveTeamless(routing, operations.methods, async ({ request, reply }) => {
    reply.header('cache-control', 'no-store');
    const state = await signIn.stateOf(request);
    return { state, ...(openId ? { openId: { name: openId.name } } : {}) };
  });

  serveTeamless(routing, operations.signIn, async ({ body, request, reply }) => ({
    state: await signIn.byPassword(body, { request, reply }),
  }));

  serveTeamless(routing, operations.secondFactor, async ({ body, request, reply }) => ({
    state: await signIn.bySecondFactor(body.code, { request, reply }),
  }));

  serveTeamless(routing, operations.signOut, async ({ request, reply }) => {
    await signIn.signOut({ request, reply });
    return { state: 'signed-out' as const };
  });

  serveTeamless(routing, operations.startOpenId, async ({ body, request, reply }) => {
    if (!openId)
      throw new Problem({ kind: 'missing', message: 'There is no provider to sign in at' });
    const { invitation, confirm } = body;
    const confirms = confirm ? await signIn.sessionOf(request) : undefined;
    const visit = { request, reply, invitation, confirms };
    return { url: await beginOpenId({ ...deps, openId }, visit) };
  });

  serveTeamless(routing, operations.openInvitation, async ({ body, request }) => {
    signIn.takeAddress(request);
    const { token } = body;
    const invitation = await getOpenInvitation(db, { token, now: new Date(now()) });
    const { teamName, role, email, expiresAt } = invitation;
    return {
      ...{ teamName, role, expiresAt: expiresAt.toISOString() },
      ...(email === null ? {} : { email }),
    };
  });

  serveTeamless(routing, operations.accept, async ({ body, request, reply }) => {
    signIn.takeAddress(request);
    const { token, name, password } = body;
    // Before the work of hashing, which nobody gets without an invitation.
    const invitation = await getOpenInvitation(db, { token, now: new Date(now()) });
    const email = body.email ?? invitation.email;
    if (email === null) throw invalid([{ path: 'email', message: 'is required' }]);
    const passwordHash = await signIn.passwords.hash(password);
    const acceptance = { token, email, name, passwordHash, now: new Date(now()) };
    const person = await acceptInvitation(db, acceptance);
    const state = await signIn.begin(person, { request, reply });
    signIn.noteDone('acceptInvitation', request, person);
    return { state };
  });
}
