import { WebSocket } from 'ws';
import type { CarrierEventListener } from '../../ports/carrier.ts';
import type { Clock, Timer } from '../../ports/clock.ts';
import { type AriEvent, parseAriEvent, statusOfCause } from './ari-event.ts';

export type OpenSocket = (url: string) => WebSocket;

interface AriEventsOptions {
  readonly url: string;
  readonly clock: Clock;
  readonly openSocket?: OpenSocket;
  readonly listener: CarrierEventListener;
  /** Ties a caller's channel to its media channel. */
  readonly bridge: {
    join(callId: string, mediaId: string, signal: AbortSignal): Promise<void>;
    drop(callId: string, mediaIds: readonly string[], signal: AbortSignal): Promise<void>;
  };
}

const RETRY_MS = [500, 1000, 2000, 5000, 10_000] as const;
const PING_MS = 10_000;
const SILENT_MS = 25_000;
const CLOSE_MS = 1000;
const MAX_CALLS = 10_000;

/** What is known of one caller's channel. */
interface Channel {
  answered: boolean;
  readonly media: Set<string>;
}

/** Follows the events of one ARI application, over every break of the connection. */
export class AriEvents {
  readonly #options: AriEventsOptions;
  readonly #closed = new AbortController();
  readonly #channels = new Map<string, Channel>();
  readonly #work = new Set<Promise<void>>();
  #socket: WebSocket | undefined;
  #timer: Timer | undefined;
  #attempts = 0;
  #seenAt = 0;
  #count = 0;

  constructor(options: AriEventsOptions) {
    this.#options = options;
  }

  start(): void {
    const { url, openSocket } = this.#options;
    const socket = openSocket
      ? openSocket(url)
      : new WebSocket(url, { handshakeTimeout: 5000, perMessageDeflate: false });
    this.#socket = socket;
    let problem = 'the connection was closed';
    socket.on('open', () => {
      this.#attempts = 0;
      this.#seen();
      this.#watch(socket);
      this.#options.listener.connected(true);
    });
    socket.on('message', (data: Buffer) => {
      this.#seen();
      const event = parseAriEvent(data.toString());
      if (event) this.#handle(event);
    });
    socket.on('pong', () => this.#seen());
    socket.on('error', (error) => {
      problem = error.message;
    });
    socket.on('close', () => this.#broken(problem));
  }

  async close(): Promise<void> {
    this.#closed.abort();
    this.#options.clock.clearTimeout(this.#timer);
    const socket = this.#socket;
    if (socket) {
      socket.close(1000);
      this.#options.clock.setTimeout(() => socket.terminate(), CLOSE_MS);
    }
    await Promise.allSettled(this.#work);
  }

  #seen(): void {
    this.#seenAt = this.#options.clock.now();
  }

  #watch(socket: WebSocket): void {
    this.#timer = this.#options.clock.setTimeout(() => {
      if (this.#options.clock.now() - this.#seenAt >= SILENT_MS) {
        socket.terminate();
        return;
      }
      socket.ping();
      this.#watch(socket);
    }, PING_MS);
  }

  #broken(problem: string): void {
    this.#options.clock.clearTimeout(this.#timer);
    if (this.#closed.signal.aborted) return;
    this.#options.listener.connected(false, problem);
    const delayMs = RETRY_MS[Math.min(this.#attempts++, RETRY_MS.length - 1)] as number;
    this.#timer = this.#options.clock.setTimeout(() => this.start(), delayMs);
  }

  #handle(event: AriEvent): void {
    const { channelId } = event;
    switch (event.type) {
      case 'arrived': {
        this.#know(channelId).answered = true;
        const { from, to, callerName } = event;
        const name = callerName ? { callerName } : {};
        this.#tell({ type: 'call-arrived', carrierCallId: channelId, from, to, ...name });
        return;
      }
      case 'entered':
        this.#know(channelId).answered = true;
        this.#tell({ type: 'call-status', carrierCallId: channelId, status: 'in-progress' });
        this.#tell({ type: 'media-wanted', carrierCallId: channelId });
        return;
      case 'progress':
        this.#tell({ type: 'call-status', carrierCallId: channelId, status: event.status });
        return;
      case 'destroyed':
        this.#destroyed(channelId, event.cause);
        return;
      case 'media-entered':
        this.#channels.get(event.callId)?.media.add(channelId);
        this.#run((signal) => this.#options.bridge.join(event.callId, channelId, signal));
        return;
      case 'media-destroyed':
        // Where the caller is still there, the socket was lost.
        if (this.#channels.get(event.callId)?.media.delete(channelId))
          this.#tell({ type: 'media-wanted', carrierCallId: event.callId });
        return;
    }
  }

  #destroyed(channelId: string, cause: number): void {
    const channel = this.#channels.get(channelId);
    this.#channels.delete(channelId);
    const status = statusOfCause(cause, channel?.answered ?? false);
    this.#tell({
      type: 'call-status',
      carrierCallId: channelId,
      status,
      cause: `q850-${cause}`,
    });
    if (!channel?.answered) return;
    const media = [...channel.media];
    this.#run((signal) => this.#options.bridge.drop(channelId, media, signal));
  }

  #know(channelId: string): Channel {
    const known = this.#channels.get(channelId) ?? { answered: false, media: new Set<string>() };
    this.#channels.set(channelId, known);
    // Channels whose end was missed while the connection was away.
    if (this.#channels.size > MAX_CALLS)
      this.#channels.delete(this.#channels.keys().next().value as string);
    return known;
  }

  #run(work: (signal: AbortSignal) => Promise<void>): void {
    const running = work(this.#closed.signal)
      .catch((error: Error) => {
        if (!this.#closed.signal.aborted) this.#options.listener.problem(error);
      })
      .finally(() => this.#work.delete(running));
    this.#work.add(running);
  }

  // ARI does not number its events and never repeats one.
  #tell(event: EventWithoutId): void {
    this.#options.listener.event({ eventId: `${++this.#count}`, ...event });
  }
}

type Told = Parameters<CarrierEventListener['event']>[0];
type EventWithoutId = Told extends infer Event
  ? Event extends { readonly eventId: string }
    ? Omit<Event, 'eventId'>
    : never
  : never;
