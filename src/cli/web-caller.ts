import { WebSocket } from 'ws';
import { bytesFromPcm16, pcm16FromBytes } from '../audio/pcm16.ts';
import type { Track } from '../audio/track.ts';
import { FarEndPlayer } from '../carriers/emulator/far-end-player.ts';
import { Microphone } from '../carriers/emulator/microphone.ts';
import { systemClock } from '../lib/system-clock.ts';
import type { Clock } from '../ports/clock.ts';
import type { Caller, CallerEnd } from '../testing/spoken/caller.ts';
import { parseServerFrame, type ServerFrame } from './server-frame.ts';

export interface WebCallerOptions {
  /** `webCall.url` of the response to `connect`. */
  readonly url: string;
  /** @defaultValue 16000 */
  readonly sampleRateHz?: number;
  /** @defaultValue the system clock */
  readonly clock?: Clock;
  /** Audio that the player buffers before it starts. @defaultValue 20 */
  readonly bufferMs?: number;
  /** False simulates a client that never answers marks or clears. @defaultValue true */
  readonly answers?: boolean;
  /** Adds to each frame the other sound at the microphone, e.g. echo from the loudspeaker. */
  readonly room?: (frame: Int16Array, fromSample: number, speaker: Track) => void;
  /** Time limit for the call to be answered. @defaultValue 15000 */
  readonly readyMs?: number;
  /** Gets every text frame; `atMs` is its time on the caller's sample clock, 0 until `ready`. */
  readonly onFrame?: (frame: ServerFrame, atMs: number) => void;
}

/** The service refused the call or closed it before it was answered. */
export class CallerError extends Error {
  override readonly name = 'CallerError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const MOVED = 1012;

type Ready = Extract<ServerFrame, { type: 'ready' }>;

/**
 * A web client that behaves like a real browser: microphone and loudspeaker run in real time on one sample clock from
 * the moment the call is answered, and both are recorded.
 */
export class WebCaller implements Caller {
  readonly sampleRateHz: number;
  readonly #options: WebCallerOptions;
  readonly #clock: Clock;
  #socket: WebSocket | undefined;
  #player: FarEndPlayer | undefined;
  #microphone: Microphone | undefined;
  #startedAtMs = 0;
  #ready: Ready | undefined;
  /** The service has answered on the present socket. */
  #isLive = false;
  #lastError: CallerEnd['error'];
  #endReason: string | undefined;
  #end = Promise.withResolvers<CallerEnd>();

  private constructor(options: WebCallerOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.sampleRateHz = options.sampleRateHz ?? 16_000;
  }

  /** Resolves when the call is answered; rejects with {@link CallerError}. */
  static async connect(options: WebCallerOptions): Promise<WebCaller> {
    const caller = new WebCaller(options);
    await caller.#open(options.url);
    return caller;
  }

  get callId(): string {
    return this.#answered.callId;
  }

  /** Resolves when either side has closed the socket; a resume starts a new promise. */
  get ended(): Promise<CallerEnd> {
    return this.#end.promise;
  }

  /** Current time on the sample clock of the recording. */
  get elapsedMs(): number {
    return this.#clock.now() - this.#startedAtMs;
  }

  /** End of the service's audio that is queued to play, on the same clock. */
  get playingUntilMs(): number {
    return this.#player?.queuedToMs ?? 0;
  }

  /** Both directions of the call, on one clock. */
  get tracks(): { readonly microphone: Track; readonly speaker: Track } {
    if (!this.#microphone || !this.#player) throw new Error('the call was not answered');
    return { microphone: this.#microphone.track, speaker: this.#player.track };
  }

  /** Speaks after anything still being spoken. */
  say(pcm: Int16Array): { readonly fromMs: number; readonly spoken: Promise<void> } {
    if (!this.#microphone) throw new Error('the call was not answered');
    const { fromSample, spoken } = this.#microphone.say(pcm);
    return { fromMs: (fromSample * 1000) / this.sampleRateHz, spoken };
  }

  dtmf(digit: string): void {
    this.#send({ type: 'dtmf', digit });
  }

  /** Hangs up; the service answers with an `ended` frame. */
  hangup(): void {
    this.#send({ type: 'hangup' });
  }

  /** Breaks the connection without closing it, as a network failure does. */
  drop(): void {
    this.#socket?.terminate();
  }

  /**
   * Reconnects with the resume token, if wanted at another address of the service; microphone, loudspeaker and
   * recording run on meanwhile.
   */
  async resume(address = this.#options.url): Promise<void> {
    const url = new URL(new URL(this.#options.url).pathname, address);
    const token = this.#answered.resumeToken;
    url.pathname = url.pathname.replace(/[^/]*$/, encodeURIComponent(token));
    this.#end = Promise.withResolvers();
    await this.#open(url.href);
  }

  /** Releases everything; for the service, a live call then looks like a lost connection. */
  close(): void {
    this.#microphone?.close();
    this.#player?.close();
    this.#socket?.terminate();
  }

  get #answered(): Ready {
    if (!this.#ready) throw new Error('the call was not answered');
    return this.#ready;
  }

  async #open(url: string): Promise<void> {
    const socket = new WebSocket(url, { perMessageDeflate: false, handshakeTimeout: 10_000 });
    this.#socket = socket;
    this.#lastError = undefined;
    const ready = Promise.withResolvers<void>();
    const timer = this.#clock.setTimeout(() => {
      ready.reject(new CallerError('timeout', 'the call was not answered in time'));
      socket.terminate();
    }, this.#options.readyMs ?? 15_000);
    socket.on('open', () => {
      const bufferedMs = Math.round(this.#player?.recount() ?? 0);
      this.#send({ type: 'start', sampleRate: this.sampleRateHz, bufferedMs });
    });
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (isBinary) this.#player?.add(pcm16FromBytes(data));
      else if (this.#handle(parseServerFrame(data.toString()))) ready.resolve();
    });
    socket.on('error', (error) => ready.reject(new CallerError('unreachable', error.message)));
    socket.on('close', (closeCode) => {
      const error = this.#lastError;
      ready.reject(
        new CallerError(
          error?.code ?? 'closed',
          error?.message ?? `the socket closed (${closeCode})`,
        ),
      );
      this.#closed(socket, closeCode);
    });
    try {
      await ready.promise;
    } finally {
      this.#clock.clearTimeout(timer);
    }
  }

  /** Handles a frame; true if it is `ready`. */
  #handle(frame: ServerFrame | undefined): boolean {
    if (!frame) return false;
    if (frame.type === 'ready') this.#begin(frame);
    this.#options.onFrame?.(frame, this.#ready ? this.elapsedMs : 0);
    if (frame.type === 'mark') this.#player?.mark(frame.mark);
    else if (frame.type === 'clear') this.#clear();
    else if (frame.type === 'error') this.#lastError = frame;
    else if (frame.type === 'ended') this.#endReason = frame.reason;
    return frame.type === 'ready';
  }

  #begin(ready: Ready): void {
    const resumed = this.#ready !== undefined;
    this.#ready = ready;
    this.#isLive = true;
    if (resumed) return;
    this.#startedAtMs = this.#clock.now();
    const common = {
      clock: this.#clock,
      sampleRateHz: this.sampleRateHz,
      startedAtMs: this.#startedAtMs,
    };
    const player = new FarEndPlayer({
      ...common,
      bufferMs: this.#options.bufferMs ?? 20,
      onMark: (mark) => this.#answer({ type: 'played', mark }),
    });
    this.#player = player;
    const { room } = this.#options;
    this.#microphone = new Microphone({
      ...common,
      ...(room ? { room: (frame, fromSample) => room(frame, fromSample, player.track) } : {}),
      onFrame: (frame) => {
        if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(bytesFromPcm16(frame));
      },
    });
  }

  #clear(): void {
    const playedMs = this.#player?.clear() ?? 0;
    this.#answer({ type: 'cleared', playedMs: Math.round(playedMs) });
  }

  #answer(frame: Readonly<Record<string, unknown>>): void {
    if (this.#options.answers ?? true) this.#send(frame);
  }

  #send(frame: Readonly<Record<string, unknown>>): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame));
  }

  #closed(socket: WebSocket, closeCode: number): void {
    if (socket !== this.#socket) return;
    // The service counts unplayed audio as lost and sends it again if the caller reconnects; another process, to which
    // the call moves, does not. It may not take the call at the first try.
    if (this.#isLive && (closeCode !== MOVED || this.#lastError)) this.#player?.clear();
    this.#isLive = false;
    // A call ended by the service cannot be resumed; a broken connection can.
    if (this.#endReason !== undefined) this.#microphone?.close();
    this.#end.resolve({
      closeCode,
      ...(this.#endReason === undefined ? {} : { reason: this.#endReason }),
      ...(this.#lastError === undefined ? {} : { error: this.#lastError }),
    });
  }
}
