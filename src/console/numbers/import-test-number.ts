import type { Number as PhoneNumber } from '../../client/api.generated.ts';
import { ApiError } from '../../client/api-error.ts';
import type { Client } from '../../client/client.ts';

const TRIES = 4;

/**
 * Creates a number of the built-in carrier, from a range reserved for fiction and apart from that of its telephones.
 * Which numbers other teams have only the service knows.
 */
export async function importTestNumber(client: Client, label: string): Promise<PhoneNumber> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await client.call('importEmulatorNumber', {
        body: { number: `+1555010${1000 + Math.floor(Math.random() * 9000)}`, label },
      });
    } catch (error) {
      // The number is taken; try another one.
      const taken = error instanceof ApiError && error.status === 409;
      if (!taken || attempt === TRIES) throw error;
    }
  }
}
