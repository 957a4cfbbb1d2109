import { ProviderError } from '../../lib/errors.ts';
import type { Clock, Timer } from '../../ports/clock.ts';
import { openVendorSocket, type VendorSocket } from '../vendor-socket.ts';
import type { SpeechFrame, TtsVendor, Utterance } from './tts-vendor.ts';

/** Who is told what comes for one utterance. */
export interface SpeechSink {
  frame(frame: Exclude<SpeechFrame, { type: 'error' }>): void;
  failed(error: ProviderError): void;
}

/** A connection is kept this long without an utterance: longer than people think, shorter than vendors wait. */
const IDLE_MS = 15_000;
// A cancelled context that the vendor never ends gives its place back after this.
const DRAIN_MS = 3000;

/** One connection to a vendor and the utterances on it. */
export class TtsConnection {
  readonly #vendor: TtsVendor;
  readonly #clock: Clock;
  readonly #socket: VendorSocket;
  readonly #contexts = new Map<string, SpeechSink | 'reserved' | 'dropped'>();
  readonly #onGone: () => void;
  /** Instants of the last minute's utterances, where the vendor counts them. */
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

  /** Takes a place before it is used: whoever asks next must not be given the same. */
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

  /** Nothing of this utterance is wanted any more; what still comes of it is dropped. */
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
      // Where frames carry no id, what comes late would be taken for the next utterance.
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
      // Where frames carry no id, only the answer to our cancelling ends what was cancelled.
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
