/** Where a term occurs: passages by their numbers, how often, and how long each is. */
export interface Posting {
  readonly passage: number;
  readonly count: number;
  readonly words: number;
}

const MAX_NIBBLE = 15;
const WORDS_PER_STEP = 16;

/**
 * Postings of one term as bytes: the distance from the passage before as a variable-length number, then a
 * byte of how often (up to 15) and how long (in steps of 16 words).
 */
export class PostingsWriter {
  #bytes = Buffer.allocUnsafe(16);
  #length = 0;
  #last = -1;
  #passages = 0;

  /** How many passages have the term. */
  get passages(): number {
    return this.#passages;
  }

  /** Passages come in their order. */
  add({ passage, count, words }: Posting): void {
    if (this.#length + 6 > this.#bytes.length) this.#grow();
    let distance = passage - this.#last;
    this.#last = passage;
    this.#passages++;
    while (distance > 0x7f) {
      this.#bytes[this.#length++] = (distance & 0x7f) | 0x80;
      distance >>>= 7;
    }
    this.#bytes[this.#length++] = distance;
    const steps = Math.min(MAX_NIBBLE, Math.floor(words / WORDS_PER_STEP));
    this.#bytes[this.#length++] = (Math.min(MAX_NIBBLE, count) << 4) | steps;
  }

  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  #grow(): void {
    const larger = Buffer.allocUnsafe(this.#bytes.length * 2);
    this.#bytes.copy(larger);
    this.#bytes = larger;
  }
}

/** Calls back for each posting; a callback rather than objects, as there may be many thousands. */
export function readPostings(
  bytes: Uint8Array,
  visit: (passage: number, count: number, words: number) => void,
): void {
  let passage = -1;
  for (let at = 0; at < bytes.length; ) {
    let distance = 0;
    let shift = 0;
    let byte = bytes[at++] as number;
    while (byte & 0x80) {
      distance |= (byte & 0x7f) << shift;
      shift += 7;
      byte = bytes[at++] as number;
    }
    distance |= byte << shift;
    passage += distance;
    const packed = bytes[at++] as number;
    visit(passage, packed >>> 4, (packed & 0x0f) * WORDS_PER_STEP + WORDS_PER_STEP / 2);
  }
}
