import { and, desc, eq, gt, isNull, lt, ne, or } from 'drizzle-orm';
import type { KeyOrigin } from '../contract/api-key.ts';
import type { Role } from '../contract/role.ts';
import { newToken, uuidv7 } from '../lib/ids.ts';
import type { Db } from './db.ts';
import { LastAdminError, NotFoundError } from './errors.ts';
import { apiKeys, teams } from './schema/teams.ts';
import { secretHash } from './secret-hash.ts';
import { lockTeam, type Team } from './teams.ts';

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
    if (!isLasting({ role, expiresAt })) await refuseWithoutAdmin(tx, apiKey);
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
    await refuseWithoutAdmin(tx, apiKey);
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

/** Throws LastAdminError if the team has no other admin's key that is there to stay. */
async function refuseWithoutAdmin(tx: Db, apiKey: ApiKey): Promise<void> {
  if (!isLasting(apiKey)) return;
  const [other] = await tx
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.teamId, apiKey.teamId),
        ne(apiKeys.id, apiKey.id),
        eq(apiKeys.role, 'admin'),
        isNull(apiKeys.expiresAt),
        isNull(apiKeys.revokedAt),
      ),
    )
    .limit(1);
  if (!other) throw new LastAdminError();
}
