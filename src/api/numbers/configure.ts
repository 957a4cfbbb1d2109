import { askCarrier, numbersOf, openAccount } from '../../calls/carrier-account.ts';
import { Problem } from '../../contract/errors.ts';
import type { CarrierName, CarrierNumbers, NumberWebhooks } from '../../ports/carrier.ts';
import { findNumberCredentials, getNumber, setCarrierNumberId } from '../../store/numbers.ts';
import type { ApiDeps } from '../deps.ts';

const conflict = (message: string): Problem => new Problem({ kind: 'conflict', message });

/** Sets the webhooks of a number at its carrier to this service, replacing previous ones. */
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

/** The URLs for a carrier's webhooks about calls and text messages. */
export function webhooksOf(baseUrl: string, name: CarrierName): NumberWebhooks {
  const base = `${baseUrl}/carriers/${name}`;
  return { voiceUrl: `${base}/voice`, smsUrl: `${base}/sms`, statusUrl: `${base}/status` };
}

/** Sets a number's webhooks at its carrier to this service. */
export async function setWebhooks(
  numbers: CarrierNumbers,
  {
    name,
    carrierNumberId,
    baseUrl,
  }: { readonly name: CarrierName; readonly carrierNumberId: string; readonly baseUrl: string },
): Promise<NumberWebhooks> {
  const webhooks = webhooksOf(baseUrl, name);
  await askCarrier(name, (signal) => numbers.configureWebhooks(carrierNumberId, webhooks, signal));
  return webhooks;
}
