import type { FastifyInstance } from 'fastify';
import type { WebSocket } from 'ws';
import type { Carrier } from '../ports/carrier.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { type CarrierConnection, carrierFault, createCarrierConnection } from './carrier-codec.ts';
import { type CarrierLimits, carrierLimitDefaults } from './carrier-limits.ts';
import { type AdmissionLimits, type FindTokenTeam, SocketAdmission } from './socket-admission.ts';

/** A media socket that has named its call. */
export interface CarrierArrival {
  readonly carrier: Carrier['name'];
  readonly token: string;
  /** As the carrier reports it; a token is valid only for its own call. */
  readonly carrierCallId: string | undefined;
}

export interface CarrierGatewayDeps {
  readonly carriers: readonly Carrier[];
  readonly findTokenTeam: FindTokenTeam;
  /** Assigns the socket to its call; undefined when the token is unknown, used, expired or belongs to another call. */
  redeem(arrival: CarrierArrival): Promise<((connection: CarrierConnection) => void) | undefined>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'error'>;
  /** @defaultValue carrierLimitDefaults */
  readonly limits?: Partial<CarrierLimits>;
  /** For sockets that have not started. @defaultValue admissionDefaults */
  readonly admission?: Partial<AdmissionLimits>;
}

const POLICY = 1008;
const INTERNAL = 1011;
const BUSY = 1013;

const REFUSALS = {
  busy: { reason: 'busy', closeCode: BUSY },
  'unknown-token': { reason: 'unknown-token', closeCode: POLICY },
  failed: { reason: 'internal', closeCode: INTERNAL },
} as const;

interface MediaRequest {
  Params: { carrier: string; token?: string };
  Querystring: { token?: string };
}

/**
 * Adds the carriers' media sockets, `/media/:carrier/:token`. Asterisk sends its token in the query, because its URL
 * is fixed in a configuration file. `registerSocketServer` must have run on the app.
 */
export function registerCarrierSockets(app: FastifyInstance, deps: CarrierGatewayDeps): void {
  const limits = { ...carrierLimitDefaults, ...deps.limits };
  const carriers = new Map<string, Carrier>(
    deps.carriers.map((carrier) => [carrier.name, carrier]),
  );
  const admissions = new SocketAdmission(deps.findTokenTeam, deps.admission);

  const serve = async (
    socket: WebSocket,
    { Params, Querystring }: MediaRequest,
    address: string | undefined,
  ) => {
    const carrier = carriers.get(Params.carrier);
    const token = Params.token || Querystring.token;
    if (!carrier || !token) return socket.close(POLICY, 'unknown-token');
    const connection = createCarrierConnection(socket, carrier.createMediaProtocol(), {
      clock: deps.clock,
      limits,
      sendsSilence: carrier.capabilities.sendsSilence,
    });
    const admission = await admissions.admit(socket, { token, address });
    if (admission.outcome !== 'admitted') {
      if (admission.outcome === 'failed')
        deps.log.error({ err: admission.error }, 'a media token could not be looked up');
      const { reason, closeCode } = REFUSALS[admission.outcome];
      return connection.fail(carrierFault(reason, closeCode));
    }
    const started = await connection.whenStarted();
    admission.leave();
    if (!started) return;
    await open(connection, { carrier: carrier.name, token, carrierCallId: started.carrierCallId });
  };

  const open = async (connection: CarrierConnection, arrival: CarrierArrival) => {
    const timer = deps.clock.setTimeout(
      () => connection.fail(carrierFault('unavailable', INTERNAL)),
      limits.redeemMs,
    );
    try {
      const accept = await deps.redeem(arrival);
      if (accept) accept(connection);
      else connection.fail(carrierFault('unknown-token'));
    } catch (error) {
      deps.log.error({ err: error, carrier: arrival.carrier }, 'a phone call failed to open');
      connection.fail(carrierFault('internal', INTERNAL));
    } finally {
      deps.clock.clearTimeout(timer);
    }
  };

  for (const path of ['/media/:carrier/:token', '/media/:carrier']) {
    // The URL holds a secret: no request log.
    app.get<MediaRequest>(path, { websocket: true, logLevel: 'silent' }, (socket, request) => {
      return serve(socket, { Params: request.params, Querystring: request.query }, request.ip);
    });
  }
}
