import type { WebSocket } from 'ws';
import type {
  CarrierMediaEvent,
  CarrierMediaProtocol,
  MediaFault,
  ParsedMedia,
  WireFrame,
} from '../ports/carrier-media.ts';
import type { Clock, Timer } from '../ports/clock.ts';
import type { CarrierLimits } from './carrier-limits.ts';
import { gatherOn } from './socket-server.ts';

type OwnedEvent = Exclude<CarrierMediaEvent, { type: 'started' }>;

/** Who gets what arrives once the stream has started. */
export interface CarrierConnectionOwner {
  event(event: OwnedEvent): void;
  /** Last call, once, unless the owner itself closed the connection. */
  lost(reason: string): void;
}

export interface StartedStream {
  readonly carrierCallId: string | undefined;
}

const BINARY = { binary: true, compress: false } as const;
const TEXT = { binary: false, compress: false } as const;
const NORMAL = 1000;
const TELEPHONE_HZ = 8000;
const POLICY = 1008;
/** Keys, and the end of the stream, while its call is looked up. */
const MOST_EARLY = 32;

const TOO_MANY: MediaFault = {
  code: 'too-many-frames',
  message: 'too many frames per second',
  closeCode: POLICY,
};

/** One media socket of a carrier: its start, its limits, its silence and its end. */
export class CarrierConnection {
  readonly #socket: WebSocket;
  readonly #protocol: CarrierMediaProtocol;
  readonly #clock: Clock;
  readonly #limits: CarrierLimits;
  readonly #sendsSilence: boolean;
  readonly #started = Promise.withResolvers<StartedStream | undefined>();
  #owner: CarrierConnectionOwner | undefined;
  readonly #early: OwnedEvent[] = [];
  #timer: Timer | undefined;
  // Numbers from the start: a field that was once without one would put each of them on the heap.
  #lastSeenAt = Number.NaN;
  #lastCountAt = Number.NaN;
  #excessFrames = Number.NaN;
  #hasStarted = false;
  #loss: string | undefined;
  #closing = false;

  constructor(
    socket: WebSocket,
    protocol: CarrierMediaProtocol,
    options: {
      readonly clock: Clock;
      readonly limits: CarrierLimits;
      /** Without sound the socket is dead; else pings tell. */
      readonly sendsSilence: boolean;
    },
  ) {
    this.#socket = socket;
    this.#protocol = protocol;
    this.#clock = options.clock;
    this.#limits = options.limits;
    this.#sendsSilence = options.sendsSilence;
    this.#lastSeenAt = this.#lastCountAt = options.clock.now();
    this.#excessFrames = -options.limits.burstFrames;
    this.#timer = this.#clock.setTimeout(
      () => this.refuse('start-timeout'),
      options.limits.startMs,
    );
    socket.on('message', (data: Buffer, isBinary: boolean) => this.#received(data, isBinary));
    socket.on('pong', () => {
      this.#lastSeenAt = this.#clock.now();
    });
    socket.on('close', (code: number) => this.#closed(code));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      this.#lose(`socket-error-${error.code ?? 'unknown'}`);
    });
  }

  /** Resolves when the carrier has said which call this is; undefined when it never did. */
  started(): Promise<StartedStream | undefined> {
    return this.#started.promise;
  }

  get isOpen(): boolean {
    return !this.#closing && this.#loss === undefined;
  }

  /** Of the sound in both directions, once the stream has started. */
  get sampleRateHz(): number {
    return this.#protocol.sampleRateHz ?? TELEPHONE_HZ;
  }

  get bufferedBytes(): number {
    return this.#socket.bufferedAmount;
  }

  /** What came before there was an owner comes to it now, but for the sound. */
  attach(owner: CarrierConnectionOwner): void {
    this.#owner = owner;
    for (const event of this.#early.splice(0)) owner.event(event);
    if (this.#loss !== undefined) owner.lost(this.#loss);
  }

  sendAudio(pcm: Int16Array): void {
    if (!this.isOpen) return;
    this.#send(this.#protocol.audio(pcm));
    if (this.#socket.bufferedAmount > this.#limits.maxBufferedBytes) this.refuse('slow-reader');
  }

  sendMark(name: string): void {
    if (this.isOpen) this.#send(this.#protocol.mark(name));
  }

  sendClear(): void {
    if (this.isOpen) this.#send(this.#protocol.clear());
  }

  /** Closes the socket for a reason of ours; whoever owns it learns of the loss. */
  refuse(reason: string, closeCode = POLICY): void {
    if (!this.isOpen) return;
    this.#lose(reason);
    this.#close(closeCode, reason);
  }

  /** The call is over: says so where the carrier has a word for it, then closes in good order. */
  finish(): void {
    if (!this.isOpen) return;
    if (this.#hasStarted) this.#send(this.#protocol.end());
    this.#owner = undefined;
    this.#close(NORMAL, '');
  }

  #send(frames: readonly WireFrame[]): void {
    gatherOn(this.#socket);
    for (const frame of frames) this.#socket.send(frame, typeof frame === 'string' ? TEXT : BINARY);
  }

  #received(data: Buffer, isBinary: boolean): void {
    if (!this.isOpen) return;
    const now = this.#clock.now();
    this.#lastSeenAt = now;
    if (this.#isFlood(now)) {
      this.refuse(TOO_MANY.code, TOO_MANY.closeCode);
      return;
    }
    const pcm = isBinary ? undefined : this.#protocol.parseAudio?.(data);
    if (pcm) {
      this.#owner?.event({ type: 'audio', pcm });
      return;
    }
    const parsed: ParsedMedia = this.#protocol.parse(isBinary ? data : data.toString());
    if (parsed.ok) for (const event of parsed.events) this.#event(event);
    else this.refuse(parsed.fault.code, parsed.fault.closeCode);
  }

  #event(event: CarrierMediaEvent): void {
    if (event.type !== 'started') {
      if (this.#owner) this.#owner.event(event);
      else if (event.type !== 'audio' && this.#early.length < MOST_EARLY) this.#early.push(event);
      return;
    }
    this.#hasStarted = true;
    this.#clock.clearTimeout(this.#timer);
    this.#watch();
    this.#started.resolve({ carrierCallId: event.carrierCallId });
  }

  /** Time in which nothing came is credit, up to the burst. */
  #isFlood(now: number): boolean {
    const { maxFramesPerSecond, burstFrames } = this.#limits;
    const allowed = ((now - this.#lastCountAt) * maxFramesPerSecond) / 1000;
    this.#lastCountAt = now;
    this.#excessFrames = Math.max(-burstFrames, this.#excessFrames - allowed) + 1;
    return this.#excessFrames > 0;
  }

  #watch(): void {
    const { silentMs } = this.#limits;
    const leftMs = this.#lastSeenAt + silentMs - this.#clock.now();
    this.#timer = this.#clock.setTimeout(() => {
      if (this.#clock.now() - this.#lastSeenAt < silentMs) this.#watch();
      else if (this.#sendsSilence) this.#dead();
      else this.#ask();
    }, leftMs);
  }

  /** A caller on hold, or with silence suppression, sends nothing for as long as they like. */
  #ask(): void {
    const askedAt = this.#clock.now();
    this.#socket.ping();
    this.#timer = this.#clock.setTimeout(() => {
      if (this.#lastSeenAt < askedAt) this.#dead();
      else this.#watch();
    }, this.#limits.pongMs);
  }

  #dead(): void {
    this.#lose('silent');
    // Nobody is there to answer a close.
    this.#socket.terminate();
  }

  #close(code: number, reason: string): void {
    this.#closing = true;
    this.#clock.clearTimeout(this.#timer);
    this.#started.resolve(undefined);
    this.#socket.close(code, reason);
    this.#timer = this.#clock.setTimeout(() => this.#socket.terminate(), this.#limits.closeMs);
  }

  #closed(code: number): void {
    this.#clock.clearTimeout(this.#timer);
    this.#started.resolve(undefined);
    if (!this.#closing) this.#lose(`socket-closed-${code}`);
  }

  #lose(reason: string): void {
    if (this.#loss !== undefined || this.#closing) return;
    this.#loss = reason;
    this.#clock.clearTimeout(this.#timer);
    this.#started.resolve(undefined);
    this.#owner?.lost(reason);
  }
}
