import type { Number as PhoneNumber } from '../../../client/api.generated.ts';
import { ApiError } from '../../../client/api-error.ts';
import type { Client } from '../../../client/client.ts';

const TRIES = 4;

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
  for (let attempt = 1; ; attempt++) {
    try {
      const { _id } = await client.call('importEmulatorNumber', {
        body: { number: `+1555010${1000 + Math.floor(Math.random() * 9000)}`, label: 'Console' },
      });
      await client.call('updateNumber', { path: { id: _id }, body: { assistantId } });
      return;
    } catch (error) {
      // The number is taken; try another one.
      const taken = error instanceof ApiError && error.status === 409;
      if (!taken || attempt === TRIES) throw error;
    }
  }
}
