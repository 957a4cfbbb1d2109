import { ProviderError } from '../../lib/errors.ts';
import type { Clock, Timer } from '../../ports/clock.ts';
import { openVendorSocket, type VendorSocket } from '../vendor-socket.ts';
import type { SpeechFrame, TtsVendor, Utterance } from './tts-vendor.ts';

/** Receives the frames of one utterance. */
export interface SpeechSink {
  frame(frame: Exclude<SpeechFrame, { type: 'error' }>): void;
  failed(error: ProviderError): void;
}

/** An idle connection is kept for this long: longer than a caller takes to answer, shorter than vendors' timeouts. */
const IDLE_MS = 15_000;
// A cancelled context that the vendor never ends is released after this time.
const DRAIN_MS = 3000;

/** One connection to a vendor and its utterances. */
export class TtsConnection {
  readonly #vendor: TtsVendor;
  readonly #clock: Clock;
  readonly #socket: VendorSocket;
  readonly #contexts = new Map<string, SpeechSink | 'reserved' | 'dropped'>();
  readonly #onGone: () => void;
  /** Times of the last minute's utterances, for vendors that limit their rate. */
  #spokenAt: number[] = [];
  #idleTimer: Timer;
  #gone = false;

  private constructor(vendor: TtsVendor, clock: Clock, socket: VendorSocket, onGone: () => void) {
    this.#vendor = vendor;
    this.#clock = clock;
    this.#socket = socket;
    this.#onGone = onGone;
    this.#rest();
  }

  static async open(
    vendor: TtsVendor,
    clock: Clock,
    url: string,
    onGone: (line: TtsConnection) => void,
    signal: AbortSignal,
  ): Promise<TtsConnection> {
    let line: TtsConnection | undefined;
    const socket = await openVendorSocket(
      {
        provider: vendor.provider,
        url,
        headers: vendor.headers,
        clock,
        secrets: vendor.secrets,
        onFrame: (frame) => line?.receive(frame),
        onClose: (error) => line?.lost(error),
      },
      signal,
    );
    line = new TtsConnection(vendor, clock, socket, () => line && onGone(line));
    return line;
  }

  get hasRoom(): boolean {
    const { maxContexts, maxPerMinute = Number.POSITIVE_INFINITY } = this.#vendor;
    const minuteAgo = this.#clock.now() - 60_000;
    this.#spokenAt = this.#spokenAt.filter((at) => at > minuteAgo);
    return !this.#gone && this.#contexts.size < maxContexts && this.#spokenAt.length < maxPerMinute;
  }

  /** Reserves a context at once, because the next request must not get the same one. */
  reserve(contextId: string): void {
    this.#clock.clearTimeout(this.#idleTimer);
    this.#contexts.set(contextId, 'reserved');
  }

  speak(contextId: string, utterance: Utterance, sink: SpeechSink): void {
    if (this.#gone) {
      sink.failed(this.#goneError());
      return;
    }
    this.#contexts.set(contextId, sink);
    if (this.#vendor.maxPerMinute !== undefined) this.#spokenAt.push(this.#clock.now());
    for (const message of this.#vendor.begin(contextId, utterance)) this.#socket.send(message);
  }

  /** Cancels an utterance; its late frames are dropped. */
  drop(contextId: string): void {
    const context = this.#contexts.get(contextId);
    if (context === undefined || context === 'dropped') return;
    if (context === 'reserved') {
      this.#release(contextId);
      return;
    }
    this.#contexts.set(contextId, 'dropped');
    for (const message of this.#vendor.cancel(contextId)) this.#socket.send(message);
    this.#clock.setTimeout(() => {
      if (this.#contexts.get(contextId) !== 'dropped') return;
      // Frames without an id would be taken as part of the next utterance.
      if (this.#vendor.maxContexts === 1) this.close();
      else this.#release(contextId);
    }, DRAIN_MS);
  }

  close(): void {
    if (this.#gone) return;
    this.#leave();
    this.#socket.close();
  }

  receive(frame: string | Uint8Array): void {
    if (this.#gone) return;
    for (const part of this.#vendor.parse(frame)) {
      if (part.type === 'error' && part.contextId === undefined) {
        this.lost(part.error);
        this.#socket.close();
        return;
      }
      const contextId = part.contextId ?? (this.#contexts.keys().next().value as string);
      const sink = this.#contexts.get(contextId);
      if (sink === undefined || sink === 'reserved') continue;
      // For frames without an id, only the answer to our cancel ends a cancelled utterance.
      const exclusive = this.#vendor.maxContexts === 1;
      if (exclusive && part.type === 'end' && part.cancelled !== (sink === 'dropped')) continue;
      if (part.type === 'end' || part.type === 'error') this.#release(contextId);
      if (sink === 'dropped') continue;
      if (part.type === 'error') sink.failed(part.error);
      else sink.frame(part);
    }
  }

  lost(error: ProviderError): void {
    if (this.#gone) return;
    const sinks = [...this.#contexts.values()];
    this.#leave();
    for (const sink of sinks) if (typeof sink === 'object') sink.failed(error);
  }

  #goneError(): ProviderError {
    const { provider } = this.#vendor;
    const message = `${provider} lost its connection`;
    return new ProviderError({ class: 'network', provider, code: 'connection_lost', message });
  }

  #release(contextId: string): void {
    this.#contexts.delete(contextId);
    if (this.#contexts.size === 0) this.#rest();
  }

  #rest(): void {
    this.#clock.clearTimeout(this.#idleTimer);
    this.#idleTimer = this.#clock.setTimeout(() => this.close(), IDLE_MS);
  }

  #leave(): void {
    this.#gone = true;
    this.#clock.clearTimeout(this.#idleTimer);
    this.#contexts.clear();
    this.#onGone();
  }
}
