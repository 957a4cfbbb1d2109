import type {
  AsteriskNumberImport,
  Number as PhoneNumber,
  TelnyxNumberImport,
  TwilioNumberImport,
} from '../../client/api.generated.ts';
import type { Client } from '../../client/client.ts';
import { importOf, type NumberDraft } from './number-draft.ts';

/** Imports a number; accounts differ, so each carrier has its own operation. */
export function importNumber(client: Client, draft: NumberDraft): Promise<PhoneNumber> {
  // The form has a field for each part of the account; the service validates them.
  const body: unknown = importOf(draft);
  if (draft.carrier === 'twilio')
    return client.call('importTwilioNumber', { body: body as TwilioNumberImport });
  if (draft.carrier === 'telnyx')
    return client.call('importTelnyxNumber', { body: body as TelnyxNumberImport });
  if (draft.carrier === 'asterisk')
    return client.call('importAsteriskNumber', { body: body as AsteriskNumberImport });
  const { number, label } = importOf(draft);
  return client.call('importEmulatorNumber', { body: { number, label } });
}
