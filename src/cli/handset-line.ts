import { systemClock } from '../lib/system-clock.ts';
import type { ConnectCaller } from './connect-caller.ts';
import { HandsetSocket } from './handset-socket.ts';
import { PhoneCaller } from './phone-caller.ts';
import type { PhoneLine } from './phone-line.ts';
import type { ServiceClient } from './service-client.ts';

/** From the range reserved for fictional numbers. */
const OUR_NUMBER = '+15005550198';
/** Time a person takes to pick up. */
const RING_MS = 1500;

/** A phone of the service's built-in carrier, used from the command line as the browser phone uses it. */
export class HandsetLine implements PhoneLine {
  readonly environment = undefined;
  #numberId: string | undefined;

  caller(
    client: ServiceClient,
    { assistantId, outbound }: { readonly assistantId: string; readonly outbound: boolean },
  ): ConnectCaller {
    return async (onFrame) => {
      const numberId = await client.importNumber('emulator', {
        number: OUR_NUMBER,
        credentials: undefined,
      });
      this.#numberId = numberId;
      await client.attachNumber(numberId, assistantId);
      const { url, number } = await client.createHandset();
      const phone = await HandsetSocket.open(url, number);
      if (outbound) {
        await client.dial(numberId, number);
        await phone.next('ringing');
        systemClock.setTimeout(() => phone.say({ type: 'answer' }), RING_MS);
      } else phone.say({ type: 'call', to: OUR_NUMBER });
      await phone.next('answered');
      return PhoneCaller.follow(phone, client, onFrame);
    };
  }

  async release(client: ServiceClient): Promise<void> {
    if (this.#numberId !== undefined) await client.deleteNumber(this.#numberId);
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}
