import { asc, eq, sql } from 'drizzle-orm';
import { advisoryLocks } from './advisory-locks.ts';
import { type ApiKey, createApiKey } from './api-keys.ts';
import type { Db } from './db.ts';
import { createInvitation } from './invitations.ts';
import { apiKeys, teams } from './schema/teams.ts';
import { addFirstKey } from './sealed-content.ts';
import { secretHash } from './secret-hash.ts';
import { createTeam, type Team } from './teams.ts';

export interface FirstTeam {
  readonly team: Team;
  /** True if the team was created now: this is the very first start. */
  readonly created: boolean;
  /** The random key, shown only once. */
  readonly newKey?: string;
  /** With it the first person makes an account for themselves; made with the team, shown only once. */
  readonly invitation?: string;
  readonly apiKey?: ApiKey;
}

/**
 * Ensures that there is a team with an API key. A random key is only created (and returned) on the very first start; a
 * configured key is added to the first team unless it is known.
 */
export async function ensureFirstTeam(
  db: Db,
  params: { readonly configuredKey?: string } = {},
): Promise<FirstTeam> {
  const { configuredKey } = params;
  return db.transaction(async (tx) => {
    // Several nodes may start for the first time at once.
    await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.firstStart})`);
    const [existing] = await tx.select().from(teams).orderBy(asc(teams.id)).limit(1);
    const team = existing ?? (await createTeam(tx, { name: 'Default' }));
    const created = existing === undefined;
    if (created) await addFirstKey(tx, team);
    if (configuredKey === undefined) {
      if (existing) return { team, created };
      const made = await createApiKey(tx, {
        teamId: team.id,
        name: 'First key',
        origin: { type: 'first-start' },
      });
      const invitation = await inviteFirst(tx, team);
      return { team, created, newKey: made.key, apiKey: made.apiKey, invitation };
    }
    const known = await tx
      .select({ id: apiKeys.id })
      .from(apiKeys)
      .where(eq(apiKeys.hash, secretHash(configuredKey)));
    if (known.length > 0) return { team, created };
    const { apiKey } = await createApiKey(tx, {
      teamId: team.id,
      name: 'API_KEY',
      origin: { type: 'environment' },
      key: configuredKey,
    });
    return {
      ...{ team, created, apiKey },
      ...(created ? { invitation: await inviteFirst(tx, team) } : {}),
    };
  });
}

async function inviteFirst(tx: Db, { id: teamId }: Team): Promise<string> {
  const first = { email: null, role: 'admin', now: new Date() } as const;
  return (await createInvitation(tx, { teamId, ...first })).token;
}
