import type { FastifyInstance } from 'fastify';
import type { EmulatedCall, HeldCall } from '../carriers/emulator/emulated-carrier.ts';
import type { Switchboard } from '../carriers/emulator/switchboard.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { createHandsetConnection, type HandsetConnection } from './handset-codec.ts';
import { HandsetLeg, type HandsetOwner } from './handset-leg.ts';
import type { ConnectionFault } from './media-connection.ts';
import {
  type AdmissionLimits,
  admissionDefaults,
  type FindTokenTeam,
  SocketAdmission,
} from './socket-admission.ts';
import { type WebLimits, webLimitDefaults } from './web-limits.ts';
import { faults } from './web-protocol.ts';

interface Redeemed extends HandsetOwner {
  /** The telephone was on before: the token is that of its last socket. */
  readonly returns: boolean;
  /** Calls back when what the token was asked for with opens the socket no more, until the returned function is called. */
  watch(end: () => void): () => void;
  /** Issues a token with which the telephone may come back, to any process. */
  newToken(): Promise<string>;
}

export interface HandsetGatewayDeps {
  readonly switchboard: Switchboard;
  readonly findTokenTeam: FindTokenTeam;
  /** Redeems a handset's token, which works once. */
  redeem(token: string): Promise<Redeemed | undefined>;
  /** Makes the token of a telephone that may come back void. */
  revoke(token: string): Promise<void>;
  /** The call that a telephone has, or rings for, from a process that ended. */
  heldCall(owner: HandsetOwner): Promise<HeldCall | undefined>;
  /** Id of the service's call record for an answered call. */
  callIdOf(call: EmulatedCall, teamId: string): Promise<string | undefined>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn' | 'error'>;
  /** @defaultValue webLimitDefaults */
  readonly limits?: Partial<WebLimits>;
  /** For sockets that are open. @defaultValue handsetAdmissionDefaults */
  readonly admission?: Partial<AdmissionLimits>;
}

export const handsetAdmissionDefaults = {
  ...admissionDefaults,
  maxPerTeam: 16,
  maxInAll: 256,
} as const satisfies AdmissionLimits;

const ADMISSION_FAULTS = {
  busy: faults.busy,
  'unknown-token': faults.unknownToken,
  failed: faults.internal,
} as const;

/** The carrier is in another process, or about to be; the browser tries again in a moment. */
const NOT_YET: ConnectionFault = {
  code: 'not_yet',
  message: 'The telephones are in another process; try again in a moment.',
  closeCode: 1013,
};

export interface Handsets {
  /** Leaves the telephones, and their calls, to the process that has the carrier next. */
  leave(): void;
}

/**
 * Adds the socket for browsers that act as telephones, `/media/handset/:token`. `registerSocketServer` must have run
 * on the app.
 */
export function registerHandsetSocket(app: FastifyInstance, deps: HandsetGatewayDeps): Handsets {
  const limits = { ...webLimitDefaults, ...deps.limits };
  const admissions = new SocketAdmission(deps.findTokenTeam, {
    ...handsetAdmissionDefaults,
    ...deps.admission,
  });
  const handsets = new HandsetGateway(deps, limits.resumeMs);
  app.addHook('onClose', async () => handsets.close());
  // The URL holds a secret: no request log.
  app.get<{ Params: { token: string } }>(
    '/media/handset/:token',
    { websocket: true, logLevel: 'silent' },
    async (socket, request) => {
      const connection = createHandsetConnection(socket, { clock: deps.clock, limits });
      const { token } = request.params;
      const admission = await admissions.admit(socket, { token, address: request.ip });
      if (admission.outcome !== 'admitted') {
        if (admission.outcome === 'failed')
          deps.log.error({ err: admission.error }, "a handset's token could not be looked up");
        return connection.fail(ADMISSION_FAULTS[admission.outcome]);
      }
      if (connection.isOpen) socket.once('close', admission.leave);
      else admission.leave();
      return handsets.serve(connection, token);
    },
  );
  return handsets;
}

class HandsetGateway implements Handsets {
  readonly #deps: HandsetGatewayDeps;
  readonly #resumeMs: number;
  /** By team and number. */
  readonly #legs = new Map<string, HandsetLeg>();
  #isLeaving = false;

  constructor(deps: HandsetGatewayDeps, resumeMs: number) {
    this.#deps = deps;
    this.#resumeMs = resumeMs;
  }

  async serve(connection: HandsetConnection, token: string): Promise<void> {
    const started = await connection.whenStarted();
    if (!started) return;
    // Not even looked at: it works once.
    if (!this.#takesSockets) return connection.fail(NOT_YET);
    try {
      await this.#open(connection, token, started.sampleRateHz);
    } catch (error) {
      this.#deps.log.error({ err: error }, 'a handset failed to open');
      connection.fail(faults.internal);
    }
  }

  close(): void {
    for (const leg of this.#legs.values()) leg.close();
  }

  leave(): void {
    this.#isLeaving = true;
    for (const leg of this.#legs.values()) leg.leave();
  }

  get #takesSockets(): boolean {
    return this.#deps.switchboard.isServing && !this.#isLeaving;
  }

  async #open(connection: HandsetConnection, token: string, sampleRateHz: number): Promise<void> {
    const redeemed = await this.#deps.redeem(token);
    if (!redeemed) return connection.fail(faults.unknownToken);
    const resumeToken = await redeemed.newToken();
    const { teamId, number, returns, watch } = redeemed;
    const known = () => (returns ? this.#legs.get(keyOf(redeemed)) : undefined);
    const held = returns && !known() ? await this.#deps.heldCall({ teamId, number }) : undefined;
    if (!connection.isOpen || !this.#takesSockets) {
      this.#revoke(resumeToken);
      return connection.fail(NOT_YET);
    }
    const leg = known() ?? this.#plug({ teamId, number });
    leg.connect(connection, { sampleRateHz, resumeToken, watch, held });
  }

  #plug(owner: HandsetOwner): HandsetLeg {
    const { switchboard, callIdOf, clock, log } = this.#deps;
    const leg = new HandsetLeg(
      {
        ...{ switchboard, callIdOf, clock, log },
        resumeMs: this.#resumeMs,
        onOver: (over) => this.#forget(over),
      },
      owner,
    );
    this.#legs.set(keyOf(owner), leg);
    return leg;
  }

  #forget(leg: HandsetLeg): void {
    const key = keyOf(leg.owner);
    if (this.#legs.get(key) === leg) this.#legs.delete(key);
    if (leg.resumeToken !== undefined && !this.#isLeaving) this.#revoke(leg.resumeToken);
  }

  #revoke(token: string): void {
    this.#deps.revoke(token).catch((error: unknown) => {
      this.#deps.log.warn({ err: error }, "a handset's token could not be made void: it expires");
    });
  }
}

const keyOf = ({ teamId, number }: HandsetOwner): string => `${teamId} ${number}`;
