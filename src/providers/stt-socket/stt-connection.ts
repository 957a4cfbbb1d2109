import { abortError } from '../../lib/abort.ts';
import { ProviderError } from '../../lib/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import { openVendorSocket, type VendorSocket } from '../vendor-socket.ts';
import type { HeardFrame, SttDialogue, SttSetup, SttVendor } from './stt-vendor.ts';

type Heard = Exclude<HeardFrame, { type: 'ready' | 'send' | 'malformed' | 'error' }>;

export interface ConnectionSink {
  heard(frame: Heard): void;
  /** Called once, and only after the connection was ready. */
  lost(error: ProviderError): void;
}

export interface SttConnectionOptions {
  readonly vendor: SttVendor;
  readonly setup: SttSetup;
  readonly clock: Clock;
  readonly connectTimeoutMs: number;
  readonly sink: ConnectionSink;
}

const MAX_MALFORMED = 3;
/** Speech sent into a dead connection is recognised late, so the loss must be detected sooner than for TTS. */
const PING_EVERY_MS = 2000;

/** One connection to a vendor, from the handshake to the close. */
export class SttConnection {
  readonly dialogue: SttDialogue;
  readonly #options: SttConnectionOptions;
  #socket: VendorSocket | undefined;
  #onReady: () => void = () => undefined;
  #onFailed: ((error: Error) => void) | undefined;
  #malformed = 0;
  /** Frames queued until the socket is open. */
  readonly #early: (string | Uint8Array)[] = [];
  #gone = false;

  private constructor(options: SttConnectionOptions) {
    this.#options = options;
    this.dialogue = options.vendor.dialogue(options.setup);
  }

  /** Resolves when the vendor accepts audio; rejects with ProviderError, or with the signal's abort. */
  static async open(options: SttConnectionOptions, signal: AbortSignal): Promise<SttConnection> {
    const connection = new SttConnection(options);
    await connection.#connect(signal);
    return connection;
  }

  /** Bytes not yet accepted by the network. */
  get bufferedBytes(): number {
    return this.#socket?.bufferedBytes ?? 0;
  }

  send(frame: string | Uint8Array): void {
    if (this.#socket) this.#socket.send(frame);
    else this.#early.push(frame);
  }

  /** No callback follows. */
  close(): void {
    if (this.#gone) return;
    this.#gone = true;
    if (this.dialogue.farewell !== undefined) this.#socket?.send(this.dialogue.farewell);
    this.#socket?.close();
  }

  async #connect(signal: AbortSignal): Promise<void> {
    const { vendor, setup, clock, connectTimeoutMs } = this.#options;
    const ready = new Promise<void>((resolve, reject) => {
      this.#onReady = resolve;
      this.#onFailed = reject;
    });
    // It is awaited later or not at all, so an early rejection must not count as unhandled.
    ready.catch(() => undefined);
    const onAbort = (): void => this.#fail(abortError(signal));
    const timer = clock.setTimeout(
      () => this.#fail(this.#failure('timeout', 'not_ready', 'connected but did not get ready')),
      2 * connectTimeoutMs,
    );
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      this.#socket = await openVendorSocket(
        {
          provider: vendor.provider,
          url: vendor.url(setup),
          headers: vendor.headers,
          clock,
          secrets: vendor.secrets,
          connectTimeoutMs,
          pingEveryMs: PING_EVERY_MS,
          ...(vendor.closeClasses ? { closeClasses: vendor.closeClasses } : {}),
          onFrame: (frame) => this.#receive(frame),
          onClose: (error) => this.#fail(error),
        },
        signal,
      );
      for (const frame of this.#early.splice(0)) this.send(frame);
      if (!vendor.greets) this.#onReady();
      await ready;
    } catch (error) {
      this.close();
      throw error;
    } finally {
      clock.clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      this.#onFailed = undefined;
    }
  }

  #receive(text: string | Uint8Array): void {
    if (this.#gone) return;
    for (const frame of this.dialogue.receive(text)) {
      if (this.#gone) return;
      switch (frame.type) {
        case 'ready':
          this.#onReady();
          break;
        case 'send':
          this.send(frame.frame);
          break;
        case 'malformed':
          if (++this.#malformed > MAX_MALFORMED)
            this.#fail(this.#failure('protocol', 'malformed', 'sent frames that make no sense'));
          break;
        case 'error':
          this.#fail(frame.error);
          break;
        default:
          this.#options.sink.heard(frame);
      }
    }
  }

  #fail(error: Error): void {
    if (this.#gone) return;
    const onFailed = this.#onFailed;
    if (onFailed) {
      onFailed(error);
      return;
    }
    this.close();
    this.#options.sink.lost(error as ProviderError);
  }

  #failure(failureClass: 'timeout' | 'protocol', code: string, what: string): ProviderError {
    const { provider } = this.#options.vendor;
    const message = `${provider} ${what}`;
    // Retryable, because a new connection may work.
    return new ProviderError({ class: failureClass, provider, code, message, retryable: true });
  }
}

/** A failure that no vendor has reported. */
export function unexpected(cause: unknown, provider: string): ProviderError {
  const message = `${provider} failed unexpectedly`;
  return new ProviderError({ class: 'internal', provider, code: 'unexpected', message, cause });
}
