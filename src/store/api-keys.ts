import { and, desc, eq, gt, isNull, lt, or } from 'drizzle-orm';
import type { KeyOrigin } from '../contract/api-key.ts';
import type { Role } from '../contract/role.ts';
import { newToken, uuidv7 } from '../lib/ids.ts';
import { refuseWithoutAdmin } from './admins.ts';
import type { Db } from './db.ts';
import { NotFoundError } from './errors.ts';
import { listed, type Narrowing } from './listed.ts';
import { type Page, type PageRequest, toPage } from './page.ts';
import { apiKeys, teams } from './schema/teams.ts';
import { secretHash } from './secret-hash.ts';
import { lockTeam, type Team } from './teams.ts';
import { voidInvitationsOf } from './void-invitations.ts';

/** An API key without its secret. */
export interface ApiKey {
  readonly id: string;
  readonly teamId: string;
  readonly name: string;
  readonly role: Role;
  /** First characters of the key, to recognise it by. */
  readonly prefix: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  /** To the minute. */
  readonly lastUsedAt: Date | null;
  /** The address of the request that last used it. */
  readonly lastUsedFrom: string | null;
  readonly origin: KeyOrigin | null;
  readonly revokedAt: Date | null;
}

const PREFIX_CHARS = 11;
/** Uses within this time of the last one are not written, so that a busy key costs no writes. */
const USE_MS = 60_000;

const shown = {
  id: apiKeys.id,
  teamId: apiKeys.teamId,
  name: apiKeys.name,
  role: apiKeys.role,
  prefix: apiKeys.prefix,
  createdAt: apiKeys.createdAt,
  expiresAt: apiKeys.expiresAt,
  lastUsedAt: apiKeys.lastUsedAt,
  lastUsedFrom: apiKeys.lastUsedFrom,
  origin: apiKeys.origin,
  revokedAt: apiKeys.revokedAt,
};

const team = {
  suspendedAt: teams.suspendedAt,
  suspensionReason: teams.suspensionReason,
  limits: teams.limits,
};

interface One {
  readonly teamId: string;
  readonly id: string;
}

const own = ({ teamId, id }: One) => and(eq(apiKeys.teamId, teamId), eq(apiKeys.id, id));
const isValid = (now: Date) =>
  and(isNull(apiKeys.revokedAt), or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)));

/** Creates a key. `key` is the secret, which cannot be read again later. */
export async function createApiKey(
  db: Db,
  params: {
    readonly teamId: string;
    readonly name: string;
    /** @defaultValue admin */
    readonly role?: Role;
    /** @defaultValue never */
    readonly expiresAt?: Date | null;
    readonly origin?: KeyOrigin;
    /** @defaultValue a random one */
    readonly key?: string;
  },
): Promise<{ readonly apiKey: ApiKey; readonly key: string }> {
  const key = params.key ?? `parley_${newToken()}`;
  const apiKey = {
    id: uuidv7(),
    teamId: params.teamId,
    name: params.name,
    role: params.role ?? 'admin',
    prefix: key.slice(0, Math.min(PREFIX_CHARS, key.length >> 1)),
    createdAt: new Date(),
    expiresAt: params.expiresAt ?? null,
    lastUsedAt: null,
    lastUsedFrom: null,
    origin: params.origin ?? null,
    revokedAt: null,
  };
  await db.insert(apiKeys).values({ ...apiKey, hash: secretHash(key) });
  return { apiKey, key };
}

/** A key with what its team may do now. */
export type KeyHolder = ApiKey & {
  readonly team: Pick<Team, 'suspendedAt' | 'suspensionReason' | 'limits'>;
};

/** Finds the given key; undefined if it is unknown, revoked or expired. */
export async function findApiKey(
  db: Db,
  params: {
    readonly key: string;
    /** @defaultValue the wall clock */
    readonly now?: Date;
  },
): Promise<KeyHolder | undefined> {
  const { key, now = new Date() } = params;
  const [row] = await db
    .select({ apiKey: shown, team })
    .from(apiKeys)
    .innerJoin(teams, eq(teams.id, apiKeys.teamId))
    .where(and(eq(apiKeys.hash, secretHash(key)), isValid(now)));
  return row && { ...row.apiKey, team: row.team };
}

/** Notes a use of a key, once a minute at most. */
export async function noteKeyUse(
  db: Db,
  params: {
    readonly apiKey: Pick<ApiKey, 'id' | 'lastUsedAt'>;
    readonly from: string;
    readonly now: Date;
  },
): Promise<void> {
  const { apiKey, from, now } = params;
  const before = new Date(now.getTime() - USE_MS);
  if (apiKey.lastUsedAt && apiKey.lastUsedAt > before) return;
  await db
    .update(apiKeys)
    .set({ lastUsedAt: now, lastUsedFrom: from })
    .where(
      and(
        eq(apiKeys.id, apiKey.id),
        // Several processes may note the same use.
        or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, before)),
      ),
    );
}

/** Newest first, revoked ones included. */
export async function listApiKeys(
  db: Db,
  params: { readonly teamId: string },
): Promise<readonly ApiKey[]> {
  return db
    .select(shown)
    .from(apiKeys)
    .where(eq(apiKeys.teamId, params.teamId))
    .orderBy(desc(apiKeys.id));
}

/** The keys that are not revoked, newest first. */
export async function pageApiKeys(
  db: Db,
  params: { readonly teamId: string } & PageRequest & Narrowing,
): Promise<Page<ApiKey>> {
  const { limit } = params;
  const { name, prefix, role } = apiKeys;
  const query = db
    .select(shown)
    .from(apiKeys)
    .where(and(listed(apiKeys, params, [name, prefix, role]), isNull(apiKeys.revokedAt)))
    .orderBy(desc(apiKeys.id));
  return toPage(await (limit === undefined ? query : query.limit(limit + 1)), limit);
}

/** Changes a key that is not revoked. Throws NotFoundError or LastAdminError. */
export async function updateApiKey(
  db: Db,
  params: One & {
    readonly change: {
      readonly name?: string | undefined;
      readonly role?: Role | undefined;
      /** Null: never. */
      readonly expiresAt?: Date | null | undefined;
    };
  },
): Promise<ApiKey> {
  const { change } = params;
  return db.transaction(async (tx) => {
    const apiKey = await lockApiKey(tx, params);
    if (!apiKey || apiKey.revokedAt) throw new NotFoundError('api-key', params.id);
    const { name = apiKey.name, role = apiKey.role, expiresAt = apiKey.expiresAt } = change;
    if (isLasting(apiKey) && !isLasting({ role, expiresAt })) await refuseWithoutAdmin(tx, apiKey);
    if (role !== apiKey.role) await voidInvitationsOf(tx, apiKey);
    await tx.update(apiKeys).set({ name, role, expiresAt }).where(own(params));
    return { ...apiKey, name, role, expiresAt };
  });
}

/** Revokes a key; repeating it keeps the first time. Throws NotFoundError or LastAdminError. */
export async function revokeApiKey(db: Db, params: One): Promise<ApiKey> {
  return db.transaction(async (tx) => {
    const apiKey = await lockApiKey(tx, params);
    if (!apiKey) throw new NotFoundError('api-key', params.id);
    if (apiKey.revokedAt) return apiKey;
    if (isLasting(apiKey)) await refuseWithoutAdmin(tx, apiKey);
    await voidInvitationsOf(tx, apiKey);
    const revokedAt = new Date();
    await tx.update(apiKeys).set({ revokedAt }).where(own(params));
    return { ...apiKey, revokedAt };
  });
}

/** Reads a key for a change. The lock is the team's, so that two admins cannot remove each other at once. */
async function lockApiKey(tx: Db, params: One): Promise<ApiKey | undefined> {
  await lockTeam(tx, params);
  const [apiKey] = await tx.select(shown).from(apiKeys).where(own(params));
  return apiKey;
}

const isLasting = ({ role, expiresAt }: Pick<ApiKey, 'role' | 'expiresAt'>) =>
  role === 'admin' && expiresAt === null;
