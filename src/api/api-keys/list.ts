import { type ApiKey, listApiKeys } from '../../store/api-keys.ts';
import type { Db } from '../../store/db.ts';
import { type Page, type PageRequest, toPage } from '../../store/page.ts';

/** The keys that still let someone in, newest first. A team has few: they are paged in memory. */
export async function listActiveApiKeys(
  db: Db,
  { teamId, limit, cursor }: { readonly teamId: string } & PageRequest,
): Promise<Page<ApiKey>> {
  const active = (await listApiKeys(db, { teamId })).filter(({ revokedAt }) => !revokedAt);
  return toPage(cursor === undefined ? active : active.filter(({ id }) => id < cursor), limit);
}
