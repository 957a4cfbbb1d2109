import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { bytesFromPcm16 } from '../../src/audio/pcm16.ts';
import type { ServiceProcess } from './service-process.ts';
import { tone } from './tones.ts';

type Frame = Readonly<Record<string, unknown>> & { readonly type: string };

const RATE_HZ = 16_000;
const FRAME_MS = 20;
const TRIES = 150;
const PAUSE_MS = 200;

/** A browser that is a telephone at the built-in carrier, and comes back when its socket breaks. */
export class ReturningHandset {
  readonly number: string;
  /** Every frame, in the order of arrival. */
  readonly frames: Frame[] = [];
  /** How often it came back. */
  returns = 0;
  loudSamples = 0;
  #socket: WebSocket | undefined;
  #token: string;
  #address: string;
  #isOff = false;

  private constructor(url: string, number: string) {
    this.#token = url.split('/').at(-1) as string;
    this.#address = url.slice(0, -this.#token.length);
    this.number = number;
  }

  static async switchOn(running: ServiceProcess, number?: string): Promise<ReturningHandset> {
    const made = await running.json<{ url: string; number: string }>('/calls/v1/handsets', {
      method: 'POST',
      body: number === undefined ? {} : { number },
    });
    const handset = new ReturningHandset(made.url, made.number);
    await handset.#connect();
    return handset;
  }

  /** The service was started anew at this address. */
  moveTo(running: ServiceProcess): void {
    this.#address = `${running.url.replace(/^http/, 'ws')}/media/handset/`;
  }

  send(frame: Frame): void {
    this.#socket?.send(JSON.stringify(frame));
  }

  /** Speaks a tone for so long, in real time. */
  async speak(ms: number): Promise<void> {
    const pcm = tone(700, FRAME_MS, RATE_HZ);
    for (let spokenMs = 0; spokenMs < ms; spokenMs += FRAME_MS) {
      if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(bytesFromPcm16(pcm));
      await delay(FRAME_MS);
    }
  }

  ofType(type: string): readonly Frame[] {
    return this.frames.filter((frame) => frame.type === type);
  }

  switchOff(): void {
    this.#isOff = true;
    this.#socket?.close();
  }

  /** Breaks the connection, as a network does. */
  drop(): void {
    this.#socket?.terminate();
  }

  async #connect(): Promise<void> {
    for (let tries = 1; ; tries++) {
      if (this.#isOff || (await this.#open())) return;
      if (tries === TRIES) throw new Error(`${this.number} did not come back`);
      await delay(PAUSE_MS);
    }
  }

  /** Resolves with whether the carrier was ready for it. */
  #open(): Promise<boolean> {
    const socket = new WebSocket(this.#address + this.#token, { perMessageDeflate: false });
    const ready = Promise.withResolvers<boolean>();
    socket.on('open', () => socket.send(JSON.stringify({ type: 'start', sampleRate: RATE_HZ })));
    socket.on('error', () => undefined);
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (isBinary) {
        const pcm = new Int16Array(new Uint8Array(data).buffer);
        for (const sample of pcm) if (Math.abs(sample) > 200) this.loudSamples++;
        return;
      }
      const frame = JSON.parse(data.toString()) as Frame;
      this.frames.push(frame);
      if (frame.type !== 'ready') return;
      this.#token = frame.resumeToken as string;
      this.#socket = socket;
      ready.resolve(true);
    });
    socket.on('close', () => {
      ready.resolve(false);
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      this.returns++;
      void this.#connect();
    });
    return ready.promise;
  }
}
