import type { FastifyInstance } from 'fastify';
import type { CallTakeOver } from '../ports/call-take-over.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import {
  createHandsetConnection,
  type HandsetConnection,
  type HandsetStarted,
} from './handset-codec.ts';
import { type FindTokenTeam, SocketAdmission } from './socket-admission.ts';
import { webLimitDefaults } from './web-limits.ts';
import { faults } from './web-protocol.ts';

/** What a token for taking a call over stands for. */
export interface Supervisor {
  readonly callId: string;
  /** Their name. */
  readonly by: string;
  /** Calls `end` when they may not any more; returns how to stop watching. */
  watch(end: () => void): () => void;
}

export interface SupervisorGatewayDeps {
  readonly findTokenTeam: FindTokenTeam;
  /** Redeems a token, which works once. */
  redeem(token: string): Promise<Supervisor | undefined>;
  readonly calls: CallTakeOver;
  readonly clock: Clock;
  readonly log: Pick<Log, 'error'>;
}

const ADMISSION_FAULTS = {
  busy: faults.busy,
  'unknown-token': faults.unknownToken,
  failed: faults.internal,
} as const;

/**
 * Adds the socket by which a person speaks with a caller, `/media/take-over/:token`: PCM16 in binary frames both ways.
 * The call is theirs while the socket is open. `registerSocketServer` must have run on the app.
 */
export function registerSupervisorSocket(app: FastifyInstance, deps: SupervisorGatewayDeps): void {
  const admissions = new SocketAdmission(deps.findTokenTeam);
  // The URL holds a secret: no request log.
  app.get<{ Params: { token: string } }>(
    '/media/take-over/:token',
    { websocket: true, logLevel: 'silent' },
    async (socket, request) => {
      const { clock, log } = deps;
      const connection = createHandsetConnection(
        socket,
        { clock, limits: webLimitDefaults },
        { isWideband: true },
      );
      const { token } = request.params;
      const admission = await admissions.admit(socket, { token, address: request.ip });
      if (admission.outcome !== 'admitted') {
        if (admission.outcome === 'failed')
          log.error({ err: admission.error }, 'a token for a take-over could not be looked up');
        return connection.fail(ADMISSION_FAULTS[admission.outcome]);
      }
      if (connection.isOpen) socket.once('close', admission.leave);
      else admission.leave();
      const started = await connection.whenStarted();
      if (!started) return;
      try {
        await join(deps, connection, started, token, (end) => {
          if (connection.isOpen) socket.once('close', end);
          else end();
        });
      } catch (error) {
        log.error({ err: error }, 'a take-over failed');
        connection.fail(faults.internal);
      }
    },
  );
}

async function join(
  { redeem, calls }: SupervisorGatewayDeps,
  connection: HandsetConnection,
  { sampleRateHz }: HandsetStarted,
  token: string,
  onClosed: (listener: () => void) => void,
): Promise<void> {
  const supervisor = await redeem(token);
  if (!supervisor) return connection.fail(faults.unknownToken);
  if (!connection.isOpen) return;
  const answer = await calls.takeOver(
    supervisor.callId,
    {
      sampleRateHz,
      audio: (pcm) => connection.sendAudio(pcm),
      over: (reason) => connection.finish({ type: 'ended', reason }),
    },
    supervisor.by,
  );
  if ('refusal' in answer) {
    const { refusal: message } = answer;
    return connection.fail({ code: 'refused', message, closeCode: 1008 });
  }
  // Closed by `over` too, which the owner of a connection is not told of.
  const unwatch = supervisor.watch(() => answer.giveBack());
  onClosed(unwatch);
  connection.attach({
    audio: (pcm) => answer.write(pcm),
    lost: () => answer.giveBack(),
    event(frame) {
      if (frame.type === 'hangup') answer.giveBack();
    },
  });
  connection.send({ type: 'taken-over', callId: supervisor.callId, sampleRate: sampleRateHz });
}
