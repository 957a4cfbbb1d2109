import { type ClientOptions, WebSocket } from 'ws';
import type { Clock } from '../ports/clock.ts';

/** Limits on the messages from the server of an outgoing socket. */
export interface TrafficLimits {
  /** A longer message closes the socket with 1009. */
  readonly maxMessageBytes: number;
  /** Sustained rate; unused time counts as credit, up to the burst. */
  readonly messagesPerSecond: number;
  readonly burstMessages: number;
  readonly bytesPerSecond: number;
  readonly burstBytes: number;
}

export type TrafficFault = 'too-many-messages' | 'too-many-bytes';

/** The server exceeded a limit; the socket is closing. */
export class TrafficError extends Error {
  override readonly name = 'TrafficError';
  readonly code: TrafficFault;

  constructor(code: TrafficFault) {
    super(code === 'too-many-messages' ? 'sent too many messages' : 'sent too many bytes');
    this.code = code;
  }
}

export interface OutgoingSocketOptions extends Pick<ClientOptions, 'headers' | 'agent'> {
  readonly limits: TrafficLimits;
  readonly clock: Clock;
  /** Timeout for the upgrade in ms; absent: the caller enforces one. */
  readonly handshakeTimeout?: number;
}

const CLOSE_POLICY_VIOLATION = 1008;
const CLOSE_MS = 1000;

/** Counts incoming messages and bytes against the limits. */
export class TrafficMeter {
  readonly #limits: TrafficLimits;
  // Initialised with a number: V8 would store the numbers of a field that was once undefined on the heap.
  #lastAt = Number.NaN;
  #messages = Number.NaN;
  #bytes = Number.NaN;

  constructor(limits: TrafficLimits, now: number) {
    this.#limits = limits;
    this.#lastAt = now;
    this.#messages = limits.burstMessages;
    this.#bytes = limits.burstBytes;
  }

  /** Counts one message; returns the fault if it exceeds a limit. */
  count(bytes: number, now: number): TrafficFault | undefined {
    const { messagesPerSecond, burstMessages, bytesPerSecond, burstBytes } = this.#limits;
    const seconds = Math.max(0, now - this.#lastAt) / 1000;
    this.#lastAt = now;
    this.#messages = Math.min(burstMessages, this.#messages + seconds * messagesPerSecond) - 1;
    this.#bytes = Math.min(burstBytes, this.#bytes + seconds * bytesPerSecond) - bytes;
    if (this.#messages < 0) return 'too-many-messages';
    return this.#bytes < 0 ? 'too-many-bytes' : undefined;
  }
}

/**
 * An outgoing WebSocket. Incoming messages are limited as on sockets that this service accepts: a server that exceeds a
 * limit is closed with code 1008 and a reason, an `error` event reports it, and nothing more is read.
 */
export class OutgoingSocket extends WebSocket {
  readonly #meter: TrafficMeter;
  readonly #clock: Clock;
  #isRefused = false;

  constructor(url: string, { limits, clock, ...options }: OutgoingSocketOptions) {
    super(url, {
      ...options,
      perMessageDeflate: false,
      followRedirects: false,
      maxPayload: limits.maxMessageBytes,
    });
    this.#clock = clock;
    this.#meter = new TrafficMeter(limits, clock.now());
  }

  override emit(event: string | symbol, ...args: unknown[]): boolean {
    if (event !== 'message') return super.emit(event, ...args);
    if (this.#isRefused) return false;
    const [data] = args;
    const bytes = data instanceof Uint8Array ? data.length : 0;
    const fault = this.#meter.count(bytes, this.#clock.now());
    if (fault === undefined) return super.emit(event, ...args);
    this.#refuse(fault);
    return false;
  }

  #refuse(fault: TrafficFault): void {
    this.#isRefused = true;
    this.close(CLOSE_POLICY_VIOLATION, fault);
    // The server's close frame would arrive after everything else that it has sent.
    this.pause();
    this.#clock.setTimeout(() => this.terminate(), CLOSE_MS);
    super.emit('error', new TrafficError(fault));
  }
}
