import { openAccount } from '../../calls/carrier-account.ts';
import { Problem } from '../../contract/errors.ts';
import { MAX_EVENT_ACCOUNTS } from '../../contract/number.ts';
import type { CarrierCredentials, CarrierName } from '../../ports/carrier.ts';
import type { Db } from '../../store/db.ts';
import { listTeamCredentials } from '../../store/numbers.ts';
import type { ApiDeps } from '../deps.ts';

/**
 * Throws Problem if a number with these credentials would be at one account too many, of those whose events this service
 * follows on a socket for each.
 */
export async function refuseManyAccounts(
  { db, carriers }: { readonly db: Db; readonly carriers: ApiDeps['carriers'] },
  {
    teamId,
    provider,
    credentials,
  }: {
    readonly teamId: string;
    readonly provider: CarrierName;
    readonly credentials?: CarrierCredentials[CarrierName] | undefined;
  },
): Promise<void> {
  const sourceOf = (own: CarrierCredentials[CarrierName]) =>
    openAccount(carriers, provider, own).eventSource;
  const wanted = credentials && sourceOf(credentials);
  if (wanted === undefined) return;
  const sources = new Set((await listTeamCredentials(db, { teamId, provider })).map(sourceOf));
  if (sources.has(wanted) || sources.size < MAX_EVENT_ACCOUNTS) return;
  const message = `A team may have numbers at ${MAX_EVENT_ACCOUNTS} different ${provider} accounts at most: delete the numbers of one first`;
  throw new Problem({ kind: 'conflict', message });
}
