import type { WebSocket } from 'ws';
import { pcm16FromBytes } from '../audio/pcm16.ts';
import type { Clock, Timer } from '../ports/clock.ts';
import { InboundMeter } from './inbound-meter.ts';
import { gatherOn, MediaSocket } from './socket-server.ts';
import type { WebLimits } from './web-limits.ts';
import {
  checkAudioLength,
  faults,
  parseClientFrame,
  serializeServerFrame,
  type WebClientFrame,
  type WebFault,
  type WebServerFrame,
} from './web-protocol.ts';

const BINARY = { binary: true, compress: false } as const;
const NORMAL = 1000;

/** How a connection ended, for the leg and the record. */
export interface ConnectionLoss {
  readonly reason: string;
  /** A client that broke the protocol is not let back in. */
  readonly resumable: boolean;
}

/** Who gets what arrives once the connection has started. */
export interface ConnectionOwner {
  /** The array is used again afterwards. */
  audio(pcm: Int16Array): void;
  frame(frame: Exclude<WebClientFrame, { type: 'start' }>): void;
  /** Last call, once, unless the owner itself closed the connection. */
  lost(loss: ConnectionLoss): void;
}

/**
 * One socket of a web client: its first message, its limits, its heartbeat and its end. Until an owner is
 * attached, audio is counted and dropped.
 */
export class WebConnection {
  readonly #socket: WebSocket;
  readonly #clock: Clock;
  readonly #limits: WebLimits;
  /** Undefined until `start` came. */
  #meter: InboundMeter | undefined;
  #owner: ConnectionOwner | undefined;
  // A number from the start: a field that was once without one would put each on the heap.
  #lastSeenAt = Number.NaN;
  #timer: Timer;
  #loss: ConnectionLoss | undefined;
  #closing = false;
  readonly #started = Promise.withResolvers<number | undefined>();

  constructor(socket: WebSocket, clock: Clock, limits: WebLimits) {
    this.#socket = socket;
    this.#clock = clock;
    this.#limits = limits;
    this.#lastSeenAt = clock.now();
    this.#timer = clock.setTimeout(() => this.fail(faults.startLate), limits.startMs);
    if (socket instanceof MediaSocket) {
      socket.tooBigNotice = serializeServerFrame(errorFrame(faults.tooBig));
    }
    socket.on('message', (data: Buffer, isBinary: boolean) => this.#received(data, isBinary));
    socket.on('ping', () => this.#control());
    socket.on('pong', () => this.#control());
    socket.on('close', (code: number) => this.#closed(code));
    socket.on('error', (error: NodeJS.ErrnoException) => this.#broken(error.code ?? 'unknown'));
  }

  /** Resolves with the client's sample rate, or undefined when it never started properly. */
  started(): Promise<number | undefined> {
    return this.#started.promise;
  }

  get isOpen(): boolean {
    return !this.#closing && this.#loss === undefined;
  }

  get bufferedBytes(): number {
    return this.#socket.bufferedAmount;
  }

  attach(owner: ConnectionOwner): void {
    this.#owner = owner;
    if (this.#loss) owner.lost(this.#loss);
  }

  /** The client comes back and may send what it held for so long. */
  expectHeld(heldMs: number): void {
    this.#meter?.credit(heldMs);
  }

  send(frame: WebServerFrame): void {
    if (!this.isOpen) return;
    gatherOn(this.#socket);
    this.#socket.send(serializeServerFrame(frame));
  }

  sendAudio(bytes: Uint8Array): void {
    if (!this.isOpen) return;
    gatherOn(this.#socket);
    this.#socket.send(bytes, BINARY);
    if (this.#socket.bufferedAmount > this.#limits.maxBufferedBytes) {
      this.fail(faults.slowReader, { resumable: true });
    }
  }

  /** Says what is wrong, closes, and tells the owner. */
  fail(fault: WebFault, { resumable = false } = {}): void {
    if (!this.isOpen) return;
    this.send(errorFrame(fault));
    this.#lose({ reason: fault.code, resumable });
    this.#close(fault.closeCode, fault.code);
  }

  /** Says a last word and closes in good order; the owner hears nothing more. */
  finish(lastWord: WebServerFrame): void {
    if (!this.isOpen) return;
    this.send(lastWord);
    this.#owner = undefined;
    this.#close(NORMAL, '');
  }

  #received(data: Buffer, isBinary: boolean): void {
    if (!this.isOpen) return;
    const fault = this.#meter
      ? this.#nextMessage(data, isBinary)
      : this.#firstMessage(data, isBinary);
    if (fault) this.fail(fault);
  }

  #nextMessage(data: Buffer, isBinary: boolean): WebFault | undefined {
    const fault = isBinary ? checkAudioLength(data.byteLength) : undefined;
    if (fault) return fault;
    const flood = this.#count(isBinary ? data.byteLength : 0);
    if (flood) return flood;
    if (isBinary) {
      if (data.byteLength > 0) this.#owner?.audio(pcm16FromBytes(data));
      return undefined;
    }
    const parsed = parseClientFrame(data.toString());
    if (!parsed.ok) return parsed.fault;
    if (parsed.value.type === 'start') return faults.startTwice;
    this.#owner?.frame(parsed.value);
    return undefined;
  }

  #firstMessage(data: Buffer, isBinary: boolean): WebFault | undefined {
    if (isBinary) return faults.startExpected;
    const parsed = parseClientFrame(data.toString());
    // Whatever is wrong with it: who can't say `start` has no business here.
    if (!parsed.ok) return { ...parsed.fault, closeCode: 1008 };
    if (parsed.value.type !== 'start') return faults.startExpected;
    const now = this.#clock.now();
    this.#lastSeenAt = now;
    this.#meter = new InboundMeter(this.#limits, parsed.value.sampleRateHz, now);
    this.#clock.clearTimeout(this.#timer);
    this.#scheduleHeartbeat();
    this.#started.resolve(parsed.value.sampleRateHz);
    return undefined;
  }

  #count(audioBytes: number): WebFault | undefined {
    const now = this.#clock.now();
    this.#lastSeenAt = now;
    return this.#meter?.count(audioBytes, now);
  }

  #control(): void {
    const flood = this.isOpen ? this.#count(0) : undefined;
    if (flood) this.fail(flood);
  }

  #scheduleHeartbeat(): void {
    this.#timer = this.#clock.setTimeout(() => {
      if (this.#clock.now() - this.#lastSeenAt >= this.#limits.silentMs) {
        this.#lose({ reason: 'silent', resumable: true });
        // Nobody is there to answer a close.
        this.#socket.terminate();
        return;
      }
      this.#socket.ping();
      this.#scheduleHeartbeat();
    }, this.#limits.pingEveryMs);
  }

  #close(code: number, reason: string): void {
    this.#closing = true;
    this.#clock.clearTimeout(this.#timer);
    this.#started.resolve(undefined);
    this.#socket.close(code, reason);
    this.#terminateLater();
  }

  #terminateLater(): void {
    this.#timer = this.#clock.setTimeout(() => this.#socket.terminate(), this.#limits.closeMs);
  }

  #closed(code: number): void {
    this.#clock.clearTimeout(this.#timer);
    this.#started.resolve(undefined);
    if (!this.#closing) this.#lose({ reason: `socket-closed-${code}`, resumable: true });
  }

  // `ws` has answered with the right close code where the bytes were no WebSocket frames.
  #broken(code: string): void {
    if (!this.isOpen) return;
    const tooBig = code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH';
    this.#lose({
      reason: tooBig ? faults.tooBig.code : `socket-error-${code}`,
      resumable: !code.startsWith('WS_ERR'),
    });
    this.#terminateLater();
  }

  #lose(loss: ConnectionLoss): void {
    if (this.#loss) return;
    this.#loss = loss;
    this.#clock.clearTimeout(this.#timer);
    this.#started.resolve(undefined);
    this.#owner?.lost(loss);
  }
}

function errorFrame(fault: WebFault): WebServerFrame {
  return { type: 'error', code: fault.code, message: fault.message };
}
