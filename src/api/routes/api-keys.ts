import type { ApiKey } from '../../contract/api-key.ts';
import type { Contract } from '../../contract/contract.ts';
import { invalid } from '../../contract/errors.ts';
import {
  createApiKey,
  pageApiKeys,
  revokeApiKey,
  type ApiKey as StoredApiKey,
  updateApiKey,
} from '../../store/api-keys.ts';
import type { Db } from '../../store/db.ts';
import { getTeam } from '../../store/teams.ts';
import type { Authenticator } from '../auth.ts';
import { servePages } from '../list-route.ts';
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

  servePages(routing, operations.list, {
    read: (params) => pageApiKeys(db, params),
    present: presentApiKey,
  });

  serve(routing, operations.create, async ({ teamId, body, request }) => {
    const { name, role, expiresAt } = body;
    const { apiKey: maker, person } = principalOf(request);
    const by = maker ?? person;
    const { apiKey, key } = await createApiKey(db, {
      teamId,
      name,
      role,
      expiresAt: expiresAt === undefined ? null : expiry(expiresAt),
      origin: { type: person ? 'person' : 'api-key', ...(by ? { name: by.name } : {}) },
    });
    return { ...presentApiKey(apiKey), key };
  });

  serve(routing, operations.who, async ({ teamId, request }) => {
    const { role, apiKey, person } = principalOf(request);
    const { name: teamName } = await getTeam(db, { teamId });
    if (!person) return { teamId, teamName, role, apiKey };
    const { id, name, email } = person;
    return { teamId, teamName, role, person: { id, name, email } };
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
