import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { WebSocket } from 'ws';
import { withNodeTag } from '../lib/node-tag.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { LegSink, MediaLeg } from '../ports/media.ts';
import { ResumeTable } from './resume-table.ts';
import { createRtviConnection } from './rtvi-codec.ts';
import { type AdmissionLimits, type FindTokenTeam, SocketAdmission } from './socket-admission.ts';
import { createWebConnection } from './web-codec.ts';
import { type ClientArrival, WebLeg } from './web-leg.ts';
import { type WebLimits, webLimitDefaults } from './web-limits.ts';
import { faults, type WebCloseCode } from './web-protocol.ts';

/** What is known of a leg whose process has died. */
export interface TakenOver {
  /** That of the call so far, in which it goes on whatever the rate of the client. */
  readonly sampleRateHz: number;
  /** How much of the caller's audio was received, about, and when the last of it was. */
  readonly receivedMs: number;
  readonly receivedAt: number;
}

/** The result of redeeming a connect token. */
export type Redemption =
  /** `attach` begins the call. It is called exactly once, even when the client has left in the meantime. */
  | {
      readonly outcome: 'accepted';
      readonly callId: string;
      /**
       * Seals what another process needs to know of the leg; `serial` counts the tokens issued before. Absent: the call
       * lives and dies with this process.
       */
      readonly sealLeg?: (leg: {
        readonly sampleRateHz: number;
        readonly serial: number;
      }) => string;
      /** The call comes from a process that has died. */
      readonly takenOver?: TakenOver;
      /** The client broke the protocol, so that it may not come back. */
      broke?(): void;
      attach(leg: MediaLeg): LegSink;
    }
  /** The token is valid, but the call cannot start: draining, at the limit, or setup failed. Shown to the client. */
  | {
      readonly outcome: 'refused';
      readonly code: string;
      readonly message: string;
      /** @defaultValue 1013, try again later */
      readonly closeCode?: WebCloseCode;
    }
  /** Never issued, used or expired. */
  | { readonly outcome: 'unknown' };

export interface WebGatewayDeps {
  readonly findTokenTeam: FindTokenTeam;
  /** Redeems a connect token, or the resume token of a process that has died; each works once. */
  redeem(token: string): Promise<Redemption>;
  /** Id of this process; resume tokens contain it, which routes the client back here. */
  readonly nodeId: string;
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'error'>;
  /** @defaultValue webLimitDefaults */
  readonly limits?: Partial<WebLimits>;
  /** For sockets that have not started. @defaultValue admissionDefaults */
  readonly admission?: Partial<AdmissionLimits>;
}

const REFUSALS = {
  busy: faults.busy,
  'unknown-token': faults.unknownToken,
  failed: faults.internal,
} as const;

/**
 * Adds the web media socket, `/media/web/:token`, and the same for clients of the RTVI standard, `/media/rtvi/:token` or
 * `/media/rtvi?token=`. Needs `registerSocketServer` on the app before.
 */
export function registerWebSocket(app: FastifyInstance, deps: WebGatewayDeps): void {
  const gateway = new WebGateway(deps);
  app.addHook('onClose', async () => gateway.close());
  // The URL holds a secret: no request log.
  app.get<{ Params: { token: string } }>(
    '/media/web/:token',
    { websocket: true, logLevel: 'silent' },
    (socket, request) => {
      return gateway.serve(socket, { token: request.params.token, address: request.ip });
    },
  );
  app.get<{ Params: { token?: string }; Querystring: { token?: string } }>(
    '/media/rtvi/:token?',
    { websocket: true, logLevel: 'silent' },
    (socket, { params, query, ip }) => {
      const token = params.token ?? query.token ?? '';
      return gateway.serve(socket, { token, address: ip, isRtvi: true });
    },
  );
}

class WebGateway {
  readonly #deps: WebGatewayDeps;
  readonly #limits: WebLimits;
  readonly #resumeTable: ResumeTable<WebLeg>;
  readonly #admission: SocketAdmission;

  constructor(deps: WebGatewayDeps) {
    this.#deps = deps;
    this.#resumeTable = new ResumeTable((leg) => leg.newToken());
    this.#limits = { ...webLimitDefaults, ...deps.limits };
    this.#admission = new SocketAdmission(
      // A resuming client counts for its call, so the store is not needed to find it.
      async (token) => this.#resumeTable.find(token)?.callId ?? deps.findTokenTeam(token),
      deps.admission,
    );
  }

  async serve(
    socket: WebSocket,
    arrival: {
      readonly token: string;
      readonly address: string | undefined;
      /** The client speaks the RTVI standard. */
      readonly isRtvi?: boolean;
    },
  ): Promise<void> {
    const { token, isRtvi = false } = arrival;
    const create = isRtvi ? createRtviConnection : createWebConnection;
    const connection = create(socket, {
      clock: this.#deps.clock,
      limits: this.#limits,
    });
    const admission = await this.#admission.admit(socket, arrival);
    if (admission.outcome !== 'admitted') {
      if (admission.outcome === 'failed')
        this.#deps.log.error({ err: admission.error }, 'a web token could not be looked up');
      return connection.fail(REFUSALS[admission.outcome]);
    }
    const started = await connection.whenStarted();
    admission.leave();
    if (!started) return;
    const startedAt = this.#deps.clock.now();
    const client = { connection, token, ...started, startedAt };
    const leg = this.#resumeTable.take(token);
    if (leg) leg.resume(client);
    else await this.#open(client, isRtvi);
  }

  close(): void {
    for (const leg of this.#resumeTable.owners()) leg.abandon();
  }

  async #open(client: ClientArrival, isTold: boolean): Promise<void> {
    const { connection, token, sampleRateHz } = client;
    const timer = this.#deps.clock.setTimeout(
      // The call may be ready when the client comes back.
      () => connection.fail(faults.unavailable, { resumable: true }),
      this.#limits.redeemMs,
    );
    try {
      const redemption = await this.#deps.redeem(token);
      if (redemption.outcome === 'unknown') connection.fail(faults.unknownToken);
      else if (redemption.outcome === 'refused') {
        const { code, message, closeCode = 1013 } = redemption;
        connection.fail({ code, message, closeCode });
      } else {
        this.#createLeg(redemption, sampleRateHz, isTold).begin(client, (leg) =>
          redemption.attach(leg),
        );
      }
    } catch (error) {
      this.#deps.log.error({ err: error }, 'web call failed to open');
      connection.fail(faults.internal);
    } finally {
      this.#deps.clock.clearTimeout(timer);
    }
  }

  #createLeg(
    redemption: Extract<Redemption, { outcome: 'accepted' }>,
    clientRateHz: number,
    isTold: boolean,
  ): WebLeg {
    const { callId, takenOver, sealLeg } = redemption;
    const sampleRateHz = takenOver?.sampleRateHz ?? clientRateHz;
    let serial = 0;
    return new WebLeg({
      callId,
      isTold,
      sampleRateHz,
      newToken: () => {
        const sealed = sealLeg?.({ sampleRateHz, serial: serial++ });
        const secret = sealed ?? randomBytes(24).toString('base64url');
        return withNodeTag(secret, this.#deps.nodeId);
      },
      ...(takenOver ? { received: takenOver } : {}),
      clock: this.#deps.clock,
      limits: this.#limits,
      resumeTable: this.#resumeTable,
      onLoss: (loss) => {
        this.#deps.log.info({ callId, ...loss }, 'web socket lost');
        if (!loss.resumable) redemption.broke?.();
      },
    });
  }
}
