import type { ApiKey } from '../../contract/api-key.ts';
import type { ApiKey as StoredApiKey } from '../../store/api-keys.ts';

export function presentApiKey({ id, name, prefix, createdAt }: StoredApiKey): ApiKey {
  return { id, name, prefix, createdAt: createdAt.toISOString() };
}
