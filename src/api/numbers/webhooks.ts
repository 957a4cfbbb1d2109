import { askCarrier } from '../../calls/carrier-account.ts';
import type { CarrierName, CarrierNumbers, NumberWebhooks } from '../../ports/carrier.ts';

/** Where a carrier tells of a number's calls and texts. */
function webhooksOf(baseUrl: string, name: CarrierName): NumberWebhooks {
  const base = `${baseUrl}/carriers/${name}`;
  return { voiceUrl: `${base}/voice`, smsUrl: `${base}/sms`, statusUrl: `${base}/status` };
}

/** Has the carrier tell this service of the number's calls; without a public address there is nobody to tell. */
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
