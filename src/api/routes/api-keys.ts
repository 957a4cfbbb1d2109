import type { Contract } from '../../contract/contract.ts';
import { createApiKey, revokeApiKey } from '../../store/api-keys.ts';
import type { Db } from '../../store/db.ts';
import { listActiveApiKeys } from '../api-keys/list.ts';
import { presentApiKey } from '../api-keys/present.ts';
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
