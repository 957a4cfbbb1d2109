import type { FastifyRequest } from 'fastify';
import type { Contract } from '../../contract/contract.ts';
import { invalid, Problem } from '../../contract/errors.ts';
import type { Db } from '../../store/db.ts';
import { endSessionsOf, getPerson, type Person, writePerson } from '../../store/people.ts';
import {
  confirmFactor,
  pendingFactor,
  removeFactor,
  startFactor,
} from '../../store/second-factors.ts';
import { endSession, findSessionById, listSessions } from '../../store/sessions.ts';
import { type Authenticator, type SignedIn, unauthorized } from '../auth.ts';
import { newRecoveryCodes, newSecret, otpauthUri, stepOf } from '../people/one-time-codes.ts';
import { presentPerson } from '../people/present.ts';
import { useCode } from '../people/second-factor.ts';
import { setSessionCookie } from '../people/session-cookie.ts';
import type { SignIn } from '../people/sign-in.ts';
import { principalOf, type Routing, serve } from '../route.ts';

interface AccountDeps {
  readonly db: Db;
  readonly signIn: SignIn;
  readonly authenticator: Authenticator;
  /** Current time, epoch ms. */
  readonly now: () => number;
}

const presentAccount = (person: Person, confirmed: boolean) => ({
  confirmed,
  ...presentPerson(person),
  hasPassword: person.passwordHash !== null,
  openId: person.openIdSubject !== null,
  recoveryCodesLeft: person.recoveryHashes.length,
});

/** For so long after it a proof at the provider counts. */
const CONFIRMED_MS = 300_000;

const WRONG_CODE = { path: 'code', message: 'is wrong, or was used before' };

/** What people do about themselves. */
export function accountRoutes(
  routing: Routing,
  operations: Contract['account'],
  { db, signIn, authenticator, now }: AccountDeps,
): void {
  const ownAccount = async (
    request: FastifyRequest,
  ): Promise<{
    readonly person: Person;
    readonly session: SignedIn;
    readonly confirmed: boolean;
  }> => {
    const { teamId, person: session } = principalOf(request);
    if (!session) throw unauthorized();
    const at = new Date(now());
    const [person, found] = await Promise.all([
      getPerson(db, { teamId, id: session.id }),
      findSessionById(db, { id: session.sessionId, now: at }),
    ]);
    const provedAt = found?.session.provedAt?.getTime() ?? Number.NEGATIVE_INFINITY;
    return { person, session, confirmed: now() - provedAt < CONFIRMED_MS };
  };
  /** A session that somebody found open changes nothing by itself. */
  const checkPassword = async (
    { person, confirmed }: { readonly person: Person; readonly confirmed: boolean },
    given: string | undefined,
    path: string,
  ): Promise<void> => {
    if (person.passwordHash === null) {
      if (confirmed) return;
      throw new Problem({
        kind: 'conflict',
        message: 'You have no password: confirm first at the provider that it is you',
      });
    }
    signIn.takeAccount(`own ${person.id}`);
    if (!(await signIn.passwords.check(given ?? '', person.passwordHash)))
      throw invalid([{ path, message: 'is not your password' }]);
  };
  const checkCode = async (person: Person, code: string): Promise<void> => {
    if (person.totpSecret === null)
      throw new Problem({ kind: 'conflict', message: 'There is no second factor' });
    signIn.takeAccount(`own ${person.id}`);
    if (!(await useCode(db, person, { code, nowMs: now() }))) throw invalid([WRONG_CODE]);
  };

  serve(routing, operations.get, async ({ request }) => {
    const { person, confirmed } = await ownAccount(request);
    return presentAccount(person, confirmed);
  });

  serve(routing, operations.changePassword, async ({ body, request }) => {
    const own = await ownAccount(request);
    const { person, session } = own;
    await checkPassword(own, body.current, 'current');
    const passwordHash = await signIn.passwords.hash(body.password);
    const changed = await db.transaction(async (tx) => {
      const written = await writePerson(tx, person, { passwordHash });
      await endSessionsOf(tx, person, session.sessionId);
      return written;
    });
    authenticator.changed();
    return presentAccount(changed, own.confirmed);
  });

  serve(routing, operations.listSessions, async ({ request }) => {
    const { person, session } = await ownAccount(request);
    const open = await listSessions(db, { personId: person.id, now: new Date(now()) });
    return open.map(({ id, createdAt, lastUsedAt, lastUsedFrom, userAgent }) => ({
      ...{ id, current: id === session.sessionId, lastUsedFrom, userAgent },
      ...{ createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt.toISOString() },
    }));
  });

  serve(routing, operations.endSession, async ({ params, request }) => {
    const { person } = await ownAccount(request);
    await endSession(db, { personId: person.id, id: params.id });
    authenticator.changed();
    return { id: params.id };
  });

  serve(routing, operations.signOutEverywhere, async ({ request, reply }) => {
    await endSessionsOf(db, (await ownAccount(request)).person);
    authenticator.changed();
    setSessionCookie(request, reply, '');
    return { state: 'signed-out' as const };
  });

  serve(routing, operations.startFactor, async ({ body, request }) => {
    const own = await ownAccount(request);
    const { person } = own;
    if (person.totpSecret !== null)
      throw new Problem({
        kind: 'conflict',
        message: 'There is a second factor already: remove it first',
      });
    await checkPassword(own, body.password, 'password');
    const secret = newSecret();
    await startFactor(db, person, secret);
    return { secret, uri: otpauthUri(secret, person.email) };
  });

  serve(routing, operations.confirmFactor, async ({ body, request }) => {
    const { person, session } = await ownAccount(request);
    const secret = pendingFactor(db, person);
    if (secret === undefined)
      throw new Problem({ kind: 'conflict', message: 'No second factor is being set up' });
    const step = stepOf(secret, body.code, now());
    if (step === undefined) throw invalid([WRONG_CODE]);
    const recoveryCodes = newRecoveryCodes();
    await confirmFactor(db, person, { step, recoveryCodes, except: session.sessionId });
    authenticator.changed();
    return { recoveryCodes };
  });

  serve(routing, operations.removeFactor, async ({ body, request }) => {
    const { person, session, confirmed } = await ownAccount(request);
    await checkCode(person, body.code);
    const without = await removeFactor(db, person, session.sessionId);
    authenticator.changed();
    return presentAccount(without, confirmed);
  });
}
