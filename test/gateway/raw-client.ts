import { once } from 'node:events';
import { WebSocket } from 'ws';

export type Received = { readonly audio: Buffer } | { readonly text: Record<string, unknown> };

/** A bare client of the media socket: sends anything, keeps everything it gets in order. */
export class RawClient {
  readonly socket: WebSocket;
  readonly received: Received[] = [];
  readonly closed: Promise<{ code: number; reason: string }>;
  #read = 0;

  constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      this.received.push(isBinary ? { audio: data } : { text: JSON.parse(data.toString()) });
    });
    this.closed = new Promise((resolve) => {
      socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }));
    });
    socket.on('error', () => {
      // The close that follows carries what the tests look at.
    });
  }

  static async connect(url: string): Promise<RawClient> {
    const client = new RawClient(new WebSocket(url, { perMessageDeflate: false }));
    await once(client.socket, 'open');
    return client;
  }

  say(frame: unknown): void {
    this.socket.send(JSON.stringify(frame));
  }

  start(sampleRate: unknown = 16_000): void {
    this.say({ type: 'start', sampleRate });
  }

  audio(samples: Int16Array): void {
    this.socket.send(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength));
  }

  /** The next frame; rejects when the socket closes without one. */
  async next(): Promise<Received> {
    while (this.#read >= this.received.length) {
      if (this.socket.readyState >= WebSocket.CLOSING) throw new Error('the socket is closed');
      await Promise.race([once(this.socket, 'message'), this.closed]);
    }
    return this.received[this.#read++] as Received;
  }

  async nextText(): Promise<Record<string, unknown>> {
    const frame = await this.next();
    if (!('text' in frame)) throw new Error('expected text, got audio');
    return frame.text;
  }

  async nextAudio(): Promise<Int16Array> {
    const frame = await this.next();
    if (!('audio' in frame)) throw new Error(`expected audio, got ${JSON.stringify(frame.text)}`);
    return new Int16Array(new Uint8Array(frame.audio).buffer);
  }
}
