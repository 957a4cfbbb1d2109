import type { Number as PhoneNumber } from '../../../client/api.generated.ts';
import type { Client } from '../../../client/client.ts';
import { importTestNumber } from '../../numbers/import-test-number.ts';

/** Numbers of the built-in carrier that have an assistant. */
export async function listEmulatorNumbers(
  client: Client,
  signal: AbortSignal,
): Promise<readonly PhoneNumber[]> {
  const numbers = await client.call('listNumbers', { signal });
  return numbers.filter(
    ({ provider, assistantId }) => provider.name === 'emulator' && Boolean(assistantId),
  );
}

/** Creates a number of the built-in carrier for an assistant. */
export async function addEmulatorNumber(client: Client, assistantId: string): Promise<void> {
  const { _id } = await importTestNumber(client, 'Console');
  await client.call('updateNumber', { path: { id: _id }, body: { assistantId } });
}
