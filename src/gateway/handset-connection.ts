import type { WebSocket } from 'ws';
import { bytesFromPcm16, pcm16FromBytes } from '../audio/pcm16.ts';
import { createResampler, type Resampler } from '../audio/resampler.ts';
import type { Clock, Timer } from '../ports/clock.ts';
import {
  type HandsetClientFrame,
  type HandsetServerFrame,
  parseHandsetFrame,
} from './handset-protocol.ts';
import { InboundMeter } from './inbound-meter.ts';
import type { WebLimits } from './web-limits.ts';
import { checkAudioLength, faults, type WebFault } from './web-protocol.ts';

const BINARY = { binary: true, compress: false } as const;
const NORMAL = 1000;
/** What the telephone network carries. */
const LINE_HZ = 8000;

/** Who holds the telephone behind a socket. */
export interface HandsetOwner {
  frame(frame: Exclude<HandsetClientFrame, { type: 'start' }>): void;
  /** PCM16 at 8 kHz; the array is used again afterwards. */
  audio(pcm: Int16Array): void;
  /** Last call, once. */
  gone(): void;
}

interface Started {
  readonly meter: InboundMeter;
  readonly inbound: Resampler;
  readonly outbound: Resampler;
}

/** One socket of a browser that is a telephone: its first message, its limits, its heartbeat and its end. */
export class HandsetConnection {
  readonly #socket: WebSocket;
  readonly #clock: Clock;
  readonly #limits: WebLimits;
  readonly #startedHz = Promise.withResolvers<number | undefined>();
  #started: Started | undefined;
  #owner: HandsetOwner | undefined;
  // A number from the start: a field that was once without one would put each on the heap.
  #lastSeenAt = Number.NaN;
  #timer: Timer;
  #open = true;

  constructor(socket: WebSocket, clock: Clock, limits: WebLimits) {
    this.#socket = socket;
    this.#clock = clock;
    this.#limits = limits;
    this.#lastSeenAt = clock.now();
    this.#timer = clock.setTimeout(() => this.fail(faults.startLate), limits.startMs);
    socket.on('message', (data: Buffer, isBinary: boolean) => this.#received(data, isBinary));
    socket.on('pong', () => {
      this.#lastSeenAt = clock.now();
    });
    socket.on('close', () => this.#closed());
    // What follows is the close.
    socket.on('error', () => undefined);
  }

  /** Resolves with the browser's sample rate, or undefined when it never started properly. */
  started(): Promise<number | undefined> {
    return this.#startedHz.promise;
  }

  get isOpen(): boolean {
    return this.#open;
  }

  attach(owner: HandsetOwner): void {
    this.#owner = owner;
    if (!this.#open) owner.gone();
  }

  send(frame: HandsetServerFrame): void {
    if (this.#open) this.#socket.send(JSON.stringify(frame));
  }

  /** PCM16 at 8 kHz. */
  sendAudio(pcm: Int16Array): void {
    if (!this.#open || !this.#started) return;
    this.#socket.send(bytesFromPcm16(this.#started.outbound.process(pcm)), BINARY);
    if (this.#socket.bufferedAmount > this.#limits.maxBufferedBytes) this.fail(faults.slowReader);
  }

  /** Says what is wrong, and closes. */
  fail({ code, message, closeCode }: Pick<WebFault, 'code' | 'message'> & { closeCode: number }) {
    if (!this.#open) return;
    this.send({ type: 'error', code, message });
    this.close(closeCode, code);
  }

  close(code: number = NORMAL, reason = ''): void {
    if (!this.#open) return;
    this.#finish();
    this.#socket.close(code, reason);
    // One that does not answer the close is cut off.
    this.#timer = this.#clock.setTimeout(() => this.#socket.terminate(), this.#limits.closeMs);
  }

  #received(data: Buffer, isBinary: boolean): void {
    if (!this.#open) return;
    this.#lastSeenAt = this.#clock.now();
    const fault = this.#started
      ? this.#next(this.#started, data, isBinary)
      : this.#first(data, isBinary);
    if (fault) this.fail(fault);
  }

  #first(data: Buffer, isBinary: boolean): WebFault | undefined {
    const parsed = isBinary ? undefined : parseHandsetFrame(data.toString());
    if (parsed && !parsed.ok) return parsed.fault;
    if (parsed?.value.type !== 'start') return faults.startExpected;
    const { sampleRateHz } = parsed.value;
    this.#started = {
      meter: new InboundMeter(this.#limits, sampleRateHz, this.#clock.now()),
      inbound: createResampler(sampleRateHz, LINE_HZ),
      outbound: createResampler(LINE_HZ, sampleRateHz),
    };
    this.#clock.clearTimeout(this.#timer);
    this.#heartbeat();
    this.#startedHz.resolve(sampleRateHz);
    return undefined;
  }

  #next({ meter, inbound }: Started, data: Buffer, isBinary: boolean): WebFault | undefined {
    const fault = isBinary ? checkAudioLength(data.byteLength) : undefined;
    if (fault) return fault;
    const flood = meter.count(isBinary ? data.byteLength : 0, this.#clock.now());
    if (flood) return flood;
    if (isBinary) {
      if (data.byteLength > 0) this.#owner?.audio(inbound.process(pcm16FromBytes(data)));
      return undefined;
    }
    const parsed = parseHandsetFrame(data.toString());
    if (!parsed.ok) return parsed.fault;
    if (parsed.value.type === 'start') return faults.startTwice;
    this.#owner?.frame(parsed.value);
    return undefined;
  }

  #heartbeat(): void {
    this.#timer = this.#clock.setTimeout(() => {
      if (this.#clock.now() - this.#lastSeenAt >= this.#limits.silentMs) {
        // Nobody is there to answer a close.
        this.#socket.terminate();
        return;
      }
      this.#socket.ping();
      this.#heartbeat();
    }, this.#limits.pingEveryMs);
  }

  #closed(): void {
    this.#finish();
    this.#clock.clearTimeout(this.#timer);
  }

  #finish(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#clock.clearTimeout(this.#timer);
    this.#started?.inbound.close();
    this.#started?.outbound.close();
    this.#startedHz.resolve(undefined);
    this.#owner?.gone();
  }
}
