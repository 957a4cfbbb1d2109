import { WebSocket } from 'ws';
import { bytesFromPcm16, pcm16FromBytes } from '../audio/pcm16.ts';
import type { Track } from '../audio/track.ts';
import { FarEndPlayer } from '../carriers/emulator/far-end-player.ts';
import { Microphone } from '../carriers/emulator/microphone.ts';
import { systemClock } from '../lib/system-clock.ts';
import type { Clock } from '../ports/clock.ts';
import type { Caller, CallerEnd } from './caller.ts';
import { parseServerFrame, type ServerFrame } from './server-frame.ts';

export interface WebCallerOptions {
  /** `webCall.url` of the connect answer. */
  readonly url: string;
  /** @defaultValue 16000 */
  readonly sampleRateHz?: number;
  /** @defaultValue the machine's own time */
  readonly clock?: Clock;
  /** What the player holds back before it starts. @defaultValue 20 */
  readonly bufferMs?: number;
  /** False plays a client that never answers marks or clears. @defaultValue true */
  readonly answers?: boolean;
  /** Adds to each frame what the microphone picks up besides the speech, e.g. of the loudspeaker. */
  readonly room?: (frame: Int16Array, fromSample: number, speaker: Track) => void;
  /** How long the call may take to be answered. @defaultValue 15000 */
  readonly readyMs?: number;
  /** Every text frame; `atMs` is its instant on the caller's sample clock, 0 until `ready`. */
  readonly onFrame?: (frame: ServerFrame, atMs: number) => void;
}

/** The service refused the call or broke it off before it was answered. */
export class CallerError extends Error {
  override readonly name = 'CallerError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

type Ready = Extract<ServerFrame, { type: 'ready' }>;

/**
 * A web client that behaves as a real far end: a microphone and a loudspeaker that run in real time on one
 * sample clock from the moment the call is answered, and both recorded.
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

  /** Resolves when the socket is closed, by either side; anew after a resume. */
  get ended(): Promise<CallerEnd> {
    return this.#end.promise;
  }

  /** Now, on the sample clock of the recording. */
  get elapsedMs(): number {
    return this.#clock.now() - this.#startedAtMs;
  }

  /** Until when there is audio of the service to play. */
  get playingUntilMs(): number {
    return this.#player?.queuedToMs ?? 0;
  }

  /** What was said and what was heard, on one clock. */
  get tracks(): { readonly microphone: Track; readonly speaker: Track } {
    if (!this.#microphone || !this.#player) throw new Error('the call was not answered');
    return { microphone: this.#microphone.track, speaker: this.#player.track };
  }

  /** Says this after whatever is still being said. */
  say(pcm: Int16Array): { readonly fromMs: number; readonly spoken: Promise<void> } {
    if (!this.#microphone) throw new Error('the call was not answered');
    const { fromSample, spoken } = this.#microphone.say(pcm);
    return { fromMs: (fromSample * 1000) / this.sampleRateHz, spoken };
  }

  dtmf(digit: string): void {
    this.#send({ type: 'dtmf', digit });
  }

  /** Hangs up; the service answers with the end of the call. */
  hangup(): void {
    this.#send({ type: 'hangup' });
  }

  /** Breaks the connection without a word, as a network does. */
  drop(): void {
    this.#socket?.terminate();
  }

  /**
   * Comes back with the resume token, perhaps to another address of the service; microphone, loudspeaker and
   * recording go on meanwhile.
   */
  async resume(address = this.#options.url): Promise<void> {
    const url = new URL(new URL(this.#options.url).pathname, address);
    const token = this.#answered.resumeToken;
    url.pathname = url.pathname.replace(/[^/]*$/, encodeURIComponent(token));
    this.#end = Promise.withResolvers();
    await this.#open(url.href);
  }

  /** Lets go of everything; a call that still lives is lost to the service. */
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
    socket.on('open', () => this.#send({ type: 'start', sampleRate: this.sampleRateHz }));
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

  /** True for `ready`. */
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
    // The service counts what was unplayed as lost, and sends it again if the caller comes back.
    this.#player?.clear();
    // What the service ended it ended for good; a broken connection may come back.
    if (this.#endReason !== undefined) this.#microphone?.close();
    this.#end.resolve({
      closeCode,
      ...(this.#endReason === undefined ? {} : { reason: this.#endReason }),
      ...(this.#lastError === undefined ? {} : { error: this.#lastError }),
    });
  }
}
