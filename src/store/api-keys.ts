import { and, desc, eq, isNull } from 'drizzle-orm';
import { newToken, uuidv7 } from '../lib/ids.ts';
import type { Db } from './db.ts';
import { NotFoundError } from './errors.ts';
import { apiKeys } from './schema/teams.ts';
import { secretHash } from './secret-hash.ts';

/** An API key without its secret. */
export interface ApiKey {
  readonly id: string;
  readonly teamId: string;
  readonly name: string;
  /** First characters of the key, to recognise it by. */
  readonly prefix: string;
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
}

const PREFIX_CHARS = 11;

const shown = {
  id: apiKeys.id,
  teamId: apiKeys.teamId,
  name: apiKeys.name,
  prefix: apiKeys.prefix,
  createdAt: apiKeys.createdAt,
  revokedAt: apiKeys.revokedAt,
};

/** Creates a key. `key` is the secret, which cannot be read again later. */
export async function createApiKey(
  db: Db,
  params: {
    readonly teamId: string;
    readonly name: string;
    /** @defaultValue a random one */
    readonly key?: string;
  },
): Promise<{ readonly apiKey: ApiKey; readonly key: string }> {
  const key = params.key ?? `parley_${newToken()}`;
  const apiKey = {
    id: uuidv7(),
    teamId: params.teamId,
    name: params.name,
    prefix: key.slice(0, Math.min(PREFIX_CHARS, key.length >> 1)),
    createdAt: new Date(),
    revokedAt: null,
  };
  await db.insert(apiKeys).values({ ...apiKey, hash: secretHash(key) });
  return { apiKey, key };
}

/** Finds the given key; undefined if it is unknown or revoked. */
export async function findApiKey(
  db: Db,
  params: { readonly key: string },
): Promise<ApiKey | undefined> {
  const [apiKey] = await db
    .select(shown)
    .from(apiKeys)
    .where(and(eq(apiKeys.hash, secretHash(params.key)), isNull(apiKeys.revokedAt)));
  return apiKey;
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

/** Revokes a key; repeating it keeps the first time. */
export async function revokeApiKey(
  db: Db,
  params: { readonly teamId: string; readonly id: string },
): Promise<ApiKey> {
  const own = and(eq(apiKeys.teamId, params.teamId), eq(apiKeys.id, params.id));
  const [revoked] = await db
    .update(apiKeys)
    .set({ revokedAt: new Date() })
    .where(and(own, isNull(apiKeys.revokedAt)))
    .returning(shown);
  if (revoked) return revoked;
  const [apiKey] = await db.select(shown).from(apiKeys).where(own);
  if (!apiKey) throw new NotFoundError('api-key', params.id);
  return apiKey;
}
