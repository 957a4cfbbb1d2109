import type { Number as PhoneNumber } from '../../../client/api.generated.ts';
import { ApiError } from '../../../client/api-error.ts';
import type { Client } from '../../../client/client.ts';

const TRIES = 4;

/** The built-in carrier's numbers behind which an assistant answers. */
export async function listEmulatorNumbers(
  client: Client,
  signal: AbortSignal,
): Promise<readonly PhoneNumber[]> {
  const numbers = await client.call('listNumbers', { signal });
  return numbers.filter(
    ({ provider, assistantId }) => provider.name === 'emulator' && Boolean(assistantId),
  );
}

/** Gets an assistant a number of the built-in carrier. */
export async function addEmulatorNumber(client: Client, assistantId: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      const { _id } = await client.call('importEmulatorNumber', {
        body: { number: `+1555010${1000 + Math.floor(Math.random() * 9000)}`, label: 'Console' },
      });
      await client.call('updateNumber', { path: { id: _id }, body: { assistantId } });
      return;
    } catch (error) {
      // Someone has the number already: another one is as good.
      const taken = error instanceof ApiError && error.status === 409;
      if (!taken || attempt === TRIES) throw error;
    }
  }
}
