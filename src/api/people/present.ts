import type { Invitation, Person } from '../../contract/person.ts';
import type { Invitation as StoredInvitation } from '../../store/invitations.ts';
import type { Person as StoredPerson } from '../../store/people.ts';

/** A person as the API shows them. */
export function presentPerson(person: StoredPerson): Person {
  const { id, email, name, role, totpSecret, createdAt, lastSignInAt } = person;
  return {
    ...{ id, email, name, role, secondFactor: totpSecret !== null },
    createdAt: createdAt.toISOString(),
    ...(lastSignInAt ? { lastSignInAt: lastSignInAt.toISOString() } : {}),
  };
}

/** An invitation as the API shows it. */
export function presentInvitation(invitation: StoredInvitation): Invitation {
  const { id, email, role, createdAt, expiresAt, invitedBy } = invitation;
  return {
    ...{ id, role, createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() },
    ...(email === null ? {} : { email }),
    ...(invitedBy === null ? {} : { invitedBy }),
  };
}
