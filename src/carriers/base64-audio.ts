import type { G711 } from '../audio/g711.ts';

const PADDING = 0x3d;
const NONE = 0xff;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = new Uint8Array(256).fill(NONE);
for (const [value, letter] of [...ALPHABET].entries()) VALUES[letter.charCodeAt(0)] = value;

/** Decodes base64 G.711 into a buffer that is reused for all frames of a stream. */
export class Base64Audio {
  readonly #codec: G711;
  #bytes = new Uint8Array(0);
  #pcm = new Int16Array(0);

  constructor(codec: G711) {
    this.#codec = codec;
  }

  /** The samples, valid until the next call; undefined if the text is not canonical base64. */
  decode(text: Uint8Array, from: number, to: number): Int16Array | undefined {
    const length = to - from;
    if (length === 0 || length % 4 !== 0) return undefined;
    const padding = text[to - 1] !== PADDING ? 0 : text[to - 2] !== PADDING ? 1 : 2;
    const count = (length / 4) * 3 - padding;
    if (this.#bytes.length !== count) {
      this.#bytes = new Uint8Array(count);
      this.#pcm = new Int16Array(count);
    }
    return this.#fill(text, from, to - padding)
      ? this.#codec.decode(this.#bytes, this.#pcm)
      : undefined;
  }

  #fill(text: Uint8Array, from: number, to: number): boolean {
    const bytes = this.#bytes;
    let invalid = 0;
    let out = 0;
    for (let at = from; at < to; at += 4) {
      const a = VALUES[text[at] as number] as number;
      const b = VALUES[text[at + 1] as number] as number;
      // After the last letter comes padding, which counts as 0.
      const c = at + 2 < to ? (VALUES[text[at + 2] as number] as number) : 0;
      const d = at + 3 < to ? (VALUES[text[at + 3] as number] as number) : 0;
      invalid |= (a | b | c | d) & 0xc0;
      bytes[out++] = (a << 2) | (b >> 4);
      // A typed array ignores writes beyond its end.
      bytes[out++] = (b << 4) | (c >> 2);
      bytes[out++] = (c << 6) | d;
    }
    return invalid === 0;
  }
}
