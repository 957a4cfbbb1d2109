import { readFile } from 'node:fs/promises';
import {
  type ConnectionOptions,
  connect,
  credsAuthenticator,
  errors,
  type NatsConnection,
} from '@nats-io/transport-node';
import type { Clock, Timer } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { readBusAddress } from './bus-address.ts';
import { BusRefusedError } from './bus-refused-error.ts';

export interface BusAccess {
  /** `BUS_URL`. */
  readonly url: string;
  /** Path of a file of credentials, as NATS's own tools write it. */
  readonly credentialsFile?: string;
  /** Path of the certificate of the authority that issued the server's. */
  readonly caFile?: string;
}

interface ConnectionDeps {
  /** What the server calls this connection in its own reports. */
  readonly name: string;
  readonly clock: Clock;
  readonly log: Log;
  /** There is a connection, for the first time or after the former one was given up. */
  readonly onConnection: (connection: NatsConnection) => void;
  /** Messages get through again. */
  readonly onBack: () => void;
}

const CONNECT_MS = 2_000;
const AGAIN_MS = 500;
/** A server that is cut off is noticed within three pings. */
const PING_MS = 2_000;
const MAX_PINGS_OUT = 2;

/** A connection to NATS that comes back whenever the server does. */
export class NatsLine {
  readonly #deps: ConnectionDeps;
  readonly #options: ConnectionOptions;
  #connection: NatsConnection | undefined;
  #isUp = false;
  #isClosed = false;
  #timer: Timer | undefined;

  private constructor(options: ConnectionOptions, deps: ConnectionDeps) {
    this.#options = options;
    this.#deps = deps;
  }

  /**
   * Resolves after the first attempt, whether the server was there or not. Rejects with BusRefusedError if it is there
   * and does not let us in.
   */
  static async open(access: BusAccess, deps: ConnectionDeps): Promise<NatsLine> {
    const { servers, tls, ...secrets } = readBusAddress(access.url);
    const creds = access.credentialsFile && (await readFile(access.credentialsFile));
    const line = new NatsLine(
      {
        ...secrets,
        ...(tls ? { tls: access.caFile ? { caFile: access.caFile } : {} } : {}),
        ...(creds ? { authenticator: credsAuthenticator(creds) } : {}),
        servers: [...servers],
        name: deps.name,
        timeout: CONNECT_MS,
        pingInterval: PING_MS,
        maxPingOut: MAX_PINGS_OUT,
        maxReconnectAttempts: -1,
        reconnectTimeWait: AGAIN_MS,
        reconnectJitterTLS: AGAIN_MS,
        // The operator may be changing the password at the moment.
        ignoreAuthErrorAbort: true,
        noAsyncTraces: true,
      },
      deps,
    );
    try {
      await line.#connect();
    } catch (error) {
      if (error instanceof errors.AuthorizationError)
        throw new BusRefusedError(`the NATS server refused BUS_URL: ${error.message}`);
      line.#wait(error);
    }
    return line;
  }

  /** Undefined while the server is away. */
  get current(): NatsConnection | undefined {
    return this.#isUp ? this.#connection : undefined;
  }

  /** Sends what is still to be sent, if the server is there. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#deps.clock.clearTimeout(this.#timer);
    const { current } = this;
    if (current) await this.#flush(current);
    await this.#connection?.close();
  }

  async #connect(): Promise<void> {
    const connection = await connect(this.#options);
    if (this.#isClosed) {
      await connection.close();
      return;
    }
    this.#connection = connection;
    this.#isUp = true;
    void this.#watch(connection);
    this.#deps.onConnection(connection);
    // The server knows by then where messages go: whoever finds this node can reach it.
    await this.#flush(connection);
    this.#deps.onBack();
  }

  async #watch(connection: NatsConnection): Promise<void> {
    const { log, onBack } = this.#deps;
    for await (const status of connection.status()) {
      if (status.type === 'disconnect' && this.#isUp) {
        this.#isUp = false;
        if (!this.#isClosed) log.warn({ server: status.server }, 'the NATS server is away');
      } else if (status.type === 'reconnect') {
        this.#isUp = true;
        log.info({ server: status.server }, 'the NATS server is back');
        onBack();
      } else if (status.type === 'error') {
        log.warn({ err: status.error }, 'the NATS server reports an error');
      }
    }
    this.#isUp = false;
    if (!this.#isClosed) this.#wait(await connection.closed());
  }

  #wait(error: unknown): void {
    const { clock, log } = this.#deps;
    log.warn({ err: error }, 'the NATS server is away: other machines cannot be reached');
    const again = () => {
      this.#connect().catch(() => {
        if (!this.#isClosed) this.#timer = clock.setTimeout(again, AGAIN_MS);
      });
    };
    this.#timer = clock.setTimeout(again, AGAIN_MS);
  }

  /** Waits until the server has all that was sent, or is away. */
  async #flush(connection: NatsConnection): Promise<void> {
    const { clock } = this.#deps;
    let timer: Timer;
    const late = new Promise<void>((resolve) => {
      timer = clock.setTimeout(resolve, CONNECT_MS);
    });
    await Promise.race([connection.flush().catch(() => undefined), late]);
    clock.clearTimeout(timer);
  }
}
