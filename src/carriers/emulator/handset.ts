import { WebSocket } from 'ws';
import type { Track } from '../../audio/track.ts';
import type { WireFrame } from '../../ports/carrier-media.ts';
import type { Clock } from '../../ports/clock.ts';
import { FarEndPlayer } from './far-end-player.ts';
import { Microphone } from './microphone.ts';
import type { EmulatorWire } from './wire.ts';

const SAMPLE_RATE_HZ = 8000;
const CLOSE_MS = 500;

export interface HandsetLink {
  readonly url: string;
  readonly wire: EmulatorWire;
  readonly headers?: Readonly<Record<string, string>>;
  /** WebSocket subprotocol. @defaultValue none */
  readonly protocol?: string;
}

/** How one media socket ended; `closeCode` is 1006 if it broke. */
export interface LinkEnd {
  readonly closeCode: number;
  /** True if the service ended the call with a message on the socket. */
  readonly hangup: boolean;
}

/**
 * The far end of an emulated call: a microphone and a loudspeaker in real time, over one media socket after the other.
 * The carrier's buffer is a queue played at 8 kHz.
 */
export class Handset {
  /** Codes of the messages that the carrier refused. */
  readonly refusals: string[] = [];
  readonly startedAtMs: number;
  /** Sends nothing in silence, as a held telephone does. */
  suppressesSilence = false;
  readonly #clock: Clock;
  readonly #player: FarEndPlayer;
  readonly #microphone: Microphone;
  #socket: WebSocket | undefined;
  #wire: EmulatorWire | undefined;
  #pending: string[] = [];
  #clears = 0;
  #framesPlayed = 0;
  #receivedMs = 0;
  #onPlayed: ((frame: Int16Array) => void) | undefined;

  /** Sample rate of its tracks. */
  readonly sampleRateHz = SAMPLE_RATE_HZ;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.startedAtMs = clock.now();
    const common = { clock, sampleRateHz: SAMPLE_RATE_HZ, startedAtMs: this.startedAtMs };
    this.#player = new FarEndPlayer({
      ...common,
      bufferMs: 0,
      onMark: (name) => this.#echo(name),
    });
    this.#microphone = new Microphone({
      ...common,
      onFrame: (frame) => {
        const isSent = !this.suppressesSilence || frame.some((sample) => sample !== 0);
        if (isSent) this.#send(this.#wire?.audio(frame) ?? []);
        this.#heard(frame.length);
      },
    });
  }

  get elapsedMs(): number {
    return this.#clock.now() - this.startedAtMs;
  }

  /** The end of the service's audio queued to play. */
  get playingUntilMs(): number {
    return this.#player.queuedToMs;
  }

  /** Length of the audio received, silence included. */
  get receivedMs(): number {
    return this.#receivedMs;
  }

  get clears(): number {
    return this.#clears;
  }

  get tracks(): { readonly microphone: Track; readonly speaker: Track } {
    return { microphone: this.#microphone.track, speaker: this.#player.track };
  }

  /** Passes on the played audio every 20 ms instead of keeping it. */
  listen(onPlayed: (frame: Int16Array) => void): void {
    this.#onPlayed = onPlayed;
  }

  /** Opens a media socket and runs it; resolves when it ends, rejects if it could not be opened. */
  async link(link: HandsetLink): Promise<LinkEnd> {
    const { url, wire, headers = {}, protocol } = link;
    const options = { headers, perMessageDeflate: false, handshakeTimeout: 5000 };
    const socket = protocol ? new WebSocket(url, [protocol], options) : new WebSocket(url, options);
    const ended = Promise.withResolvers<LinkEnd>();
    let hangup = false;
    socket.on('open', () => {
      this.#socket = socket;
      this.#wire = wire;
      this.#pending = [];
      this.#send(wire.start());
    });
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      hangup = this.#receive(isBinary ? data : data.toString()) || hangup;
      if (hangup) socket.close(1000);
    });
    socket.on('error', (error) => ended.reject(error));
    socket.on('close', (closeCode) => {
      if (this.#socket === socket) {
        this.#socket = undefined;
        this.#player.clear();
      }
      ended.resolve({ closeCode, hangup });
    });
    return ended.promise;
  }

  /** Queues speech. */
  say(pcm: Int16Array): { readonly fromMs: number; readonly spoken: Promise<void> } {
    const { fromSample, spoken } = this.#microphone.say(pcm);
    return { fromMs: (fromSample * 1000) / SAMPLE_RATE_HZ, spoken };
  }

  press(digits: string): void {
    for (const digit of digits) this.#send(this.#wire?.dtmf(digit) ?? []);
  }

  /** Breaks the socket without a close frame, as a network does. */
  drop(): void {
    this.#socket?.terminate();
  }

  /** Ends the stream as the carrier does: sends the stop message and closes. */
  stop(): void {
    if (this.#wire) this.#send(this.#wire.stop());
    this.#socket?.close(1000);
  }

  close(): void {
    this.#microphone.close();
    this.#player.close();
    const socket = this.#socket;
    if (!socket) return;
    // Closed later, so that the last messages are sent.
    socket.close(1000);
    this.#clock.setTimeout(() => socket.terminate(), CLOSE_MS);
  }

  /** True if the service ended the call. */
  #receive(frame: WireFrame): boolean {
    const command = this.#wire?.receive(frame);
    switch (command?.type) {
      case 'audio':
        // Silence that only keeps the line alive is not played.
        if (this.playingUntilMs > this.elapsedMs || command.pcm.some((sample) => sample !== 0))
          this.#player.add(command.pcm);
        this.#receivedMs += (command.pcm.length * 1000) / SAMPLE_RATE_HZ;
        return false;
      case 'mark':
        this.#pending.push(command.name);
        this.#player.mark(command.name);
        return false;
      case 'clear':
        this.#clear();
        return false;
      case 'refused':
        this.refusals.push(command.code);
        if (command.reply !== undefined) this.#send([command.reply]);
        return false;
      case 'hangup':
        return true;
      default:
        return false;
    }
  }

  /** Each frame of the microphone also advances the loudspeaker. */
  #heard(samples: number): void {
    const from = this.#framesPlayed * samples;
    this.#framesPlayed++;
    if (!this.#onPlayed) return;
    const frame = new Int16Array(samples);
    frame.set(this.#player.track.read(from, from + samples));
    this.#onPlayed(frame);
    this.#player.track.forget(from);
    this.#microphone.track.forget(from);
  }

  #clear(): void {
    this.#clears++;
    this.#player.clear();
    const dropped = this.#pending;
    this.#pending = [];
    if (!this.#wire?.returnsMarksOnClear) return;
    for (const name of dropped) this.#send(this.#wire.mark(name));
  }

  #echo(name: string): void {
    this.#pending = this.#pending.filter((pending) => pending !== name);
    this.#send(this.#wire?.mark(name) ?? []);
  }

  #send(frames: readonly WireFrame[]): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    for (const frame of frames) this.#socket.send(frame);
  }
}
