import { once } from 'node:events';
import { type RawData, WebSocket } from 'ws';
import { bytesFromPcm16, pcm16FromBytes } from '../audio/pcm16.ts';
import type { Track } from '../audio/track.ts';
import { FarEndPlayer } from '../carriers/emulator/far-end-player.ts';
import { Microphone } from '../carriers/emulator/microphone.ts';
import { systemClock } from '../lib/system-clock.ts';
import { CliError } from './cli-error.ts';
import type { PhonedCall } from './phone-caller.ts';

export const HANDSET_HZ = 8000;
const BUFFER_MS = 60;
const ANSWER_MS = 20_000;
/** How long a phone whose connection broke tries to come back: as long as the service keeps its call. */
const RETURN_MS = 15_000;
const RETRY_MS = 200;

/** Mixes what else is at the microphone into a frame; `speaker` is what the phone plays. */
type Around = (frame: Int16Array, fromSample: number, speaker: Track) => void;

interface Frame {
  readonly type: string;
  readonly reason?: string;
  readonly code?: string;
  readonly message?: string;
  readonly resumeToken?: string;
}

/** Nobody answered, since the line was busy. */
export class LineBusyError extends CliError {}

/**
 * The phone, with a microphone and a loudspeaker that run in real time. When its socket breaks it comes back with the
 * token of the last one, to the process that has the built-in carrier by then.
 */
export class HandsetSocket implements PhonedCall {
  readonly userNumber: string;
  readonly #address: string;
  readonly #startedAtMs = systemClock.now();
  readonly #player: FarEndPlayer;
  readonly #microphone: Microphone;
  readonly #ended = Promise.withResolvers<string>();
  readonly #arrived = new Map<string, PromiseWithResolvers<void>>();
  #token: string;
  #socket: WebSocket;
  #lostAtMs: number | undefined;
  #hasHungUp = false;
  #isOver = false;

  private constructor(url: string, userNumber: string, room?: Around) {
    this.userNumber = userNumber;
    this.#token = url.slice(url.lastIndexOf('/') + 1);
    this.#address = url.slice(0, url.length - this.#token.length);
    const common = {
      clock: systemClock,
      sampleRateHz: HANDSET_HZ,
      startedAtMs: this.#startedAtMs,
    };
    const player = new FarEndPlayer({ ...common, bufferMs: BUFFER_MS, onMark: () => undefined });
    this.#player = player;
    this.#microphone = new Microphone({
      ...common,
      ...(room ? { room: (frame, fromSample) => room(frame, fromSample, player.track) } : {}),
      onFrame: (frame) => this.#send(bytesFromPcm16(frame)),
    });
    this.#socket = this.#connect();
  }

  static async open(url: string, number: string, room?: Around): Promise<HandsetSocket> {
    const phone = new HandsetSocket(url, number, room);
    await once(phone.#socket, 'open');
    await phone.next('ready');
    return phone;
  }

  get ended(): Promise<string> {
    return this.#ended.promise;
  }

  get handset() {
    const { track: speaker } = this.#player;
    const { track: microphone } = this.#microphone;
    return {
      elapsedMs: systemClock.now() - this.#startedAtMs,
      sampleRateHz: HANDSET_HZ,
      tracks: { microphone, speaker },
      say: (pcm: Int16Array) => {
        const { fromSample, spoken } = this.#microphone.say(pcm);
        return { fromMs: (fromSample * 1000) / HANDSET_HZ, spoken };
      },
    };
  }

  say(frame: Readonly<Record<string, unknown>>): void {
    this.#send(JSON.stringify(frame));
  }

  dtmf(digit: string): void {
    this.say({ type: 'dtmf', digit });
  }

  hangup(): void {
    // Where the connection breaks nobody is told: a phone that does not come back has hung up.
    this.#hasHungUp = true;
    if (this.#socket.readyState === WebSocket.OPEN) this.say({ type: 'hangup' });
    else this.#over('hung up');
  }

  /** Takes the phone away. */
  close(): void {
    this.#over('closed');
  }

  /** Resolves when the service next sends a frame of this type; rejects at the end of the call, or when it is late. */
  async next(type: string, withinMs = ANSWER_MS): Promise<void> {
    const late = Promise.withResolvers<never>();
    const isLate = () => late.reject(new CliError('the call was not answered in time'));
    // Timers know no infinity.
    const timer =
      withinMs === Number.POSITIVE_INFINITY ? undefined : systemClock.setTimeout(isLate, withinMs);
    const over = this.ended.then((reason) => {
      const message = `the call ended (${reason}) before it was answered`;
      throw reason === 'busy' ? new LineBusyError(message) : new CliError(message);
    });
    try {
      await Promise.race([this.#once(type).promise, over, late.promise]);
    } finally {
      systemClock.clearTimeout(timer);
      over.catch(() => undefined);
    }
  }

  #once(type: string): PromiseWithResolvers<void> {
    const known = this.#arrived.get(type);
    if (known) return known;
    const made = Promise.withResolvers<void>();
    this.#arrived.set(type, made);
    return made;
  }

  #connect(): WebSocket {
    const socket = new WebSocket(this.#address + this.#token, {
      perMessageDeflate: false,
      handshakeTimeout: 5000,
    });
    socket.on('open', () => socket.send(JSON.stringify({ type: 'start', sampleRate: HANDSET_HZ })));
    socket.on('message', (data: RawData, isBinary: boolean) =>
      this.#receive(data as Buffer, isBinary),
    );
    socket.on('error', () => undefined);
    socket.on('close', () => this.#lost());
    return socket;
  }

  #send(data: string | Uint8Array): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(data);
  }

  #receive(data: Buffer, isBinary: boolean): void {
    if (isBinary) {
      const pcm = pcm16FromBytes(data);
      // The service sends silence all the time; it need not be played.
      if (pcm.some((sample) => sample !== 0)) this.#player.add(pcm);
      return;
    }
    const frame = JSON.parse(data.toString()) as Frame;
    // The carrier is about to be in another process: the socket closes, and the next may be there.
    if (frame.type === 'error' && frame.code === 'not_yet') return;
    if (frame.type === 'ready') {
      this.#lostAtMs = undefined;
      this.#token = frame.resumeToken ?? '';
    }
    this.#once(frame.type).resolve();
    if (frame.type === 'ended') this.#over(frame.reason ?? '');
    else if (frame.type === 'refused' || frame.type === 'error') this.#over(frame.message ?? '');
  }

  #lost(): void {
    if (this.#isOver) return;
    const now = systemClock.now();
    this.#lostAtMs ??= now;
    if (this.#hasHungUp) {
      this.#over('hung up');
      return;
    }
    if (this.#token === '' || now - this.#lostAtMs > RETURN_MS) {
      this.#over('the socket closed');
      return;
    }
    systemClock.setTimeout(() => {
      if (!this.#isOver) this.#socket = this.#connect();
    }, RETRY_MS);
  }

  #over(reason: string): void {
    this.#isOver = true;
    this.#ended.resolve(reason);
    this.#microphone.close();
    this.#player.close();
    this.#socket.close();
  }
}
