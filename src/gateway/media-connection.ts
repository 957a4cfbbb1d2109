import type { WebSocket } from 'ws';
import type { WireFrame } from '../ports/carrier-media.ts';
import type { Clock, Timer } from '../ports/clock.ts';
import { gatherOn, MediaSocket } from './socket-server.ts';

/** Why a socket is closed from here. */
export interface ConnectionFault {
  readonly code: string;
  readonly message: string;
  readonly closeCode: number;
}

/** Where a codec delivers what a message holds. */
export interface CodecOutput<Started, Event> {
  started(how: Started): void;
  /** PCM16; the array may be used again after the call. */
  audio(pcm: Int16Array): void;
  event(event: Event): void;
}

/** The protocol of one media socket: messages in, events out; commands in, frames out. No I/O. */
export interface MediaCodec<Started, Event, Command> {
  /** Reads one message. Before the stream has started, anything but a start is a fault or is dropped. */
  read(
    data: Buffer,
    isBinary: boolean,
    now: number,
    output: CodecOutput<Started, Event>,
  ): ConnectionFault | undefined;
  /** Counts a ping or pong against the limits of the stream. */
  countControl(now: number): ConnectionFault | undefined;
  encodeAudio(pcm: Int16Array): readonly WireFrame[];
  encode(command: Command): readonly WireFrame[];
  /** Tells the far end of a fault before the socket closes, where the protocol can say it. */
  encodeFault(fault: ConnectionFault): WireFrame | undefined;
  /** Faults that the connection itself finds. */
  readonly faults: Readonly<Record<'startLate' | 'slowReader' | 'tooBig', ConnectionFault>>;
  /** Called once when the connection ends. */
  release(): void;
}

export interface ConnectionLimits {
  /** From the open socket to the start of the stream. */
  readonly startMs: number;
  /** Without any frame for so long, a ping asks whether the far end is there. Absent: no pings. */
  readonly pingAfterMs?: number | undefined;
  /** Without any frame or pong for so long, the socket is dead. */
  readonly deadAfterMs: number;
  /** Unsent bytes at which the far end counts as not reading. */
  readonly maxBufferedBytes: number;
  /** The far end's time to answer a close. */
  readonly closeMs: number;
}

/** How a connection ended. */
export interface ConnectionLoss {
  readonly reason: string;
  /** A far end that broke the protocol is not let back in. */
  readonly resumable: boolean;
}

export interface ConnectionOwner<Event> {
  /** The array is used again afterwards. */
  audio(pcm: Int16Array): void;
  event(event: Event): void;
  /** Last call, once, unless the owner itself finished the connection. */
  lost(loss: ConnectionLoss): void;
}

const BINARY = { binary: true, compress: false } as const;
const TEXT = { binary: false, compress: false } as const;
const NORMAL = 1000;
/** Events that arrive before there is an owner, while the call is looked up. */
const MAX_EARLY_EVENTS = 32;

/**
 * One media socket of a browser, a carrier or a handset: its start, its limits, its liveness and its end. Until an
 * owner is attached, events are kept and audio is dropped.
 */
export class MediaConnection<
  Codec extends MediaCodec<Started, Event, Command>,
  Started,
  Event,
  Command,
> implements CodecOutput<Started, Event>
{
  readonly codec: Codec;
  readonly #socket: WebSocket;
  readonly #clock: Clock;
  readonly #limits: ConnectionLimits;
  readonly #started = Promise.withResolvers<Started | undefined>();
  readonly #early: Event[] = [];
  #owner: ConnectionOwner<Event> | undefined;
  #timer: Timer;
  // A number from the start: a field that was once without one would put each on the heap.
  #lastSeenAt = Number.NaN;
  #loss: ConnectionLoss | undefined;
  #isClosing = false;
  #isReleased = false;

  constructor(
    socket: WebSocket,
    codec: Codec,
    { clock, limits }: { readonly clock: Clock; readonly limits: ConnectionLimits },
  ) {
    this.codec = codec;
    this.#socket = socket;
    this.#clock = clock;
    this.#limits = limits;
    this.#lastSeenAt = clock.now();
    this.#timer = clock.setTimeout(() => this.fail(codec.faults.startLate), limits.startMs);
    const tooBig = codec.encodeFault(codec.faults.tooBig);
    if (socket instanceof MediaSocket && typeof tooBig === 'string') socket.tooBigNotice = tooBig;
    socket.on('message', (data: Buffer, isBinary: boolean) => this.#received(data, isBinary));
    socket.on('ping', () => this.#control());
    socket.on('pong', () => this.#control());
    socket.on('close', (code: number) => this.#closed(code));
    socket.on('error', (error: NodeJS.ErrnoException) => this.#broken(error.code ?? 'unknown'));
  }

  /** Resolves when the stream has started; undefined when it never did. */
  whenStarted(): Promise<Started | undefined> {
    return this.#started.promise;
  }

  get isOpen(): boolean {
    return !this.#isClosing && this.#loss === undefined;
  }

  get bufferedBytes(): number {
    return this.#socket.bufferedAmount;
  }

  /** The owner gets what came before it, but for the audio, and learns of a loss that came before it. */
  attach(owner: ConnectionOwner<Event>): void {
    this.#owner = owner;
    for (const event of this.#early.splice(0)) owner.event(event);
    if (this.#loss) owner.lost(this.#loss);
  }

  send(command: Command): void {
    if (this.isOpen) this.#write(this.codec.encode(command));
  }

  sendAudio(pcm: Int16Array): void {
    if (!this.isOpen) return;
    this.#write(this.codec.encodeAudio(pcm));
    if (this.#socket.bufferedAmount > this.#limits.maxBufferedBytes)
      this.fail(this.codec.faults.slowReader, { resumable: true });
  }

  /** Says what is wrong, closes, and tells the owner. */
  fail(fault: ConnectionFault, { resumable = false } = {}): void {
    if (!this.isOpen) return;
    const notice = this.codec.encodeFault(fault);
    if (notice !== undefined) this.#write([notice]);
    this.#lose({ reason: fault.code, resumable });
    this.#close(fault.closeCode, fault.code);
  }

  /** Says a last word and closes in good order; the owner hears nothing more. */
  finish(lastWord: Command): void {
    if (!this.isOpen) return;
    this.send(lastWord);
    this.#owner = undefined;
    this.#close(NORMAL, '');
  }

  started(how: Started): void {
    this.#clock.clearTimeout(this.#timer);
    this.#watch();
    this.#started.resolve(how);
  }

  audio(pcm: Int16Array): void {
    this.#owner?.audio(pcm);
  }

  event(event: Event): void {
    if (this.#owner) this.#owner.event(event);
    else if (this.#early.length < MAX_EARLY_EVENTS) this.#early.push(event);
  }

  #write(frames: readonly WireFrame[]): void {
    gatherOn(this.#socket);
    for (const frame of frames) this.#socket.send(frame, typeof frame === 'string' ? TEXT : BINARY);
  }

  #received(data: Buffer, isBinary: boolean): void {
    if (!this.isOpen) return;
    const now = this.#clock.now();
    this.#lastSeenAt = now;
    const fault = this.codec.read(data, isBinary, now, this);
    if (fault) this.fail(fault);
  }

  #control(): void {
    if (!this.isOpen) return;
    const now = this.#clock.now();
    this.#lastSeenAt = now;
    const fault = this.codec.countControl(now);
    if (fault) this.fail(fault);
  }

  /** Looks again at the instant at which the next ping, or the end, would be due if nothing came until then. */
  #watch(): void {
    const { pingAfterMs, deadAfterMs } = this.#limits;
    const silentMs = this.#clock.now() - this.#lastSeenAt;
    const leftMs = deadAfterMs - silentMs;
    const nextMs =
      pingAfterMs === undefined
        ? leftMs
        : Math.min(leftMs, silentMs < pingAfterMs ? pingAfterMs - silentMs : pingAfterMs);
    this.#timer = this.#clock.setTimeout(() => this.#look(), nextMs);
  }

  #look(): void {
    const { pingAfterMs, deadAfterMs } = this.#limits;
    const silentMs = this.#clock.now() - this.#lastSeenAt;
    if (silentMs >= deadAfterMs) {
      this.#lose({ reason: 'silent', resumable: true });
      // Nobody is there to answer a close.
      this.#socket.terminate();
      return;
    }
    if (pingAfterMs !== undefined && silentMs >= pingAfterMs) this.#socket.ping();
    this.#watch();
  }

  #close(code: number, reason: string): void {
    this.#isClosing = true;
    this.#settle();
    this.#socket.close(code, reason);
    this.#terminateLater();
  }

  #terminateLater(): void {
    this.#timer = this.#clock.setTimeout(() => this.#socket.terminate(), this.#limits.closeMs);
  }

  #closed(code: number): void {
    this.#settle();
    if (!this.#isClosing) this.#lose({ reason: `socket-closed-${code}`, resumable: true });
  }

  // `ws` has answered with the right close code where the bytes were no WebSocket frames.
  #broken(code: string): void {
    if (!this.isOpen) return;
    const isTooBig = code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH';
    this.#lose({
      reason: isTooBig ? this.codec.faults.tooBig.code : `socket-error-${code}`,
      resumable: !code.startsWith('WS_ERR'),
    });
    this.#terminateLater();
  }

  #lose(loss: ConnectionLoss): void {
    if (this.#loss || this.#isClosing) return;
    this.#loss = loss;
    this.#settle();
    this.#owner?.lost(loss);
  }

  /** No timer runs on, nobody waits for a start, and the codec lets go of what it holds. */
  #settle(): void {
    this.#clock.clearTimeout(this.#timer);
    this.#started.resolve(undefined);
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.codec.release();
  }
}
