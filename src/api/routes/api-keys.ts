import type { ApiKey } from '../../contract/api-key.ts';
import type { Contract } from '../../contract/contract.ts';
import { invalid } from '../../contract/errors.ts';
import {
  createApiKey,
  listApiKeys,
  revokeApiKey,
  type ApiKey as StoredApiKey,
  updateApiKey,
} from '../../store/api-keys.ts';
import type { Db } from '../../store/db.ts';
import { type Page, type PageRequest, toPage } from '../../store/page.ts';
import { getTeam } from '../../store/teams.ts';
import { type Authenticator, unauthorized } from '../auth.ts';
import { serveList } from '../list-route.ts';
import { linkNextPage } from '../paging.ts';
import { portionsOf } from '../portions.ts';
import { principalOf, type Routing, serve } from '../route.ts';

interface ApiKeyDeps {
  readonly db: Db;
  readonly authenticator: Authenticator;
  /** Current time, epoch ms. */
  readonly now: () => number;
}

export function apiKeyRoutes(
  routing: Routing,
  operations: Contract['apiKeys'],
  { db, authenticator, now }: ApiKeyDeps,
): void {
  const expiry = (text: string): Date => {
    const at = new Date(text);
    if (at.getTime() > now()) return at;
    throw invalid([{ path: 'expiresAt', message: 'must be in the future' }]);
  };

  serveList(routing, operations.list, async ({ teamId, query, request, reply }) => {
    const page = await listActiveApiKeys(db, { teamId, ...query });
    linkNextPage(request, reply, page);
    return { portions: portionsOf(page.items), present: presentApiKey };
  });

  serve(routing, operations.create, async ({ teamId, body, request }) => {
    const { name, role, expiresAt } = body;
    const maker = principalOf(request).apiKey;
    const { apiKey, key } = await createApiKey(db, {
      teamId,
      name,
      role,
      expiresAt: expiresAt === undefined ? null : expiry(expiresAt),
      origin: { type: 'api-key', ...(maker ? { name: maker.name } : {}) },
    });
    return { ...presentApiKey(apiKey), key };
  });

  serve(routing, operations.who, async ({ teamId, request }) => {
    const { role, apiKey } = principalOf(request);
    if (!apiKey) throw unauthorized();
    const { name: teamName } = await getTeam(db, { teamId });
    return { teamId, teamName, role, apiKey: { id: apiKey.id, name: apiKey.name } };
  });

  serve(routing, operations.update, async ({ teamId, params, body }) => {
    const { expiresAt, ...rest } = body;
    const change = typeof expiresAt === 'string' ? { expiresAt: expiry(expiresAt) } : { expiresAt };
    const changed = await updateApiKey(db, {
      teamId,
      id: params.id,
      change: { ...rest, ...change },
    });
    authenticator.changed();
    return presentApiKey(changed);
  });

  serve(routing, operations.remove, async ({ teamId, params }) => {
    const { id } = await revokeApiKey(db, { teamId, id: params.id });
    authenticator.changed();
    return { id };
  });
}

/** The keys that are not revoked, newest first. They are paged in memory, since a team has few. */
async function listActiveApiKeys(
  db: Db,
  { teamId, limit, cursor }: { readonly teamId: string } & PageRequest,
): Promise<Page<StoredApiKey>> {
  const active = (await listApiKeys(db, { teamId })).filter(({ revokedAt }) => !revokedAt);
  return toPage(cursor === undefined ? active : active.filter(({ id }) => id < cursor), limit);
}

/** An API key as the API shows it. */
export function presentApiKey(key: StoredApiKey): ApiKey {
  const { id, name, role, prefix, createdAt, expiresAt, lastUsedAt, lastUsedFrom, origin } = key;
  return {
    id,
    name,
    role,
    prefix,
    createdAt: createdAt.toISOString(),
    ...(expiresAt ? { expiresAt: expiresAt.toISOString() } : {}),
    ...(lastUsedAt ? { lastUsedAt: lastUsedAt.toISOString() } : {}),
    ...(lastUsedFrom ? { lastUsedFrom } : {}),
    ...(origin ? { origin } : {}),
  };
}
