import type { FastifyInstance } from 'fastify';
import type { WebSocket } from 'ws';
import type { Carrier } from '../ports/carrier.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { CarrierConnection } from './carrier-connection.ts';
import { type CarrierLimits, carrierLimitDefaults } from './carrier-limits.ts';

/** A media socket that has said which call it is for. */
export interface CarrierArrival {
  readonly carrier: Carrier['name'];
  readonly token: string;
  /** As the carrier says; a token is good for its own call only. */
  readonly carrierCallId: string | undefined;
}

export interface CarrierGatewayDeps {
  readonly carriers: readonly Carrier[];
  /** Gives the socket to its call; undefined when the token is unknown, used, expired or another call's. */
  redeem(arrival: CarrierArrival): Promise<((connection: CarrierConnection) => void) | undefined>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'error'>;
  /** @defaultValue carrierLimitDefaults */
  readonly limits?: Partial<CarrierLimits>;
}

const INTERNAL = 1011;
const BUSY = 1013;

interface MediaRequest {
  Params: { carrier: string; token?: string };
  Querystring: { token?: string };
}

/**
 * Adds the carriers' media sockets, `/media/:carrier/:token`. Asterisk writes its token into the query:
 * its address is fixed in a file. Needs `registerSocketServer` on the app before.
 */
export function registerCarrierSockets(app: FastifyInstance, deps: CarrierGatewayDeps): void {
  const limits = { ...carrierLimitDefaults, ...deps.limits };
  const carriers = new Map<string, Carrier>(
    deps.carriers.map((carrier) => [carrier.name, carrier]),
  );
  let unstarted = 0;

  const serve = async (socket: WebSocket, { Params, Querystring }: MediaRequest) => {
    const carrier = carriers.get(Params.carrier);
    const token = Params.token || Querystring.token;
    if (!carrier || !token) return socket.close(1008, 'unknown-token');
    if (unstarted >= limits.maxUnstarted) return socket.close(BUSY, 'busy');
    const connection = new CarrierConnection(socket, carrier.createMediaProtocol(), {
      clock: deps.clock,
      limits,
    });
    unstarted++;
    const started = await connection.started();
    unstarted--;
    if (!started) return;
    await open(connection, { carrier: carrier.name, token, carrierCallId: started.carrierCallId });
  };

  const open = async (connection: CarrierConnection, arrival: CarrierArrival) => {
    const timer = deps.clock.setTimeout(
      () => connection.refuse('unavailable', INTERNAL),
      limits.redeemMs,
    );
    try {
      const accept = await deps.redeem(arrival);
      if (accept) accept(connection);
      else connection.refuse('unknown-token');
    } catch (error) {
      deps.log.error({ err: error, carrier: arrival.carrier }, 'a phone call failed to open');
      connection.refuse('internal', INTERNAL);
    } finally {
      deps.clock.clearTimeout(timer);
    }
  };

  for (const path of ['/media/:carrier/:token', '/media/:carrier']) {
    // The address holds a secret: no request log.
    app.get<MediaRequest>(path, { websocket: true, logLevel: 'silent' }, (socket, request) => {
      return serve(socket, { Params: request.params, Querystring: request.query });
    });
  }
}
