import { askCarrier, numbersOf, openAccount } from '../../calls/carrier-account.ts';
import { Problem } from '../../contract/errors.ts';
import type { NumberWebhooks } from '../../ports/carrier.ts';
import { findNumberCredentials, getNumber, setCarrierNumberId } from '../../store/numbers.ts';
import type { ApiDeps } from '../deps.ts';
import { setWebhooks } from './webhooks.ts';

const conflict = (message: string): Problem => new Problem({ kind: 'conflict', message });

/** Has a number's carrier tell this service of its calls and texts, whatever it was told before. */
export async function configureNumber(
  { db, carriers, carrierBaseUrl: baseUrl }: Pick<ApiDeps, 'db' | 'carriers' | 'carrierBaseUrl'>,
  one: { readonly teamId: string; readonly id: string },
): Promise<NumberWebhooks> {
  const record = await getNumber(db, one);
  const { provider: name, number } = record;
  const credentials = await findNumberCredentials(db, one);
  const numbers = numbersOf(openAccount(carriers, name, credentials));
  if (baseUrl === undefined)
    throw conflict('The service has no public address: start it with PUBLIC_URL');
  const carrierNumberId =
    record.carrierNumberId ?? (await askCarrier(name, (signal) => numbers.find(number, signal)));
  if (carrierNumberId === undefined)
    throw conflict(`The ${name} account does not have the number ${number}`);
  const webhooks = await setWebhooks(numbers, { name, carrierNumberId, baseUrl });
  await setCarrierNumberId(db, { ...one, carrierNumberId });
  return webhooks;
}
