import type { WebSocket } from 'ws';
import { loopRecorder } from '../lib/loop-recorder.ts';
import type { WireFrame } from '../ports/carrier-media.ts';
import type { Clock, Timer } from '../ports/clock.ts';
import { gatherOn, MediaSocket } from './socket-server.ts';

/** Why this side closes a socket. */
export interface ConnectionFault {
  readonly code: string;
  readonly message: string;
  readonly closeCode: number;
}

/** Receives the content of a message from the codec. */
export interface CodecOutput<Started, Event> {
  started(how: Started): void;
  /** PCM16; the array may be reused after the call returns. */
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
  /** The frame that reports a fault to the far end before the socket closes, if the protocol has one. */
  encodeFault(fault: ConnectionFault): WireFrame | undefined;
  /** The event that it is when the far end closes the socket; absent: it is lost. */
  closedBy?(code: number): Event | undefined;
  /** Faults detected by the connection itself. */
  readonly faults: Readonly<Record<'startLate' | 'slowReader' | 'tooBig', ConnectionFault>>;
  /** Called once when the connection ends. */
  release(): void;
}

export interface ConnectionLimits {
  /** From the opening of the socket to the start of the stream. */
  readonly startMs: number;
  /** After this time without any frame, a ping checks the far end. Absent: no pings. */
  readonly pingAfterMs?: number | undefined;
  /** After this time without any frame or pong, the socket is dead. */
  readonly deadAfterMs: number;
  /** Unsent bytes at which the far end counts as not reading. */
  readonly maxBufferedBytes: number;
  /** Time for the far end to answer a close. */
  readonly closeMs: number;
}

/** How a connection ended. */
export interface ConnectionLoss {
  readonly reason: string;
  /** False if the far end broke the protocol: it may not resume. */
  readonly resumable: boolean;
}

export interface ConnectionOwner<Event> {
  /** The array is reused after the call returns. */
  audio(pcm: Int16Array): void;
  event(event: Event): void;
  /** The last callback, at most once; not called when the owner itself finished the connection. */
  lost(loss: ConnectionLoss): void;
}

const BINARY = { binary: true, compress: false } as const;
const TEXT = { binary: false, compress: false } as const;
const NORMAL = 1000;
const SERVICE_RESTART = 1012;
/** Events kept before there is an owner, while the call is looked up. */
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
  // NaN instead of undefined: a field that has ever held a non-number makes V8 allocate each number on the heap.
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

  /** Resolves when the stream has started; with undefined when it never starts. */
  whenStarted(): Promise<Started | undefined> {
    return this.#started.promise;
  }

  get isOpen(): boolean {
    return !this.#isClosing && this.#loss === undefined;
  }

  get bufferedBytes(): number {
    return this.#socket.bufferedAmount;
  }

  /** Passes on the events that arrived earlier, and a loss, but not the audio. */
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

  /** Reports the fault to the far end, closes the socket and tells the owner. */
  fail(fault: ConnectionFault, { resumable = false } = {}): void {
    if (!this.isOpen) return;
    const notice = this.codec.encodeFault(fault);
    if (notice !== undefined) this.#write([notice]);
    this.#lose({ reason: fault.code, resumable });
    this.#close(fault.closeCode, fault.code);
  }

  /** Sends a last command and closes the socket normally; the owner gets no more callbacks. */
  finish(lastWord: Command): void {
    if (!this.isOpen) return;
    this.send(lastWord);
    this.#owner = undefined;
    this.#close(NORMAL, '');
  }

  /** Closes the socket, so that the far end comes back to another process; the owner gets no more callbacks. */
  moved(): void {
    if (!this.isOpen) return;
    this.#owner = undefined;
    this.#close(SERVICE_RESTART, 'moved');
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
    loopRecorder.begin();
    try {
      const fault = this.codec.read(data, isBinary, now, this);
      if (fault) this.fail(fault);
    } finally {
      loopRecorder.end('frame');
    }
  }

  #control(): void {
    if (!this.isOpen) return;
    const now = this.#clock.now();
    this.#lastSeenAt = now;
    const fault = this.codec.countControl(now);
    if (fault) this.fail(fault);
  }

  /** Sets a timer for the next ping or the end, whichever comes first if no frame arrives. */
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
      // A dead far end cannot answer a close.
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
    const event = this.isOpen ? this.codec.closedBy?.(code) : undefined;
    if (event !== undefined) this.event(event);
    this.#settle();
    if (!this.#isClosing) this.#lose({ reason: `socket-closed-${code}`, resumable: true });
  }

  // For bytes that were no WebSocket frames, `ws` has already sent the right close code.
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

  /** Stops the timer, resolves a pending start and releases the codec. */
  #settle(): void {
    this.#clock.clearTimeout(this.#timer);
    this.#started.resolve(undefined);
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.codec.release();
  }
}
