import { randomInt } from 'node:crypto';
import type { AssistantFields } from '../../testing/spoken/spoken-assistant.ts';
import type { SpokenLine } from '../../testing/spoken/spoken-call.ts';
import { HandsetSocket } from '../handset-socket.ts';
import { PhoneCaller } from '../phone-caller.ts';
import type { ServiceClient } from '../service-client.ts';
import { redial } from './redial.ts';

/** From the range reserved for fictional numbers; each call has its own. */
const ourNumber = () => `+1500555${String(randomInt(10_000)).padStart(4, '0')}${randomInt(10)}`;

/** A number with the assistant of one spoken test at the built-in carrier, and a phone that calls it; disposing of it takes that away again. */
export async function prepareTelephoneCall(
  client: ServiceClient,
  config: AssistantFields,
  signal: AbortSignal,
): Promise<SpokenLine> {
  const made: (() => Promise<void>)[] = [];
  const dispose = async () => {
    for (const remove of made.splice(0).reverse()) await remove();
  };
  try {
    const { _id: assistantId } = await client.createAssistant(config);
    made.push(() => client.deleteAssistant(assistantId));
    const number = ourNumber();
    const numberId = await client.importNumber('emulator', { number, credentials: undefined });
    made.push(() => client.deleteNumber(numberId));
    await client.attachNumber(numberId, assistantId);
    const { number: userNumber } = await client.createHandset();
    return {
      userNumber,
      async connect({ onFrame, room }) {
        const phone = await redial(
          async () => {
            const { url } = await client.createHandset(userNumber);
            const dialling = await HandsetSocket.open(url, userNumber, room);
            dialling.say({ type: 'call', to: number });
            await dialling.next('answered');
            return dialling;
          },
          { signal },
        );
        return PhoneCaller.follow(phone, client, onFrame);
      },
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}
