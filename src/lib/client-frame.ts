import { randomFillSync } from 'node:crypto';

const FINAL_BINARY = 0x82;
const MASKED = 0x80;
const IN_TWO_BYTES = 126;
const IN_EIGHT_BYTES = 127;
const MAX_SHORT = 125;
const MAX_IN_TWO = 0xffff;
const MASK_BYTES = 4;
/** Bytes per word; words are aligned to multiples of it. */
const WORD_BYTES = 4;

/**
 * Encodes a binary message as a masked client frame (RFC 6455, 5.2 and 5.3), in new memory. It masks words instead of
 * bytes, since masking is a good part of the cost of sending audio.
 */
export function binaryClientFrame(payload: Uint8Array, mask: number): Buffer {
  const { length } = payload;
  const lengthBytes = length <= MAX_SHORT ? 0 : length <= MAX_IN_TWO ? 2 : 8;
  const head = 2 + lengthBytes + MASK_BYTES;
  // The payload is aligned to a word, so the frame may begin a few bytes into the buffer.
  const from = Math.ceil(head / WORD_BYTES) * WORD_BYTES;
  const words = Math.ceil(length / WORD_BYTES);
  const memory = Buffer.allocUnsafeSlow(from + words * WORD_BYTES);
  const frame = memory.subarray(from - head, from + length);
  frame[0] = FINAL_BINARY;
  frame[1] =
    MASKED | (lengthBytes === 0 ? length : lengthBytes === 2 ? IN_TWO_BYTES : IN_EIGHT_BYTES);
  if (lengthBytes === 2) frame.writeUInt16BE(length, 2);
  else if (lengthBytes === 8) frame.writeBigUInt64BE(BigInt(length), 2);
  const maskAt = from - MASK_BYTES;
  const target = new Uint32Array(memory.buffer, maskAt, 1 + words);
  target[0] = mask;
  memory.set(payload, from);
  for (let at = 1; at <= words; at++) target[at] = (target[at] as number) ^ mask;
  return frame;
}

const masks = new Uint32Array(1024);
let used = masks.length;

/** Four random bytes. */
export function freshMask(): number {
  if (used === masks.length) {
    randomFillSync(masks);
    used = 0;
  }
  return masks[used++] as number;
}
