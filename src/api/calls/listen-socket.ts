import { WebSocket } from 'ws';
import { systemClock } from '../../lib/system-clock.ts';
import type { PlaceLimits, SharedPlaces } from '../../lib/tally.ts';
import type { CallListener, CallMonitor, Listening } from '../../ports/call-monitor.ts';
import type { Clock, Timer } from '../../ports/clock.ts';
import type { JournalLine } from '../../ports/journal.ts';

/** Limits for one listener. */
export interface ListenLimits {
  /** Unsent bytes at which a slow listener is dropped; the default is several seconds of audio. @defaultValue 1 MiB */
  readonly maxBufferedBytes: number;
  /** @defaultValue 10000 */
  readonly pingEveryMs: number;
  /** Time for a listener to answer a close frame before its socket is terminated. @defaultValue 3000 */
  readonly closeMs: number;
}

/** Limits on listeners at once; each call is limited to ten besides. */
export const listenPlaces = {
  maxPerTeam: 64,
  maxPerAddress: 128,
  maxInAll: 512,
} as const satisfies PlaceLimits;

export const listenDefaults = {
  maxBufferedBytes: 1_048_576,
  pingEveryMs: 10_000,
  closeMs: 3000,
} as const satisfies ListenLimits;

const BINARY = { binary: true, compress: false } as const;
const CLOSE_NORMAL = 1000;
const CLOSE_UNSUPPORTED_DATA = 1003;
const CLOSE_POLICY = 1008;
const CLOSE_TRY_AGAIN_LATER = 1013;

const REFUSALS = {
  'not-live': { code: CLOSE_NORMAL, reason: 'the call is not live' },
  full: { code: CLOSE_TRY_AGAIN_LATER, reason: 'too many listen already' },
} as const;

/** A listener's socket: sends a call's audio and journal, and ignores incoming messages. */
export class ListenSocket implements CallListener {
  readonly #socket: WebSocket;
  readonly #clock: Clock;
  readonly #limits: ListenLimits;
  #listening: Listening | undefined;
  #timer: Timer;
  #answered = true;

  constructor(
    socket: WebSocket,
    {
      clock = systemClock,
      limits = listenDefaults,
    }: { readonly clock?: Clock; readonly limits?: ListenLimits } = {},
  ) {
    this.#socket = socket;
    this.#clock = clock;
    this.#limits = limits;
    socket.on('message', () => this.#close(CLOSE_UNSUPPORTED_DATA, 'listeners do not speak'));
    socket.on('pong', () => {
      this.#answered = true;
    });
    socket.on('close', () => this.#stop());
    // A close event follows.
    socket.on('error', () => undefined);
  }

  /** Takes a place until the socket has closed; closes the socket if there is none. */
  admit(
    places: SharedPlaces,
    listener: { readonly teamId: string; readonly address: string },
  ): boolean {
    const leave = places.take(listener);
    if (leave) {
      if (this.#socket.readyState === WebSocket.CLOSED) leave();
      else this.#socket.once('close', leave);
      return true;
    }
    const { code, reason } = REFUSALS.full;
    this.#close(code, reason);
    return false;
  }

  begin(monitor: CallMonitor, callId: string): void {
    const listening = monitor.listen(callId, this);
    if (typeof listening === 'string') {
      const { code, reason } = REFUSALS[listening];
      this.#close(code, reason);
      return;
    }
    this.#listening = listening;
    const { sampleRateHz: sampleRate } = listening;
    this.#say({ type: 'format', callId, encoding: 'pcm_s16le', channels: 2, sampleRate });
    this.#heartbeat();
  }

  audio(pcm: Int16Array): void {
    this.#send(() =>
      this.#socket.send(new Uint8Array(pcm.buffer, pcm.byteOffset, pcm.byteLength), BINARY),
    );
  }

  event(line: JournalLine): void {
    this.#say({ type: 'event', event: line });
  }

  ended(reason: string): void {
    this.#say({ type: 'ended', reason });
    this.#close(CLOSE_NORMAL, '');
  }

  /** Whoever listens may not any more. */
  dismiss(): void {
    this.#close(CLOSE_POLICY, 'not allowed any more');
  }

  #say(frame: Readonly<Record<string, unknown>>): void {
    this.#send(() => this.#socket.send(JSON.stringify(frame)));
  }

  #send(send: () => void): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    if (this.#socket.bufferedAmount > this.#limits.maxBufferedBytes)
      this.#close(CLOSE_TRY_AGAIN_LATER, 'too slow');
    else send();
  }

  #heartbeat(): void {
    this.#timer = this.#clock.setTimeout(() => {
      if (!this.#answered) {
        this.#socket.terminate();
        return;
      }
      this.#answered = false;
      this.#socket.ping();
      this.#heartbeat();
    }, this.#limits.pingEveryMs);
  }

  #close(code: number, reason: string): void {
    this.#stop();
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    this.#socket.close(code, reason);
    this.#timer = this.#clock.setTimeout(() => this.#socket.terminate(), this.#limits.closeMs);
    this.#socket.once('close', () => this.#clock.clearTimeout(this.#timer));
  }

  #stop(): void {
    this.#listening?.stop();
    this.#listening = undefined;
    this.#clock.clearTimeout(this.#timer);
  }
}
