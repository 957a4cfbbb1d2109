import { askCarrier, numbersOf, openAccount } from '../../calls/carrier-account.ts';
import type { Db } from '../../store/db.ts';
import {
  deleteNumber,
  findNumberCredentials,
  getNumber,
  type NumberRecord,
} from '../../store/numbers.ts';
import type { ApiDeps } from '../deps.ts';

/** Deletes a number. If requested it is released at the carrier first, and kept if that fails. */
export async function removeNumber(
  { db, carriers }: Pick<ApiDeps, 'db' | 'carriers'>,
  {
    teamId,
    id,
    release,
  }: { readonly teamId: string; readonly id: string; readonly release: boolean },
): Promise<void> {
  const number = await getNumber(db, { teamId, id });
  if (release) await releaseNumber(db, carriers, number);
  await deleteNumber(db, { teamId, id });
}

async function releaseNumber(
  db: Db,
  carriers: ApiDeps['carriers'],
  record: NumberRecord,
): Promise<void> {
  const { provider, number } = record;
  const credentials = await findNumberCredentials(db, record);
  const numbers = numbersOf(openAccount(carriers, provider, credentials));
  await askCarrier(provider, async (signal) => {
    const carrierNumberId = record.carrierNumberId ?? (await numbers.find(number, signal));
    if (carrierNumberId !== undefined) await numbers.release(carrierNumberId, signal);
  });
}
