import type { EmulatedCall, HeldCall } from '../carriers/emulator/emulated-carrier.ts';
import type { PhoneRefusal, PluggedPhone, Switchboard } from '../carriers/emulator/switchboard.ts';
import type { Clock, Timer } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { HandsetConnection, HandsetEvent } from './handset-codec.ts';
import type { HandsetServerFrame } from './handset-protocol.ts';
import type { ConnectionFault, ConnectionLoss } from './media-connection.ts';
import { faults } from './web-protocol.ts';

export interface HandsetOwner {
  readonly teamId: string;
  readonly number: string;
}

interface HandsetLegDeps {
  readonly switchboard: Switchboard;
  /** Id of the service's call record for an answered call. */
  callIdOf(call: EmulatedCall, teamId: string): Promise<string | undefined>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn' | 'error'>;
  /** How long a telephone whose socket broke keeps its call. */
  readonly resumeMs: number;
  /** The telephone is switched off or another has its place. */
  readonly onOver: (leg: HandsetLeg) => void;
}

const REFUSALS = {
  busy: 'there is a call already',
  'unknown-number': 'no number of yours at the built-in carrier',
  failed: 'the service did not take it',
} as const satisfies Record<PhoneRefusal, string>;

const REPLACED: ConnectionFault = {
  code: 'replaced',
  message: 'another telephone is at this number now',
  closeCode: 1008,
};
const NOT_ALLOWED: ConnectionFault = {
  code: 'not-allowed',
  message: 'not allowed any more',
  closeCode: 1008,
};
/** The codes with which a browser closes a socket by itself; any other end is a broken connection. */
const SWITCHED_OFF = /^socket-closed-(1000|1001|1005)$/;

/** A browser that is a telephone. It outlives its sockets: the browser comes back with the token of its last one. */
export class HandsetLeg {
  readonly owner: HandsetOwner;
  readonly #deps: HandsetLegDeps;
  readonly #phone: PluggedPhone;
  #connection: HandsetConnection | undefined;
  #resumeToken: string | undefined;
  /** What the telephone was last told of the call that it has. */
  #standing: HandsetServerFrame | undefined;
  #talking: EmulatedCall | undefined;
  #unwatch: (() => void) | undefined;
  #timer: Timer | undefined;
  #isOver = false;

  constructor(deps: HandsetLegDeps, owner: HandsetOwner) {
    this.#deps = deps;
    this.owner = owner;
    this.#phone = deps.switchboard.plug(owner, {
      ringing: (from) => this.#tell({ type: 'ringing', from }),
      answered: (call) => this.#answered(call),
      ended: (reason) => {
        this.#talking = undefined;
        this.#connection?.send({ type: 'ended', reason });
        this.#standing = undefined;
      },
      audio: (pcm) => this.#connection?.sendAudio(pcm),
      text: (from, text) => this.#connection?.send({ type: 'sms', from, text }),
      replaced: () => this.#fail(REPLACED),
    });
  }

  /** The token with which the browser may come back; undefined before its first socket. */
  get resumeToken(): string | undefined {
    return this.#resumeToken;
  }

  /**
   * The browser has a socket: its first, or one after another. `watch` calls back when it is not allowed any more;
   * `held` is a call that it has, or rings for, from a process that ended.
   */
  connect(
    connection: HandsetConnection,
    opened: {
      readonly sampleRateHz: number;
      readonly resumeToken: string;
      readonly watch: (end: () => void) => () => void;
      readonly held?: HeldCall | undefined;
    },
  ): void {
    const former = this.#connection;
    this.#connection = connection;
    this.#stopWaiting();
    // The old socket may look alive for seconds after its network has gone.
    former?.fail(faults.replaced);
    this.#resumeToken = opened.resumeToken;
    connection.send({
      type: 'ready',
      number: this.owner.number,
      sampleRate: opened.sampleRateHz,
      resumeToken: opened.resumeToken,
      ...(this.#standing || opened.held ? { inCall: true } : {}),
    });
    if (this.#standing) connection.send(this.#standing);
    if (opened.held) this.#phone.goOn(opened.held);
    this.#unwatch = opened.watch(() => this.#fail(NOT_ALLOWED));
    connection.attach({
      audio: (pcm) => this.#phone.speak(pcm),
      lost: (loss) => this.#lost(connection, loss),
      event: (frame) =>
        void this.#obey(frame).catch((error: unknown) => {
          this.#deps.log.error({ err: error }, 'a handset failed');
          connection.fail(faults.internal);
        }),
    });
  }

  /** Hangs up and removes the telephone. */
  close(): void {
    if (this.#isOver) return;
    this.#end();
    this.#phone.unplug();
  }

  /** The browser comes back to another process, to which the call is left. */
  leave(): void {
    if (this.#isOver) return;
    const connection = this.#connection;
    this.#end();
    connection?.moved();
  }

  #fail(fault: ConnectionFault): void {
    if (this.#isOver) return;
    const connection = this.#connection;
    this.close();
    connection?.fail(fault);
  }

  #lost(connection: HandsetConnection, { reason, resumable }: ConnectionLoss): void {
    if (connection !== this.#connection) return;
    if (!resumable || SWITCHED_OFF.test(reason)) {
      this.close();
      return;
    }
    this.#stopWaiting();
    this.#connection = undefined;
    this.#timer = this.#deps.clock.setTimeout(() => this.close(), this.#deps.resumeMs);
  }

  #end(): void {
    this.#isOver = true;
    this.#stopWaiting();
    this.#connection = undefined;
    this.#deps.onOver(this);
  }

  #stopWaiting(): void {
    this.#unwatch?.();
    this.#unwatch = undefined;
    this.#deps.clock.clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #answered(call: EmulatedCall): void {
    const { callIdOf, log } = this.#deps;
    const { teamId, number } = this.owner;
    this.#talking = call;
    const peer = call.from === number ? call.to : call.from;
    const tell = (callId: string | undefined) => {
      if (this.#talking !== call) return;
      this.#tell({ type: 'answered', peer, ...(callId === undefined ? {} : { callId }) });
    };
    callIdOf(call, teamId).then(tell, (error: unknown) => {
      log.warn({ err: error }, 'the record of a call at a handset was not found');
      tell(undefined);
    });
  }

  #tell(frame: HandsetServerFrame): void {
    this.#standing = frame;
    this.#connection?.send(frame);
  }

  async #obey(frame: HandsetEvent): Promise<void> {
    switch (frame.type) {
      case 'call': {
        const { to } = frame;
        const refusal = await this.#phone.call(to);
        if (refusal) this.#refuse('call', refusal);
        else this.#tell({ type: 'dialling', to });
        return;
      }
      case 'sms': {
        const { to, text } = frame;
        const refusal = await this.#phone.text(to, text);
        if (refusal) this.#refuse('sms', refusal);
        else this.#connection?.send({ type: 'sms-sent', to });
        return;
      }
      case 'decline':
        this.#phone.decline(frame.as);
        return;
      case 'dtmf':
        this.#phone.press(frame.digit);
        return;
      default:
        this.#phone[frame.type]();
    }
  }

  #refuse(request: 'call' | 'sms', code: PhoneRefusal): void {
    this.#connection?.send({ type: 'refused', request, code, message: REFUSALS[code] });
  }
}
