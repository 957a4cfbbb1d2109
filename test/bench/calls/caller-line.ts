import { FarEndGauge } from './far-end-gauge.ts';
import { LeanSocket } from './lean-socket.ts';
import { type LineReport, monotonicMs } from './messages.ts';
import { carrierPayloads, FRAME_MS, WEB_RATE_HZ, type Wire, webFrames } from './spoken-turns.ts';

export interface LineOptions {
  readonly url: string;
  readonly wire: Wire;
  /** Absent: the floor, which says nothing but audio. */
  readonly replyMs?: number;
  /** Carrier's. */
  readonly callSid: string;
  readonly accountSid: string;
  /** The caller's number; absent: the call is known by the service's own id. */
  readonly party?: string;
  /** First frame of the script. */
  readonly from: number;
  readonly silent: boolean;
}

/** What may stand in a text frame of either wire. */
interface Told {
  readonly event?: string;
  readonly type?: string;
  readonly media?: { readonly payload: string };
  readonly mark?: string | { readonly name: string };
  readonly callId?: string;
  readonly reason?: string;
  readonly code?: string;
}

const READY_MS = 20_000;
const CLOSE_MS = 5000;

let payloads: readonly string[] | undefined;
let frames: readonly Uint8Array[] | undefined;

/** One caller on a real socket, lean enough for hundreds of them in a process. */
export class CallerLine {
  readonly #options: LineOptions;
  readonly #socket: LeanSocket;
  readonly #gauge: FarEndGauge;
  readonly #streamSid: string;
  readonly #ready = Promise.withResolvers<void>();
  readonly #closed = Promise.withResolvers<void>();
  #party: string;
  #next: number;
  #sequence = 2;
  #framesSent = 0;
  #askedAt: number[] = [];
  #lost: string | undefined;
  #hungUp = false;

  constructor(options: LineOptions) {
    this.#options = options;
    this.#party = options.party ?? options.callSid;
    this.#next = options.from;
    this.#streamSid = `MZ${options.callSid.slice(2)}`;
    this.#gauge = new FarEndGauge(options.replyMs ?? 0);
    this.#socket = new LeanSocket(options.url, {
      opened: () => this.#start(),
      message: (data, isBinary) => this.#received(data, isBinary),
      closed: (why) => {
        this.#ready.reject(new Error(why));
        this.#closed.resolve();
        if (!this.#hungUp) this.#lost = why;
      },
    });
    payloads ??= carrierPayloads();
    frames ??= webFrames();
  }

  get isOpen(): boolean {
    return this.#socket.isOpen;
  }

  async ready(): Promise<void> {
    const timer = setTimeout(() => this.#ready.reject(new Error('not answered')), READY_MS);
    try {
      await this.#ready.promise;
    } finally {
      clearTimeout(timer);
    }
  }

  /** The next 20 ms. */
  beat(now: number): void {
    if (!this.isOpen) return;
    for (const name of this.#gauge.reached(now)) this.#answerMark(name);
    // Silence is what lies between the last words and the end of the script.
    const n = this.#options.silent ? 950 + (this.#next % 50) : this.#next;
    this.#next = (this.#next + 1) % (payloads as readonly string[]).length;
    this.#framesSent++;
    if (this.#options.replyMs === undefined) this.#askedAt.push(now);
    if (this.#options.wire === 'web')
      this.#socket.binary((frames as readonly Uint8Array[])[n] as Uint8Array);
    else this.#socket.text(this.#media((payloads as readonly string[])[n] as string));
  }

  hangup(): void {
    this.#hungUp = true;
    if (this.#options.wire === 'web' && this.#options.replyMs !== undefined)
      this.#say({ type: 'hangup' });
    else if (this.isOpen) {
      this.#say({
        event: 'stop',
        sequenceNumber: String(++this.#sequence),
        streamSid: this.#streamSid,
        stop: {},
      });
      this.#socket.close(1000);
    }
  }

  /** Resolves when the socket is closed by the other side, or soon after. */
  async closed(): Promise<void> {
    const timer = setTimeout(() => this.#socket.terminate(), CLOSE_MS);
    await this.#closed.promise;
    clearTimeout(timer);
  }

  drop(): void {
    this.#hungUp = true;
    this.#socket.terminate();
  }

  reset(): void {
    this.#gauge.reset();
    this.#framesSent = 0;
  }

  report(): LineReport {
    const { latenessMs, replyAt, clearAt, gaps } = this.#gauge;
    return {
      party: this.#party,
      wire: this.#options.wire,
      latenessMs,
      replyAt,
      clearAt,
      gaps,
      framesSent: this.#framesSent,
      ...(this.#lost === undefined ? {} : { lost: this.#lost }),
    };
  }

  #start(): void {
    const { wire, callSid, accountSid, replyMs } = this.#options;
    if (wire === 'web') {
      if (replyMs === undefined) this.#ready.resolve();
      else this.#say({ type: 'start', sampleRate: WEB_RATE_HZ });
      return;
    }
    this.#say({ event: 'connected', protocol: 'Call', version: '1.0.0' });
    const mediaFormat = { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 };
    const start = {
      streamSid: this.#streamSid,
      accountSid,
      callSid,
      tracks: ['inbound'],
      mediaFormat,
      customParameters: {},
    };
    this.#say({ event: 'start', sequenceNumber: '1', start, streamSid: this.#streamSid });
    this.#ready.resolve();
  }

  #received(data: Buffer, isBinary: boolean): void {
    const now = monotonicMs();
    if (isBinary) this.#audio((data.length * 500) / WEB_RATE_HZ, now);
    else this.#told(JSON.parse(data.toString()) as Told, now);
  }

  #told(frame: Told, now: number): void {
    switch (frame.event ?? frame.type) {
      case 'media':
        this.#audio(Buffer.byteLength(frame.media?.payload ?? '', 'base64') / 8, now);
        break;
      case 'mark':
        this.#gauge.mark(typeof frame.mark === 'object' ? frame.mark.name : String(frame.mark));
        break;
      case 'clear':
        this.#clear(now);
        break;
      case 'ready':
        this.#party = String(frame.callId);
        this.#ready.resolve();
        break;
      case 'ended':
        if (!this.#hungUp) this.#lost = String(frame.reason);
        break;
      case 'error':
        this.#lost = String(frame.code);
        break;
    }
  }

  #audio(durationMs: number, now: number): void {
    if (this.#options.replyMs === undefined) this.#gauge.echoed(this.#askedAt.shift() ?? now, now);
    else this.#gauge.audio(durationMs, now);
  }

  #clear(now: number): void {
    const { marks, playedMs } = this.#gauge.clear(now);
    // A carrier gives back the marks that a clear swept away, a web client its position.
    if (this.#options.wire === 'carrier') for (const name of marks) this.#answerMark(name);
    else this.#say({ type: 'cleared', playedMs: Math.round(playedMs) });
  }

  #answerMark(name: string): void {
    if (this.#options.wire === 'web') this.#say({ type: 'played', mark: name });
    else
      this.#say({
        event: 'mark',
        sequenceNumber: String(++this.#sequence),
        streamSid: this.#streamSid,
        mark: { name },
      });
  }

  // Built by hand: hundreds of callers share this process.
  #media(payload: string): string {
    const chunk = this.#framesSent;
    return `{"event":"media","sequenceNumber":"${++this.#sequence}","media":{"track":"inbound","chunk":"${chunk}","timestamp":"${chunk * FRAME_MS}","payload":"${payload}"},"streamSid":"${this.#streamSid}"}`;
  }

  #say(frame: object): void {
    if (this.isOpen) this.#socket.text(JSON.stringify(frame));
  }
}
