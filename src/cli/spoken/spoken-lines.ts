import { randomInt } from 'node:crypto';
import type { AssistantFields } from '../../testing/spoken/spoken-assistant.ts';
import type { SpokenLine } from '../../testing/spoken/spoken-call.ts';
import { HandsetSocket } from '../handset-socket.ts';
import { PhoneCaller } from '../phone-caller.ts';
import type { ServiceClient } from '../service-client.ts';
import { WebCaller } from '../web-caller.ts';
import { redial } from './redial.ts';

/** A number of one call, from a range that is reserved for fiction. */
const fictional = (prefix: string) =>
  `${prefix}${String(randomInt(10_000)).padStart(4, '0')}${randomInt(10)}`;

/** An operator's number that no other call dials, and nobody has. */
export const operatorNumber = () => fictional('+1500556');

interface Stored extends AsyncDisposable {
  readonly assistantId: string;
  readonly number: string;
}

/** The assistant of one spoken test, with a number at the built-in carrier; disposing of it takes both away again. */
async function store(client: ServiceClient, config: AssistantFields): Promise<Stored> {
  const made: (() => Promise<void>)[] = [];
  const dispose = async () => {
    for (const remove of made.splice(0).reverse()) await remove();
  };
  try {
    const { _id: assistantId } = await client.createAssistant(config);
    made.push(() => client.deleteAssistant(assistantId));
    const number = fictional('+1500555');
    const numberId = await client.importNumber('emulator', { number, credentials: undefined });
    made.push(() => client.deleteNumber(numberId));
    await client.attachNumber(numberId, assistantId);
    return { assistantId, number, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** A phone that calls the assistant at the built-in carrier. */
export async function telephoneLine(
  client: ServiceClient,
  config: AssistantFields,
  signal: AbortSignal,
): Promise<SpokenLine> {
  const stored = await store(client, config);
  try {
    const { number: userNumber } = await client.createHandset();
    return {
      userNumber,
      async connect({ onFrame, room }) {
        const phone = await redial(
          async () => {
            const { url } = await client.createHandset(userNumber);
            const dialling = await HandsetSocket.open(url, userNumber, room);
            dialling.say({ type: 'call', to: stored.number });
            await dialling.next('answered');
            return dialling;
          },
          { signal },
        );
        return PhoneCaller.follow(phone, client, onFrame);
      },
      [Symbol.asyncDispose]: () => stored[Symbol.asyncDispose](),
    };
  } catch (error) {
    await stored[Symbol.asyncDispose]();
    throw error;
  }
}

interface WebOptions {
  readonly metadata: Readonly<Record<string, string>>;
  readonly sampleRateHz: number;
  /** The assistant may dial, which needs a number of its own: that of the built-in carrier, which reaches nobody else. */
  readonly dials: boolean;
  readonly signal: AbortSignal;
}

/** A web call of the assistant. */
export async function webLine(
  client: ServiceClient,
  config: AssistantFields,
  { metadata, sampleRateHz, dials, signal }: WebOptions,
): Promise<SpokenLine> {
  const stored = dials ? await store(client, config) : undefined;
  const dial = async (line: Parameters<SpokenLine['connect']>[0]) => {
    const { webCall } = stored
      ? await client.connect(stored.assistantId, metadata)
      : await client.connectInline(config, metadata);
    if (!webCall) throw new Error('the service made a call without a media socket');
    return WebCaller.connect({ url: webCall.url, sampleRateHz, ...line });
  };
  return {
    connect: (line) => redial(() => dial(line), { signal }),
    async [Symbol.asyncDispose]() {
      await stored?.[Symbol.asyncDispose]();
    },
  };
}
