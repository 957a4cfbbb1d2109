import { askCarrier, numbersOf, openAccount } from '../../calls/carrier-account.ts';
import { invalid, Problem } from '../../contract/errors.ts';
import type { CarrierCredentials, CarrierName } from '../../ports/carrier.ts';
import type { Db } from '../../store/db.ts';
import {
  createNumber,
  deleteNumber,
  findTeamCredentials,
  type NumberRecord,
  setCarrierNumberId,
} from '../../store/numbers.ts';
import type { ApiDeps } from '../deps.ts';
import { refuseManyAccounts } from './account-limit.ts';
import { setWebhooks } from './configure.ts';

type NumberDeps = Pick<ApiDeps, 'db' | 'carriers' | 'carrierBaseUrl' | 'numbersChanged'>;

interface NewNumber {
  readonly teamId: string;
  readonly provider: CarrierName;
  readonly number: string;
  readonly label: string;
}

/**
 * Imports a number that the team has at a carrier. Carriers that can list their numbers are asked first, so that the
 * response for somebody else's number does not reveal whether another team has imported it.
 */
export async function importNumber(
  { db, carriers, carrierBaseUrl: baseUrl, numbersChanged }: NumberDeps,
  params: NewNumber & { readonly credentials?: CarrierCredentials[CarrierName] | undefined },
): Promise<NumberRecord> {
  const { provider, number, credentials } = params;
  const { numbers } = openAccount(carriers, provider, credentials);
  const carrierNumberId =
    numbers && (await askCarrier(provider, (signal) => numbers.find(number, signal)));
  if (numbers && carrierNumberId === undefined)
    throw invalid([{ path: 'number', message: `the ${provider} account does not have it` }]);
  await refuseManyAccounts({ db, carriers }, params);
  const created = await createNumber(db, { ...params, carrierNumberId });
  numbersChanged?.();
  // Without a public URL the carrier could not reach this service.
  if (!numbers || carrierNumberId === undefined || baseUrl === undefined) return created;
  await orRemove(db, created, () =>
    setWebhooks(numbers, { name: provider, carrierNumberId, baseUrl }),
  );
  return created;
}

/** Buys a number. Once bought it is kept, even if a later step fails. */
export async function purchaseNumber(
  { db, carriers, carrierBaseUrl: baseUrl }: NumberDeps,
  params: NewNumber,
): Promise<NumberRecord> {
  const { teamId, provider, number } = params;
  const credentials = carriers.ownCredentials(provider)
    ? undefined
    : await findTeamCredentials(db, { teamId, provider });
  const numbers = numbersOf(openAccount(carriers, provider, credentials));
  const created = await createNumber(db, { ...params, credentials });
  const bought = await orRemove(db, created, async () => {
    const carrierNumberId = await askCarrier(provider, (signal) =>
      numbers.purchase(number, signal),
    );
    return { ...created, carrierNumberId };
  });
  const kept = await setCarrierNumberId(db, bought);
  if (baseUrl === undefined) return kept;
  try {
    await setWebhooks(numbers, { name: provider, baseUrl, ...bought });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const message = `The number was bought and is kept, but calls to it will not arrive: ${error.message}`;
    throw new Problem({ kind: 'vendor', message, cause: error });
  }
  return kept;
}

/**
 * Runs `work` after the row was created, so that only one of two requests for a number succeeds; removes the row if
 * `work` fails.
 */
async function orRemove<T>(db: Db, created: NumberRecord, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await deleteNumber(db, created);
    throw error;
  }
}
