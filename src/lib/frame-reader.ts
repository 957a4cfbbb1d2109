import { isUtf8 } from 'node:buffer';

/** What a reader finds. All bytes are valid until the call returns: their memory is used again. */
export interface FrameSink {
  /** A message that came as one frame. */
  message(payload: Buffer, isBinary: boolean): void;
  /** A ping or a pong, whole as it came. */
  control(frame: Buffer): void;
  /** Anything else as it came, and from then on all that follows. */
  rest(bytes: Buffer): void;
}

export interface FrameReaderOptions {
  /** Frames of a client are masked, those of a server are not. */
  readonly isMasked: boolean;
  /** A longer payload is not for this reader; below 64 KiB. */
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
/** No length of a frame: it is for somebody else to read. */
const NOT_OURS = 0;

/**
 * Cuts what a peer of a WebSocket sent into frames (RFC 6455, 5.2), without a stream in between and without a
 * buffer of its own for what came in one piece. It knows the frames that a call consists of; whatever else may
 * come, an error too, is for the complete implementation behind it, which gets it unread.
 */
export class FrameReader {
  readonly #sink: FrameSink;
  readonly #mask: number;
  readonly #maskBytes: number;
  readonly #maxPayloadBytes: number;
  /** The beginning of a frame, in memory for so much of it as is known to come. */
  #partial: Buffer | undefined;
  #filled = 0;
  #isOver = false;

  constructor(sink: FrameSink, { isMasked, maxPayloadBytes }: FrameReaderOptions) {
    this.#sink = sink;
    this.#mask = isMasked ? MASKED : 0;
    this.#maskBytes = isMasked ? MASK_BYTES : 0;
    this.#maxPayloadBytes = maxPayloadBytes;
  }

  /** What came next. Payloads are unmasked where they are. */
  read(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length && !this.#isOver)
      at = this.#partial ? this.#append(this.#partial, bytes, at) : this.#next(bytes, at);
    if (at < bytes.length) this.#sink.rest(at === 0 ? bytes : bytes.subarray(at));
  }

  /** Reads the frame that begins here; returns where the next one does. */
  #next(bytes: Buffer, at: number): number {
    const length = this.#lengthAt(bytes, at);
    if (length === NOT_OURS) {
      this.#isOver = true;
      return at;
    }
    if (at + length <= bytes.length) return this.#take(bytes, at, at + length);
    this.#keep(length, bytes.subarray(at));
    return bytes.length;
  }

  /** Adds to the frame that has begun; returns where its part ends. */
  #append(partial: Buffer, bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + partial.length - this.#filled);
    this.#filled += bytes.copy(partial, this.#filled, at, end);
    if (this.#filled < partial.length) return end;
    this.#partial = undefined;
    const length = this.#lengthAt(partial, 0);
    if (length > partial.length) this.#keep(length, partial);
    else if (length === NOT_OURS || this.#take(partial, 0, length) === 0) this.#giveUp(partial);
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

  /** Hands on the frame from `at` to `end`; returns its end, or its beginning where it is not ours after all. */
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

  /** Its own inverse. */
  #unmask(payload: Buffer, bytes: Buffer, from: number): void {
    if (this.#maskBytes > 0) applyMask(payload, bytes, from - MASK_BYTES);
  }

  /** Bytes of the frame that begins at `at`, or, while that cannot be told, how many are needed to tell. */
  #lengthAt(bytes: Buffer, at: number): number {
    const available = bytes.length - at;
    if (available < 2) return 2;
    const first = bytes[at] as number;
    const second = bytes[at + 1] as number;
    const isControl = first === PING || first === PONG;
    if (!isControl && first !== FINAL_TEXT && first !== FINAL_BINARY) return NOT_OURS;
    if ((second & MASKED) !== this.#mask) return NOT_OURS;
    const length = second & ~MASKED;
    if (length <= MAX_SHORT) return 2 + this.#maskBytes + length;
    if (length !== IN_TWO_BYTES || isControl) return NOT_OURS;
    if (available < 4) return 4;
    const longLength = bytes.readUInt16BE(at + 2);
    return longLength <= this.#maxPayloadBytes ? 4 + this.#maskBytes + longLength : NOT_OURS;
  }
}

/** Masks or unmasks in place, with the four bytes that stand at `maskAt` (RFC 6455, 5.3). */
function applyMask(payload: Buffer, bytes: Buffer, maskAt: number): void {
  const a = bytes[maskAt] as number;
  const b = bytes[maskAt + 1] as number;
  const c = bytes[maskAt + 2] as number;
  const d = bytes[maskAt + 3] as number;
  if ((a | b | c | d) === 0) return;
  const length = payload.length;
  for (let at = 0; at < length; at += 4) {
    payload[at] = (payload[at] as number) ^ a;
    // Beyond the end a typed array keeps nothing.
    payload[at + 1] = (payload[at + 1] as number) ^ b;
    payload[at + 2] = (payload[at + 2] as number) ^ c;
    payload[at + 3] = (payload[at + 3] as number) ^ d;
  }
}
