import type { Handset } from '../carriers/emulator/handset.ts';
import type { CallStatus } from '../contract/call.ts';
import { systemClock } from '../lib/system-clock.ts';
import type { Caller, CallerEnd } from '../testing/spoken/caller.ts';
import { CliError } from './cli-error.ts';
import type { ServerFrame } from './server-frame.ts';
import type { ServiceClient } from './service-client.ts';

/** A phone call as seen by the person with the phone. */
export interface PhonedCall {
  /** Number of the person. */
  readonly userNumber: string;
  readonly handset: Pick<Handset, 'elapsedMs' | 'tracks' | 'say'> & {
    readonly sampleRateHz: number;
  };
  /** Resolves with the carrier's reason for the end of the call. */
  readonly ended: Promise<string>;
  hangup(): void;
  /** Absent: this line presses no keys. */
  dtmf?(digit: string): void;
}

const LOOK_MS = 300;
/** Reads after the end of the call, until the record is complete. */
const LAST_LOOKS = 20;

/** A caller on the phone. A phone receives no transcripts, so they are read from the call's record as it grows. */
export class PhoneCaller implements Caller {
  readonly callId: string;
  /** Resolves once all transcripts have been shown. */
  readonly ended: Promise<CallerEnd>;
  readonly #call: PhonedCall;
  readonly #client: ServiceClient;
  readonly #onFrame: (frame: ServerFrame, atMs: number) => void;
  readonly #shown = new Map<string, string>();
  #status: CallStatus | undefined;
  #closed = false;
  #watching: Promise<void> | undefined;

  private constructor(
    callId: string,
    call: PhonedCall,
    client: ServiceClient,
    onFrame: (frame: ServerFrame, atMs: number) => void,
  ) {
    this.callId = callId;
    this.#call = call;
    this.#client = client;
    this.#onFrame = onFrame;
    this.ended = call.ended.then(async (reason) => {
      await this.#watching;
      return { reason };
    });
  }

  static async follow(
    call: PhonedCall,
    client: ServiceClient,
    onFrame: (frame: ServerFrame, atMs: number) => void,
  ): Promise<PhoneCaller> {
    const callId = await client.findCall(call.userNumber);
    if (callId === undefined) throw new CliError('the service has no record of the call');
    const caller = new PhoneCaller(callId, call, client, onFrame);
    caller.#watching = caller.#watch();
    return caller;
  }

  get elapsedMs(): number {
    return this.#call.handset.elapsedMs;
  }

  get sampleRateHz(): number {
    return this.#call.handset.sampleRateHz;
  }

  get tracks() {
    return this.#call.handset.tracks;
  }

  say(pcm: Int16Array) {
    return this.#call.handset.say(pcm);
  }

  dtmf(digit: string): void {
    this.#call.dtmf?.(digit);
  }

  hangup(): void {
    this.#call.hangup();
  }

  close(): void {
    this.#call.hangup();
  }

  async #watch(): Promise<void> {
    let lastLooks = LAST_LOOKS;
    void this.#call.ended.then(() => {
      this.#closed = true;
    });
    while (this.#status !== 'finished' && lastLooks > 0) {
      if (this.#closed) lastLooks--;
      try {
        this.#show(await this.#client.getCall(this.callId));
      } catch {
        // A failed read needs no handling: the report reads the record again and shows any error.
      }
      await new Promise<void>((resolve) => {
        systemClock.setTimeout(resolve, LOOK_MS);
      });
    }
  }

  #show({ messages, status }: Awaited<ReturnType<ServiceClient['getCall']>>): void {
    if (status !== this.#status) this.#onFrame({ type: 'status', status }, this.elapsedMs);
    this.#status = status;
    for (const [i, { messageId, role, text }] of messages.entries()) {
      if (role !== 'user' && role !== 'assistant') continue;
      // The last message may still grow.
      const isFinal = i < messages.length - 1 || status === 'finished';
      const shown = `${isFinal} ${text}`;
      if (this.#shown.get(messageId) === shown) continue;
      this.#shown.set(messageId, shown);
      this.#onFrame({ type: 'transcript', role, text, final: isFinal }, this.elapsedMs);
    }
  }
}
