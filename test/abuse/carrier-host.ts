import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { createAsteriskCarrier } from '../../src/carriers/asterisk/carrier.ts';
import { createTelnyxCarrier } from '../../src/carriers/telnyx/carrier.ts';
import { createTwilioCarrier } from '../../src/carriers/twilio/carrier.ts';
import { CarrierLeg } from '../../src/gateway/carrier-leg.ts';
import { registerCarrierSockets } from '../../src/gateway/carrier-socket.ts';
import { registerSocketServer } from '../../src/gateway/socket-server.ts';
import { VirtualClock } from '../../src/lib/virtual-clock.ts';
import type { Carrier } from '../../src/ports/carrier.ts';
import { FakeSession } from '../gateway/fake-session.ts';
import { RawClient } from '../gateway/raw-client.ts';

/** The carriers' media sockets on a free port, with real legs, scripted sessions and a clock that the test moves. */
export class CarrierHost implements AsyncDisposable {
  readonly clock = new VirtualClock();
  readonly logged: unknown[] = [];
  /** Of each call in turn. */
  readonly sessions: FakeSession[] = [];
  readonly #app: FastifyInstance = fastify();
  readonly #clients: RawClient[] = [];

  static async start(): Promise<CarrierHost> {
    const host = new CarrierHost();
    const { clock } = host;
    const carriers = [
      createTwilioCarrier({ name: 'twilio', clock }),
      createTelnyxCarrier({ clock }),
      createAsteriskCarrier({ clock }),
    ] as unknown as readonly Carrier[];
    const log = (line: unknown) => void host.logged.push(line);
    await registerSocketServer(host.#app, { maxFrameBytes: 64 * 1024 });
    registerCarrierSockets(host.#app, {
      carriers,
      clock,
      findTokenTeam: async () => 'team',
      log: { info: log, error: log },
      redeem: async ({ carrier: name }) => {
        const { capabilities } = carriers.find((carrier) => carrier.name === name) as Carrier;
        const silent = () => undefined;
        const leg = new CarrierLeg({
          clock,
          hangup: silent,
          onLoss: silent,
          silence: capabilities,
        });
        const session = new FakeSession();
        host.sessions.push(session);
        return (connection) => leg.begin(connection, () => session.sink);
      },
    });
    await host.#app.listen({ port: 0, host: '127.0.0.1' });
    return host;
  }

  async connect(carrier: string, token: string): Promise<RawClient> {
    const { port } = this.#app.server.address() as AddressInfo;
    const place = carrier === 'asterisk' ? `?token=${token}` : `/${token}`;
    const client = await RawClient.connect(`ws://127.0.0.1:${port}/media/${carrier}${place}`);
    this.#clients.push(client);
    return client;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#clients) client.socket.terminate();
    await this.#app.close();
  }
}
