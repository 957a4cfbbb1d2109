import type { Contract } from '../../contract/contract.ts';
import { Problem } from '../../contract/errors.ts';
import { createInvitation, pageInvitations, revokeInvitation } from '../../store/invitations.ts';
import {
  endSessionsOf,
  getPerson,
  pagePeople,
  removePerson,
  updatePerson,
} from '../../store/people.ts';
import { removeFactor } from '../../store/second-factors.ts';
import type { Authenticator } from '../auth.ts';
import type { ApiDeps } from '../deps.ts';
import { servePages } from '../list-route.ts';
import { presentInvitation, presentPerson } from '../people/present.ts';
import { principalOf, type Routing, serve } from '../route.ts';

type PeopleDeps = Pick<ApiDeps, 'db' | 'publicUrl'> & {
  readonly authenticator: Authenticator;
  /** Current time, epoch ms. */
  readonly now: () => number;
};

/** Where an invitation is accepted. The token stands behind `#`, so that it reaches no log. */
export const invitationLink = (publicUrl: string, token: string): string =>
  `${publicUrl}/console/#/join?token=${token}`;

/** The people of the team and their invitations, for its admins. */
export function peopleRoutes(
  routing: Routing,
  operations: Contract['people'],
  { db, publicUrl, authenticator, now }: PeopleDeps,
): void {
  servePages(routing, operations.list, {
    read: (params) => pagePeople(db, params),
    present: presentPerson,
  });

  serve(routing, operations.update, async ({ teamId, params, body, request }) => {
    const by = principalOf(request).person?.id;
    const person = await updatePerson(db, { teamId, id: params.id, by, change: body });
    authenticator.changed();
    return presentPerson(person);
  });

  serve(routing, operations.remove, async ({ teamId, params, request }) => {
    const { id } = params;
    await removePerson(db, { teamId, id, by: principalOf(request).person?.id });
    authenticator.changed();
    return { id };
  });

  serve(routing, operations.signOut, async ({ teamId, params }) => {
    const person = await getPerson(db, { teamId, id: params.id });
    await endSessionsOf(db, person);
    authenticator.changed();
    return presentPerson(person);
  });

  serve(routing, operations.resetFactor, async ({ teamId, params, request }) => {
    if (principalOf(request).person?.id === params.id)
      throw new Problem({
        kind: 'conflict',
        message: 'Remove your own second factor in your account, by a code of it',
      });
    const person = await removeFactor(db, { teamId, id: params.id });
    authenticator.changed();
    return presentPerson(person);
  });

  servePages(routing, operations.listInvitations, {
    read: (params) => pageInvitations(db, { ...params, now: new Date(now()) }),
    present: presentInvitation,
  });

  serve(routing, operations.invite, async ({ teamId, body, request }) => {
    const { person, apiKey } = principalOf(request);
    const { invitation, token } = await createInvitation(db, {
      ...{ teamId, email: body.email, role: body.role, now: new Date(now()) },
      inviter: person ?? apiKey,
    });
    const url = invitationLink(publicUrl(request), token);
    return { ...presentInvitation(invitation), url };
  });

  serve(routing, operations.revokeInvitation, async ({ teamId, params }) => {
    const { id } = params;
    await revokeInvitation(db, { teamId, id });
    return { id };
  });
}
