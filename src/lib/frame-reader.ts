import { isUtf8 } from 'node:buffer';

/** Receives what a reader finds. All bytes are valid until the call returns: their memory is reused. */
export interface FrameSink {
  /** An unfragmented message. */
  message(payload: Buffer, isBinary: boolean): void;
  /** A complete ping or pong frame, unchanged. */
  control(frame: Buffer): void;
  /** Anything else unchanged, and from then on all following bytes. */
  rest(bytes: Buffer): void;
}

export interface FrameReaderOptions {
  /** True for the frames of a client, false for those of a server. */
  readonly isMasked: boolean;
  /** Frames with a longer payload go to `rest`; must be below 64 KiB. */
  readonly maxPayloadBytes: number;
}

const FINAL_TEXT = 0x81;
const FINAL_BINARY = 0x82;
const PING = 0x89;
const PONG = 0x8a;
const MASKED = 0x80;
const MASK_BYTES = 4;
const MAX_SHORT = 125;
const IN_TWO_BYTES = 126;
/** Marks a frame that `rest` has to handle. */
const UNHANDLED_FRAME = 0;

/**
 * Splits the bytes of a WebSocket peer into frames (RFC 6455, 5.2), without a stream and, for frames that arrive whole,
 * without copying. It handles the frames that a call consists of; everything else, errors too, goes unread to the
 * complete implementation behind it.
 */
export class FrameReader {
  readonly #sink: FrameSink;
  readonly #mask: number;
  readonly #maskBytes: number;
  readonly #maxPayloadBytes: number;
  /** Beginning of an incomplete frame, in a buffer of the size known so far. */
  #partial: Buffer | undefined;
  #filled = 0;
  #isOver = false;

  constructor(sink: FrameSink, { isMasked, maxPayloadBytes }: FrameReaderOptions) {
    this.#sink = sink;
    this.#mask = isMasked ? MASKED : 0;
    this.#maskBytes = isMasked ? MASK_BYTES : 0;
    this.#maxPayloadBytes = maxPayloadBytes;
  }

  /** Takes the next bytes. Payloads are unmasked in place. */
  read(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length && !this.#isOver)
      at = this.#partial ? this.#append(this.#partial, bytes, at) : this.#next(bytes, at);
    if (at < bytes.length) this.#sink.rest(at === 0 ? bytes : bytes.subarray(at));
  }

  /** Reads the frame at `at`; returns the start of the next one. */
  #next(bytes: Buffer, at: number): number {
    const length = this.#lengthAt(bytes, at);
    if (length === UNHANDLED_FRAME) {
      this.#isOver = true;
      return at;
    }
    if (at + length <= bytes.length) return this.#take(bytes, at, at + length);
    this.#keep(length, bytes.subarray(at));
    return bytes.length;
  }

  /** Adds bytes to the incomplete frame; returns the end of its part. */
  #append(partial: Buffer, bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + partial.length - this.#filled);
    this.#filled += bytes.copy(partial, this.#filled, at, end);
    if (this.#filled < partial.length) return end;
    this.#partial = undefined;
    const length = this.#lengthAt(partial, 0);
    if (length > partial.length) this.#keep(length, partial);
    else if (length === UNHANDLED_FRAME || this.#take(partial, 0, length) === 0)
      this.#giveUp(partial);
    return end;
  }

  #keep(length: number, begun: Buffer): void {
    this.#partial = Buffer.allocUnsafe(length);
    this.#filled = begun.copy(this.#partial);
  }

  #giveUp(begun: Buffer): void {
    this.#isOver = true;
    this.#sink.rest(begun);
  }

  /** Delivers the frame from `at` to `end`; returns its end, or its start if `rest` has to handle it. */
  #take(bytes: Buffer, at: number, end: number): number {
    const first = bytes[at] as number;
    if (first >= PING) {
      this.#sink.control(bytes.subarray(at, end));
      return end;
    }
    const isLong = ((bytes[at + 1] as number) & ~MASKED) === IN_TWO_BYTES;
    const from = at + (isLong ? 4 : 2) + this.#maskBytes;
    const payload = bytes.subarray(from, end);
    this.#unmask(payload, bytes, from);
    if (first === FINAL_TEXT && !isUtf8(payload)) {
      // As it came.
      this.#unmask(payload, bytes, from);
      this.#isOver = true;
      return at;
    }
    this.#sink.message(payload, first === FINAL_BINARY);
    return end;
  }

  /** Also masks: the operation is its own inverse. */
  #unmask(payload: Buffer, bytes: Buffer, from: number): void {
    if (this.#maskBytes > 0) applyMask(payload, bytes, from - MASK_BYTES);
  }

  /** Length of the frame at `at` in bytes, or while it is unknown, the number of bytes needed to know it. */
  #lengthAt(bytes: Buffer, at: number): number {
    const available = bytes.length - at;
    if (available < 2) return 2;
    const first = bytes[at] as number;
    const second = bytes[at + 1] as number;
    const isControl = first === PING || first === PONG;
    if (!isControl && first !== FINAL_TEXT && first !== FINAL_BINARY) return UNHANDLED_FRAME;
    if ((second & MASKED) !== this.#mask) return UNHANDLED_FRAME;
    const length = second & ~MASKED;
    if (length <= MAX_SHORT) return 2 + this.#maskBytes + length;
    if (length !== IN_TWO_BYTES || isControl) return UNHANDLED_FRAME;
    if (available < 4) return 4;
    const longLength = bytes.readUInt16BE(at + 2);
    return longLength <= this.#maxPayloadBytes ? 4 + this.#maskBytes + longLength : UNHANDLED_FRAME;
  }
}

/** Masks or unmasks in place with the four bytes at `maskAt` (RFC 6455, 5.3). */
function applyMask(payload: Buffer, bytes: Buffer, maskAt: number): void {
  const a = bytes[maskAt] as number;
  const b = bytes[maskAt + 1] as number;
  const c = bytes[maskAt + 2] as number;
  const d = bytes[maskAt + 3] as number;
  if ((a | b | c | d) === 0) return;
  const length = payload.length;
  for (let at = 0; at < length; at += 4) {
    payload[at] = (payload[at] as number) ^ a;
    // A typed array ignores writes beyond its end.
    payload[at + 1] = (payload[at + 1] as number) ^ b;
    payload[at + 2] = (payload[at + 2] as number) ^ c;
    payload[at + 3] = (payload[at + 3] as number) ^ d;
  }
}
