import { Duplex } from 'node:stream';
import type { Clock, Timer } from '../ports/clock.ts';

interface PacketDeps {
  /** Sends a packet, which may get lost, come twice or out of order. */
  readonly send: (packet: Uint8Array) => void;
  readonly clock: Clock;
  /** Largest packet in bytes. */
  readonly maxPacketBytes: number;
}

interface Packet {
  readonly seq: number;
  readonly kind: number;
  readonly data: Uint8Array;
}

const DATA = 0;
const FIN = 1;
const ACK = 2;
const RESET = 3;
const HEADER_BYTES = 9;

const WINDOW_BYTES = 256 * 1024;
const LARGEST_BYTES = 64 * 1024;
/** An acknowledgement waits for so long for others that go with it. */
const ACK_MS = 20;
const RESEND_MS = 300;
const RESEND_LATEST_MS = 2_000;
/** The other end must be silent for longer than a bus may be away. */
const GONE_MS = 30_000;

/** The packet that tells the other end of a stream that is not known here to give it up. */
export const resetPacket = (): Uint8Array => encode(RESET, 0, 0, new Uint8Array());

/**
 * One end of a stream of bytes over packets: all of them arrive once and in order, or the stream is destroyed. At most
 * 256 KiB are under way; then writing waits. A reader that does not read is not sent more.
 */
export class PacketStream extends Duplex {
  readonly #deps: PacketDeps;
  readonly #unacked: Packet[] = [];
  #unackedBytes = 0;
  #nextSeq = 0;
  /** The number of packets that came in order, and of those that the reader had room for. */
  #expected = 0;
  #taken = 0;
  #isFull = false;
  #isResending = false;
  #resends = 0;
  #heardAt: number;
  #onRoom: (() => void) | undefined;
  #onAllAcked: (() => void) | undefined;
  #resendTimer: Timer | undefined;
  #ackTimer: Timer | undefined;

  constructor(deps: PacketDeps) {
    super({ allowHalfOpen: true });
    this.#deps = deps;
    this.#heardAt = deps.clock.now();
  }

  /** Takes a packet of the other end. */
  receive(packet: Uint8Array): void {
    if (this.destroyed || packet.length < HEADER_BYTES) return;
    const view = new DataView(packet.buffer, packet.byteOffset, packet.length);
    const [kind, seq, ack] = [view.getUint8(0), view.getUint32(1), view.getUint32(5)];
    if (kind === RESET) {
      this.destroy();
      return;
    }
    this.#heardAt = this.#deps.clock.now();
    this.#acked(ack);
    if (this.destroyed || kind === ACK) return;
    // What came already is acknowledged again, in case that was lost. After a gap, the other end sends it again.
    if (seq === this.#expected) this.#take(kind, packet.subarray(HEADER_BYTES));
    this.#ackSoon();
  }

  /** The packets may get through again: does not wait for the time to send them again. */
  resend(): void {
    this.#resends = 0;
    this.#deps.clock.clearTimeout(this.#resendTimer);
    this.#resendTimer = undefined;
    this.#resendFirst();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    const size = Math.min(LARGEST_BYTES, this.#deps.maxPacketBytes - HEADER_BYTES);
    for (let at = 0; at < chunk.length; at += size)
      this.#queue(DATA, chunk.subarray(at, at + size));
    if (this.#unackedBytes < WINDOW_BYTES) done();
    else this.#onRoom = done;
  }

  override _final(done: () => void): void {
    this.#onAllAcked = done;
    this.#queue(FIN, new Uint8Array());
  }

  override _read(): void {
    if (!this.#isFull) return;
    this.#isFull = false;
    this.#taken = this.#expected;
    this.#ackSoon();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const { clock } = this.#deps;
    clock.clearTimeout(this.#resendTimer);
    // The last acknowledgement must not wait: nobody would send it.
    if (this.#ackTimer !== undefined) this.#ackNow();
    if (!this.writableFinished || !this.readableEnded) this.#deps.send(resetPacket());
    done(error);
  }

  #queue(kind: number, data: Uint8Array): void {
    // An idle stream hears nothing: only what waits for an answer counts the silence.
    if (this.#unacked.length === 0) this.#heardAt = this.#deps.clock.now();
    // Node reuses the memory of what was written.
    const packet = { seq: this.#nextSeq++, kind, data: Uint8Array.from(data) };
    this.#unacked.push(packet);
    this.#unackedBytes += data.length;
    this.#send(packet);
    this.#armResend();
  }

  #send({ kind, seq, data }: Packet): void {
    this.#deps.clock.clearTimeout(this.#ackTimer);
    this.#ackTimer = undefined;
    this.#deps.send(encode(kind, seq, this.#taken, data));
  }

  #take(kind: number, data: Uint8Array): void {
    this.#expected++;
    if (kind === FIN) this.push(null);
    else if (!this.push(Uint8Array.from(data))) this.#isFull = true;
    if (!this.#isFull) this.#taken = this.#expected;
  }

  #acked(ack: number): void {
    let isProgress = false;
    while (this.#unacked[0] && this.#unacked[0].seq < ack) {
      this.#unackedBytes -= (this.#unacked.shift() as Packet).data.length;
      isProgress = true;
    }
    if (!isProgress) return;
    this.#resends = 0;
    this.#deps.clock.clearTimeout(this.#resendTimer);
    this.#resendTimer = undefined;
    if (this.#isResending) {
      this.#isResending = false;
      for (const packet of this.#unacked) this.#send(packet);
    }
    this.#armResend();
    if (this.#unackedBytes < WINDOW_BYTES) {
      const done = this.#onRoom;
      this.#onRoom = undefined;
      done?.();
    }
    if (this.#unacked.length === 0) this.#onAllAcked?.();
  }

  #armResend(): void {
    if (this.#resendTimer !== undefined || this.#unacked.length === 0 || this.destroyed) return;
    const waitMs = Math.min(RESEND_MS * 2 ** this.#resends, RESEND_LATEST_MS);
    this.#resendTimer = this.#deps.clock.setTimeout(() => {
      this.#resendTimer = undefined;
      this.#resends++;
      this.#resendFirst();
    }, waitMs);
  }

  /** The first packet alone: the answer shows whether the others arrived, or whether their reader has no room. */
  #resendFirst(): void {
    const [first] = this.#unacked;
    if (!first || this.destroyed) return;
    if (this.#deps.clock.now() - this.#heardAt > GONE_MS) {
      this.destroy(new Error('the other end of the stream is silent'));
      return;
    }
    this.#isResending = true;
    this.#send(first);
    this.#armResend();
  }

  #ackSoon(): void {
    if (this.#ackTimer !== undefined || this.destroyed) return;
    this.#ackTimer = this.#deps.clock.setTimeout(() => this.#ackNow(), ACK_MS);
  }

  #ackNow(): void {
    this.#deps.clock.clearTimeout(this.#ackTimer);
    this.#ackTimer = undefined;
    this.#deps.send(encode(ACK, 0, this.#taken, new Uint8Array()));
  }
}

function encode(kind: number, seq: number, ack: number, data: Uint8Array): Uint8Array {
  const packet = new Uint8Array(HEADER_BYTES + data.length);
  const view = new DataView(packet.buffer);
  view.setUint8(0, kind);
  view.setUint32(1, seq);
  view.setUint32(5, ack);
  packet.set(data, HEADER_BYTES);
  return packet;
}
