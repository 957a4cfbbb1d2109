import type { CarrierReply } from '../ports/carrier.ts';
import type { Log } from '../ports/log.ts';
import { routesOf } from './call-routes.ts';
import type { PhoneCall } from './phone-call.ts';

const COMMAND_MS = 10_000;

interface MediaCommand {
  readonly attempt: number;
  readonly answer: boolean;
  readonly token: string;
  readonly isUnasked?: boolean | undefined;
}

/** Sends carriers commands for legs, each with a deadline; `close` waits for those under way. */
export class LegCommands {
  readonly #log: Log;
  readonly #closed = new AbortController();
  readonly #work = new Set<Promise<unknown>>();

  constructor(log: Log) {
    this.#log = log;
  }

  deadline(): AbortSignal {
    return AbortSignal.any([this.#closed.signal, AbortSignal.timeout(COMMAND_MS)]);
  }

  /** Runs work in the background; `id` names the call in the log. */
  run(work: Promise<unknown>, id: string): void {
    const done = work
      .catch((error: unknown) => {
        this.#log.warn({ callId: id, err: error }, 'a command to a carrier failed');
      })
      .finally(() => this.#work.delete(done));
    this.#work.add(done);
  }

  /** Nothing is hung up if `isLost`: another process has the call. */
  async hangup({ line, carrierCallId }: PhoneCall, isLost?: Promise<boolean>): Promise<void> {
    if (carrierCallId === undefined || (await isLost)) return;
    await line.account.hangup(carrierCallId, AbortSignal.timeout(COMMAND_MS));
  }

  /** The same in the background. */
  hangUp(call: PhoneCall, isLost?: Promise<boolean>): void {
    this.run(this.hangup(call, isLost), call.record.id);
  }

  /**
   * Tells the carrier to open the media socket. If it can't, the call ends, which is better than silence: a leg that
   * had media is hung up, otherwise `fail` is called. Only if the carrier has not asked, this rejects instead.
   */
  async connectMedia(
    call: PhoneCall,
    { attempt, answer, token, isUnasked = false }: MediaCommand,
    fail: () => Promise<void> | void,
  ): Promise<CarrierReply> {
    const { line, baseUrl, carrierCallId = '', record } = call;
    const { carrier, account } = line;
    const routed = { baseUrl, carrier: carrier.name, callId: record.id };
    try {
      return await account.connectMedia(
        { carrierCallId, answer, attempt },
        routesOf(routed, token, attempt),
        this.deadline(),
      );
    } catch (error) {
      if (isUnasked) throw error;
      this.#log.error(
        { callId: record.id, err: error },
        'a carrier could not open the media socket',
      );
      if (call.leg) call.leg.hungUp();
      else await fail();
      return carrier.goodbye;
    }
  }

  /** The answer to a carrier that asks for a media socket which the call may not have: the call ends. */
  refuseMedia({ line, record, attempt: granted }: PhoneCall, asked?: number): CarrierReply {
    this.#log.info({ callId: record.id, asked, granted }, 'a carrier was refused a media socket');
    return line.carrier.goodbye;
  }

  /** `sendDtmf` if the carrier has a command for tones, else nothing. */
  keypad({ line: { account }, carrierCallId, record }: PhoneCall): {
    readonly sendDtmf?: (digits: string) => void;
  } {
    if (!account.sendDtmf || carrierCallId === undefined) return {};
    return {
      sendDtmf: (digits) => {
        const sent = account.sendDtmf?.(carrierCallId, digits, this.deadline());
        this.run(Promise.resolve(sent), record.id);
      },
    };
  }

  /** Resolves when all commands have ended. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#work);
    this.#closed.abort();
  }
}
