import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import type { AdmissionLimits } from '../../src/gateway/socket-admission.ts';
import { registerSocketServer } from '../../src/gateway/socket-server.ts';
import type { WebLimits } from '../../src/gateway/web-limits.ts';
import { MAX_FRAME_BYTES } from '../../src/gateway/web-protocol.ts';
import { type Redemption, registerWebSocket } from '../../src/gateway/web-socket.ts';
import { VirtualClock } from '../../src/lib/virtual-clock.ts';
import { FakeCalls } from './fake-session.ts';
import { RawClient } from './raw-client.ts';

/** The media socket on a free port, with scripted calls behind it and a clock that the test moves. */
export class GatewayHost implements AsyncDisposable {
  readonly clock = new VirtualClock();
  readonly calls = new FakeCalls();
  readonly app: FastifyInstance;
  readonly logged: unknown[] = [];
  readonly #clients: RawClient[] = [];
  #port = 0;
  readonly #log = (line: unknown) => void this.logged.push(line);

  private constructor(app: FastifyInstance) {
    this.app = app;
  }

  static async start(
    options: {
      limits?: Partial<WebLimits>;
      admission?: Partial<AdmissionLimits>;
      /** Any token may wait to start where this is absent. */
      findTokenTeam?: (token: string) => Promise<string | undefined>;
      redeem?: (token: string) => Promise<Redemption>;
    } = {},
  ): Promise<GatewayHost> {
    const host = new GatewayHost(fastify());
    await registerSocketServer(host.app, { maxFrameBytes: MAX_FRAME_BYTES });
    registerWebSocket(host.app, {
      findTokenTeam: options.findTokenTeam ?? (async () => 'team'),
      redeem: options.redeem ?? ((token) => host.calls.redeem(token)),
      nodeId: 'node',
      clock: host.clock,
      log: { info: host.#log, error: host.#log },
      limits: options.limits ?? {},
      admission: options.admission ?? {},
    });
    await host.app.listen({ port: 0, host: '127.0.0.1' });
    host.#port = (host.app.server.address() as AddressInfo).port;
    return host;
  }

  url(token: string): string {
    return `ws://127.0.0.1:${this.#port}/media/web/${token}`;
  }

  async connect(token: string): Promise<RawClient> {
    const client = await RawClient.connect(this.url(token));
    this.#clients.push(client);
    return client;
  }

  /** A client in a call, past its `ready`. */
  async call(token = 'token-1', sampleRate = 16_000) {
    const session = this.calls.issue(token);
    const client = await this.connect(token);
    client.start(sampleRate);
    const ready = await client.nextText();
    const leg = await session.attached();
    return { session, client, leg, ready, resumeToken: ready.resumeToken as string };
  }

  /** Resolves when the server has handled everything that this client sent so far. */
  async settled(client: RawClient): Promise<void> {
    const pong = once(client.socket, 'pong');
    client.socket.ping();
    await pong;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#clients) client.socket.terminate();
    await this.app.close();
  }
}
