import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import { abortError } from '../lib/abort.ts';
import { binaryClientFrame, freshMask } from '../lib/client-frame.ts';
import { connectionProblem } from '../lib/connection-problem.ts';
import { readDirectly } from '../lib/direct-reads.ts';
import { ProviderError } from '../lib/errors.ts';
import { OutgoingSocket, TrafficError, type TrafficLimits } from '../lib/outgoing-socket.ts';
import type { Clock, Timer } from '../ports/clock.ts';
import type { FailureClass } from '../ports/provider-failure.ts';
import { httpError, presentable } from './openai-llm/error-protocol.ts';

export interface VendorSocketOptions {
  readonly provider: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly clock: Clock;
  /** Strings that must never appear in an error. */
  readonly secrets: readonly string[];
  /** @defaultValue 5000 */
  readonly connectTimeoutMs?: number;
  /** Half the time in which a dead connection is detected. @defaultValue 5000 */
  readonly pingEveryMs?: number;
  /** Failure classes of the vendor's own close codes. */
  readonly closeClasses?: Readonly<Record<number, FailureClass>>;
  /** Text frames arrive as strings, binary frames as bytes. */
  readonly onFrame: (frame: string | Uint8Array) => void;
  /** The connection has closed, on either side. Called once, and only after it was open. */
  readonly onClose: (error: ProviderError) => void;
}

/** An open connection to a vendor. */
export interface VendorSocket {
  /** Bytes sent but not yet accepted by the network. */
  readonly bufferedBytes: number;
  send(frame: string | Uint8Array): void;
  close(): void;
}

/** Synthesised audio arrives many times faster than real time, in messages of any length. */
const TRAFFIC = {
  maxMessageBytes: 16 * 1024 * 1024,
  messagesPerSecond: 2000,
  burstMessages: 10_000,
  bytesPerSecond: 8 * 1024 * 1024,
  burstBytes: 64 * 1024 * 1024,
} as const satisfies TrafficLimits;
/** Longer messages, which are rare, go through `ws`. */
const MAX_DIRECT_BYTES = 65_535;
const MAX_ERROR_BYTES = 64 * 1024;
// Half-open connections are detected by unanswered pings.
const PING_EVERY_MS = 5000;
const CLOSE_TIMEOUT_MS = 2000;

const CLOSE_CLASSES: Readonly<Record<number, FailureClass>> = {
  1002: 'protocol',
  1003: 'protocol',
  1007: 'protocol',
  1008: 'invalid',
  1009: 'invalid',
};

/** Connects; rejects with ProviderError, or with the signal's abort. */
export function openVendorSocket(
  options: VendorSocketOptions,
  signal: AbortSignal,
): Promise<VendorSocket> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(abortError(signal));
    const { clock, provider } = options;
    const socket = new OutgoingSocket(options.url, {
      headers: { ...options.headers },
      limits: TRAFFIC,
      clock,
    });
    const timeoutMs = options.connectTimeoutMs ?? 5000;
    const fail = (error: Error): void => {
      settle();
      socket.on('error', () => {});
      socket.terminate();
      reject(error);
    };
    const onAbort = (): void => fail(abortError(signal));
    const timer = clock.setTimeout(
      () => fail(failure('timeout', 'connect_timeout', `did not connect within ${timeoutMs} ms`)),
      timeoutMs,
    );
    const failure = (failureClass: FailureClass, code: string, what: string): ProviderError =>
      new ProviderError({ class: failureClass, provider, code, message: `${provider} ${what}` });
    const settle = (): void => {
      clock.clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      socket.removeAllListeners();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    socket.once('unexpected-response', (_, response) => {
      void refusal(options, response).then(fail);
    });
    socket.once('error', (error) => {
      fail(failure('network', 'connect_failed', `could not be reached${causeOf(error)}`));
    });
    let stream: Duplex | undefined;
    socket.once('upgrade', (response) => {
      stream = response.socket;
    });
    socket.once('open', () => {
      settle();
      if (stream)
        readDirectly(socket, stream, { isMasked: false, maxPayloadBytes: MAX_DIRECT_BYTES });
      resolve(new OpenSocket(socket, stream, options));
    });
  });
}

function causeOf(error: Error): string {
  const problem = connectionProblem(error);
  return problem ? `: ${problem}` : '';
}

/** The error from an HTTP response that arrives in place of the upgrade. */
async function refusal(
  options: VendorSocketOptions,
  response: IncomingMessage,
): Promise<ProviderError> {
  const chunks: Buffer[] = [];
  let received = 0;
  try {
    for await (const chunk of response) {
      chunks.push(chunk as Buffer);
      received += (chunk as Buffer).length;
      if (received > MAX_ERROR_BYTES) break;
    }
  } catch {
    // Without a readable body, the status alone must do.
  }
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
  );
  const body = Buffer.concat(chunks).toString() || JSON.stringify({ message: headers['dg-error'] });
  return httpError({
    provider: options.provider,
    status: response.statusCode ?? 0,
    headers,
    body,
    secrets: options.secrets,
  });
}

class OpenSocket implements VendorSocket {
  readonly #socket: WebSocket;
  /** The stream below the WebSocket. */
  readonly #stream: Duplex | undefined;
  readonly #options: VendorSocketOptions;
  #pingTimer: Timer;
  #heard = true;
  #reported = false;

  constructor(socket: WebSocket, stream: Duplex | undefined, options: VendorSocketOptions) {
    this.#socket = socket;
    this.#stream = stream;
    this.#options = options;
    socket.on('message', (data, isBinary) => {
      this.#heard = true;
      const bytes = data as Buffer;
      // Copied, because the buffer is reused.
      options.onFrame(isBinary ? Uint8Array.from(bytes) : bytes.toString());
    });
    socket.on('pong', () => {
      this.#heard = true;
    });
    socket.on('error', (error) => {
      // The vendor exceeded the limits; the connection is closed with that reason.
      if (error instanceof TrafficError) this.#report('protocol', error.code, error.message);
      else this.#gone('network', 'connection_lost', `lost its connection${causeOf(error)}`);
    });
    socket.on('close', (code, reason) => {
      const said = presentable(reason.toString(), options.secrets);
      const why = said ? `: ${said}` : '';
      this.#gone(
        options.closeClasses?.[code] ?? CLOSE_CLASSES[code] ?? 'network',
        `ws_${code}`,
        `closed the connection (${code})${why}`,
      );
    });
    this.#ping();
  }

  get bufferedBytes(): number {
    return this.#socket.bufferedAmount;
  }

  send(frame: string | Uint8Array): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    // Audio bypasses `ws`, which buffers nothing itself: what it sends is already on the stream.
    if (typeof frame !== 'string' && this.#stream)
      this.#stream.write(binaryClientFrame(frame, freshMask()));
    else this.#socket.send(frame);
  }

  close(): void {
    this.#options.clock.clearTimeout(this.#pingTimer);
    this.#socket.close(1000);
    this.#pingTimer = this.#options.clock.setTimeout(
      () => this.#socket.terminate(),
      CLOSE_TIMEOUT_MS,
    );
  }

  #ping(): void {
    this.#pingTimer = this.#options.clock.setTimeout(() => {
      if (!this.#heard) {
        this.#gone('network', 'half_open', 'stopped answering on an open connection');
        return;
      }
      this.#heard = false;
      this.#socket.ping();
      this.#ping();
    }, this.#options.pingEveryMs ?? PING_EVERY_MS);
  }

  #gone(failureClass: FailureClass, code: string, what: string): void {
    this.#socket.terminate();
    this.#report(failureClass, code, what);
  }

  #report(failureClass: FailureClass, code: string, what: string): void {
    const { clock, provider, onClose } = this.#options;
    clock.clearTimeout(this.#pingTimer);
    if (this.#reported) return;
    this.#reported = true;
    onClose(
      new ProviderError({ class: failureClass, provider, code, message: `${provider} ${what}` }),
    );
  }
}
