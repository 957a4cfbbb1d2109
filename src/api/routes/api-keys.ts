import type { ApiKey } from '../../contract/api-key.ts';
import type { Contract } from '../../contract/contract.ts';
import {
  createApiKey,
  listApiKeys,
  revokeApiKey,
  type ApiKey as StoredApiKey,
} from '../../store/api-keys.ts';
import type { Db } from '../../store/db.ts';
import { type Page, type PageRequest, toPage } from '../../store/page.ts';
import type { Authenticator } from '../auth.ts';
import { linkNextPage } from '../paging.ts';
import { type Routing, serve } from '../route.ts';

export function apiKeyRoutes(
  routing: Routing,
  operations: Contract['apiKeys'],
  { db, authenticator }: { readonly db: Db; readonly authenticator: Authenticator },
): void {
  serve(routing, operations.list, async ({ teamId, query, request, reply }) => {
    const page = await listActiveApiKeys(db, { teamId, ...query });
    linkNextPage(request, reply, page);
    return page.items.map(presentApiKey);
  });

  serve(routing, operations.create, async ({ teamId, body }) => {
    const { apiKey, key } = await createApiKey(db, { teamId, name: body.name });
    return { ...presentApiKey(apiKey), key };
  });

  serve(routing, operations.remove, async ({ teamId, params }) => {
    const { id } = await revokeApiKey(db, { teamId, id: params.id });
    authenticator.forget(id);
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

function presentApiKey({ id, name, prefix, createdAt }: StoredApiKey): ApiKey {
  return { id, name, prefix, createdAt: createdAt.toISOString() };
}
