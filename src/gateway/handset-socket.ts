import type { FastifyInstance } from 'fastify';
import type { EmulatedCall } from '../carriers/emulator/emulated-carrier.ts';
import type { PhoneRefusal, PluggedPhone, Switchboard } from '../carriers/emulator/switchboard.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import {
  createHandsetConnection,
  type HandsetConnection,
  type HandsetEvent,
} from './handset-codec.ts';
import {
  type AdmissionLimits,
  admissionDefaults,
  type FindTokenTeam,
  SocketAdmission,
} from './socket-admission.ts';
import { type WebLimits, webLimitDefaults } from './web-limits.ts';
import { faults } from './web-protocol.ts';

interface Redeemed {
  readonly teamId: string;
  readonly number: string;
  /** Calls back when what the token was asked for with opens the socket no more, until the returned function is called. */
  watch(end: () => void): () => void;
}

export interface HandsetGatewayDeps {
  readonly switchboard: Switchboard;
  readonly findTokenTeam: FindTokenTeam;
  /** Redeems a handset's token, which works once. */
  redeem(token: string): Promise<Redeemed | undefined>;
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

const REFUSALS = {
  busy: 'there is a call already',
  'unknown-number': 'no number of yours at the built-in carrier',
  failed: 'the service did not take it',
} as const satisfies Record<PhoneRefusal, string>;

/**
 * Adds the socket for browsers that act as telephones, `/media/handset/:token`. `registerSocketServer` must have run
 * on the app.
 */
export function registerHandsetSocket(app: FastifyInstance, deps: HandsetGatewayDeps): void {
  const limits = { ...webLimitDefaults, ...deps.limits };
  const admissions = new SocketAdmission(deps.findTokenTeam, {
    ...handsetAdmissionDefaults,
    ...deps.admission,
  });
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
      return serve(deps, connection, token);
    },
  );
}

async function serve(
  deps: HandsetGatewayDeps,
  connection: HandsetConnection,
  token: string,
): Promise<void> {
  const started = await connection.whenStarted();
  if (!started) return;
  try {
    const owned = await deps.redeem(token);
    if (!owned) return connection.fail(faults.unknownToken);
    if (!connection.isOpen) return;
    plugIn(deps, connection, owned);
    connection.send({ type: 'ready', number: owned.number, sampleRate: started.sampleRateHz });
  } catch (error) {
    deps.log.error({ err: error }, 'a handset failed to open');
    connection.fail(faults.internal);
  }
}

function plugIn(
  { switchboard, callIdOf, log }: HandsetGatewayDeps,
  connection: HandsetConnection,
  owned: Redeemed,
): void {
  const { number, teamId } = owned;
  let talking: EmulatedCall | undefined;
  const answered = (call: EmulatedCall, callId: string | undefined) => {
    const peer = call.from === number ? call.to : call.from;
    if (talking !== call) return;
    connection.send({ type: 'answered', peer, ...(callId === undefined ? {} : { callId }) });
  };
  const phone = switchboard.plug(owned, {
    ringing: (from) => connection.send({ type: 'ringing', from }),
    answered: (call) => {
      talking = call;
      callIdOf(call, teamId).then(
        (callId) => answered(call, callId),
        (error: unknown) => {
          log.warn({ err: error }, 'the record of a call at a handset was not found');
          answered(call, undefined);
        },
      );
    },
    ended: (reason) => {
      talking = undefined;
      connection.send({ type: 'ended', reason });
    },
    audio: (pcm) => connection.sendAudio(pcm),
    text: (from, text) => connection.send({ type: 'sms', from, text }),
    replaced: () =>
      connection.fail({
        code: 'replaced',
        message: 'another telephone is at this number now',
        closeCode: 1008,
      }),
  });
  const unwatch = owned.watch(() => {
    phone.unplug();
    connection.fail({
      code: 'not-allowed',
      message: 'not allowed any more',
      closeCode: 1008,
    });
  });
  connection.attach({
    audio: (pcm) => phone.speak(pcm),
    lost: () => {
      unwatch();
      phone.unplug();
    },
    event: (frame) =>
      void obey(phone, connection, frame).catch((error: unknown) => {
        log.error({ err: error }, 'a handset failed');
        connection.fail(faults.internal);
      }),
  });
}

async function obey(
  phone: PluggedPhone,
  connection: HandsetConnection,
  frame: HandsetEvent,
): Promise<void> {
  switch (frame.type) {
    case 'call': {
      const { to } = frame;
      const refusal = await phone.call(to);
      connection.send(refusal ? refused('call', refusal) : { type: 'dialling', to });
      return;
    }
    case 'sms': {
      const { to, text } = frame;
      const refusal = await phone.text(to, text);
      connection.send(refusal ? refused('sms', refusal) : { type: 'sms-sent', to });
      return;
    }
    case 'dtmf':
      phone.press(frame.digit);
      return;
    default:
      phone[frame.type]();
  }
}

function refused(request: 'call' | 'sms', code: PhoneRefusal) {
  return { type: 'refused', request, code, message: REFUSALS[code] } as const;
}
